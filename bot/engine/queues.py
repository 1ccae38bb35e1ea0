"""The queues: which job waits in which, and how many of each run at once in one process."""

from typing import Final

from bot.ports import JobName

NAME: Final = "quartierscope"
CODE_VERSION: Final = "2"
"""Bump when a job's order of steps changes; drain the running jobs before the deployment."""

THREADS: Final = "threads"
ACTIONS: Final = "actions"
FILES: Final = "files"
SOURCES: Final = "sources"
DIGESTS: Final = "digests"
WORKERS: Final = {THREADS: 16, ACTIONS: 16, FILES: 3, SOURCES: 2, DIGESTS: 3}
"""Jobs at once in one process: a small file must not wait for a long one, and reading one may take a gigabyte."""
QUEUE_OF: Final = {
    JobName.REPLY: THREADS,
    JobName.PERFORM: ACTIONS,
    JobName.UNDO: ACTIONS,
    JobName.FIND_FILES: ACTIONS,
    JobName.OFFER_FILES: ACTIONS,
    JobName.ADD_FILE: FILES,
    JobName.REMOVE_FILE: ACTIONS,
    JobName.REFRESH: SOURCES,
    JobName.POLL: SOURCES,
    JobName.WATCH: DIGESTS,
    JobName.ALERT: DIGESTS,
    JobName.DIGEST: DIGESTS,
    JobName.PRINT: DIGESTS,
    JobName.ABANDONED: ACTIONS,
}
