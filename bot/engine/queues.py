"""The queues: which job waits in which, and how many of each run at once in one process."""

from typing import Final

from bot.ports import JobName

NAME: Final = "quartierscope"
CODE_VERSION: Final = "3"
"""Bump when a job's order of steps changes; drain the running jobs before the deployment."""

SIGNS: Final = "signs"
THREADS: Final = "threads"
ACTIONS: Final = "actions"
FILES: Final = "files"
SOURCES: Final = "sources"
DIGESTS: Final = "digests"
CHARTS: Final = "charts"
WORKERS: Final = {SIGNS: 24, THREADS: 16, ACTIONS: 16, FILES: 3, SOURCES: 2, DIGESTS: 3, CHARTS: 1}
"""Jobs at once in one process, in the order in which they are taken: a sign of life waits for no answer; a small file
must not wait for a long one, and reading one may take a gigabyte; a chart is drawn by one core."""
CROWD: Final = 6
CROWDED: Final = {THREADS: 2, CHARTS: 0}
"""And while so many signs of life are on their way: people who wait for a first word come before."""

QUEUE_OF: Final = {
    JobName.SIGN: SIGNS,
    JobName.REPLY: THREADS,
    JobName.CHART: CHARTS,
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
    JobName.PRINT: CHARTS,
    JobName.FORGET_TEAM: SOURCES,
    JobName.ABANDONED: ACTIONS,
}


def most(queue: str, *, signs: int) -> int:
    """How many jobs of this queue may run at once, while so many signs of life are on their way."""
    return CROWDED.get(queue, WORKERS[queue]) if signs >= CROWD else WORKERS[queue]
