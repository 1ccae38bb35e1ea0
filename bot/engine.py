"""The only file that names DBOS: durable jobs, one at a time per partition, resumed after a crash."""

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa
import stamina
import structlog
from dbos import DBOS, DBOSClient, DBOSConfig
from dbos._error import DBOSException
from dbos._serialization import DBOSPortableJSONSerializer

from bot.errors import WrongSetting
from bot.ports import JobName
from pipeline.errors import Retryable

log = structlog.get_logger()

NAME = "quartierscope"
CODE_VERSION = "1"
"""Bump when a job's order of steps changes; drain the running jobs before the deployment."""

REAP_SECONDS = 2.0
CLOSE_SECONDS = 5

THREADS = "threads"
ACTIONS = "actions"
FILES = "files"
SOURCES = "sources"
DIGESTS = "digests"
WORKERS = {THREADS: 16, ACTIONS: 16, FILES: 3, SOURCES: 2, DIGESTS: 3}
"""Jobs at once in one process: a small file must not wait for a long one, and reading one may take a gigabyte."""
POLL_SECONDS = {THREADS: 0.1, ACTIONS: 0.2, FILES: 0.5, SOURCES: 2.0, DIGESTS: 2.0}
"""How often a queue is looked at. A look costs 4 ms of processor: all at 0.1 s kept a sixth of a core busy for nothing;
a question and a click are answered at once, a file is read for seconds, an address once a day."""
QUEUE_OF = {
    JobName.REPLY: THREADS,
    JobName.PERFORM: ACTIONS,
    JobName.UNDO: ACTIONS,
    JobName.FIND_FILES: ACTIONS,
    JobName.OFFER_FILES: ACTIONS,
    JobName.ADD_FILE: FILES,
    JobName.REMOVE_FILE: ACTIONS,
    JobName.REFRESH: SOURCES,
    JobName.POLL: SOURCES,
    JobName.DIGEST: DIGESTS,
}

PATIENCE = 24 * 3600.0
"""Seconds that a step goes on trying while what it needs is away: an answer that is owed outlives an outage."""

StepFunction = Callable[[str], Awaitable[None]]


class Step(Protocol):
    """Runs the function and remembers that it ran; the argument is an id. `patience` bounds, in seconds, how long it
    is tried again after a `Retryable` error, which is raised when that time is over."""

    def __call__(
        self, name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE
    ) -> Awaitable[None]: ...


@dataclass(frozen=True, slots=True)
class Job:
    """`run` is a few steps; `failed` is run, as a step, when one of them gave up."""

    run: Callable[[Step, str], Awaitable[None]]
    failed: Callable[[str, BaseException], Awaitable[None]]


def _dbos_engine(url: str) -> sa.Engine:
    """DBOS opens SQLite in rollback-journal mode by itself, 3.5 times slower than WAL."""
    if not url.startswith("sqlite"):
        return sa.create_engine(url, pool_size=20, max_overflow=30, pool_pre_ping=True)
    engine = sa.create_engine(url, pool_size=20, max_overflow=30)

    @sa.event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = "IMMEDIATE"
        for pragma in ("busy_timeout=30000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


class Running:
    """The jobs under way in this process, so that none goes on beside what is being closed around it: it would take a
    closed connection for a failed source, and publish that."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    def enter(self) -> None:
        """Called by each job as it begins. Raises CancelledError when no more may begin: it resumes at the launch."""
        if self._stopping:
            raise asyncio.CancelledError
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, seconds: float) -> None:
        """Give those under way `seconds` to end, then cancel them where they stand: their last step is run again."""
        self._stopping = True
        if not self._tasks:
            return
        _ended, late = await asyncio.wait(self._tasks, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            log.info("jobs_interrupted", count=len(late))
            await asyncio.wait(late)


class Engine:
    """Enqueue in the caller's transaction; run jobs where `launch(consume=True)` was called."""

    def __init__(self, url: str, *, executor_id: str, jobs: Mapping[str, Job]) -> None:
        self._url = url
        self._executor_id = executor_id
        self._jobs = jobs
        self._client: DBOSClient | None = None
        self._reaper: asyncio.Task[None] | None = None
        self._presence: sa.Connection | None = None
        self._running = Running()
        self._opened: list[sa.Engine] = []

    async def launch(self, *, consume: bool) -> None:
        """Create DBOS's tables, resume this executor's unfinished jobs and, if `consume`, take new ones.

        Resumed jobs run on the event loop that calls this.
        """
        logging.getLogger("dbos").setLevel(logging.WARNING)
        config: DBOSConfig = {
            "name": NAME,
            "system_database_url": self._url,
            "system_database_engine": self._open(),
            "application_version": CODE_VERSION,
            "executor_id": self._executor_id,
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "WARNING",
        }
        DBOS(config=config)
        for name, job in self._jobs.items():
            DBOS.workflow(name=str(name))(_workflow(job, self._running))
        if not consume:
            DBOS.listen_queues([])
        DBOS.launch()
        for queue, workers in WORKERS.items():
            await DBOS.register_queue_async(
                queue,
                partition_concurrency=1,
                worker_concurrency=workers,
                polling_interval_sec=POLL_SECONDS[queue],
                on_conflict="always_update",
            )
        if consume and not self._url.startswith("sqlite"):
            self._presence = _announce(self._url, self._executor_id)
            self._reaper = asyncio.create_task(_reap(self._presence, self._executor_id))

    def enqueue(self, connection: sa.Connection, job: JobName, subject: str, partition: str) -> None:
        """Join the caller's transaction; the same (job, subject) twice is one job."""
        if self._client is None:
            self._client = DBOSClient(
                system_database_url=self._url,
                system_database_engine=self._open(),
                application_name=NAME,
                serializer=DBOSPortableJSONSerializer(),
            )
        self._client.enqueue_in_transaction(
            connection,
            {
                "workflow_name": job.value,
                "queue_name": QUEUE_OF[job],
                "workflow_id": f"{job.value}:{subject}",
                "queue_partition_key": partition,
                "app_version": CODE_VERSION,
            },
            subject,
        )

    async def close(self) -> None:
        """Stop taking jobs, give those under way a moment; what is left resumes at the next launch."""
        if self._reaper is not None:
            self._reaper.cancel()
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(max_workers=1) as apart:
            destroyed = loop.run_in_executor(apart, _destroy)
            await self._running.stop(CLOSE_SECONDS)
            await destroyed
        # DBOS made its executor the loop's default and has just shut it down; others still have files to close.
        loop.set_default_executor(ThreadPoolExecutor())
        if self._presence is not None:
            self._presence.engine.dispose()
        if self._client is not None:
            self._client.destroy()
        for opened in self._opened:  # DBOS disposes only of engines of its own making
            opened.dispose()

    def _open(self) -> sa.Engine:
        self._opened.append(_dbos_engine(self._url))
        return self._opened[-1]


def _destroy() -> None:
    DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=CLOSE_SECONDS + 2)  # past our own cancelling


def _lock_key(executor_id: str) -> int:
    return zlib.crc32(f"{NAME}:{executor_id}".encode())


def _announce(url: str, executor_id: str) -> sa.Connection:
    """Hold an advisory lock for life: as long as it is held, nobody takes this worker's jobs over."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.StaticPool)
    connection = engine.connect()
    if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_lock_key(executor_id)))):
        connection.close()
        raise WrongSetting(f"EXECUTOR_ID : un autre processus s'appelle déjà « {executor_id} », donnez-en un autre.")
    return connection


async def _reap(presence: sa.Connection, executor_id: str) -> None:
    """Take over the unfinished jobs of workers that are gone; DBOS itself only resumes its own executor's."""
    while True:
        await asyncio.sleep(REAP_SECONDS)
        await asyncio.to_thread(_take_over, presence, executor_id)


def _take_over(presence: sa.Connection, executor_id: str) -> None:
    pending = sa.text(
        "select distinct executor_id from dbos.workflow_status where status = 'PENDING' and executor_id <> :me"
    )
    for (other,) in presence.execute(pending, {"me": executor_id}).all():
        key = _lock_key(other)
        if presence.scalar(sa.select(sa.func.pg_try_advisory_lock(key))):
            try:
                DBOS._recover_pending_workflows([other])
            finally:
                presence.scalar(sa.select(sa.func.pg_advisory_unlock(key)))


def _workflow(job: Job, running: Running) -> Callable[[str], Awaitable[None]]:
    async def run(subject: str) -> None:
        running.enter()
        try:
            await job.run(_step, subject)
        except DBOSException:
            raise  # cancelled, fenced off or superseded: another run owns this job
        except Exception as error:  # noqa: BLE001 - the jobs' error listener: a failed job is never silent
            await _give_up(job, subject, error)

    return run


async def _give_up(job: Job, subject: str, error: BaseException) -> None:
    async def failed(subject_id: str) -> None:
        await job.failed(subject_id, error)

    try:
        await _step("failed", failed, subject)
    except DBOSException:
        raise
    except Exception as second:
        log.error("failure_not_told", subject=subject, error=repr(error), then=repr(second), exc_info=second)
        raise


async def _step(name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE) -> None:
    async def run(subject_id: str) -> None:
        # Not DBOS's own retries: they count attempts, so that the longest outage they survive is a matter of seconds.
        again = stamina.retry_context(
            on=_wait, attempts=None, timeout=patience, wait_initial=0.5, wait_max=30.0, wait_jitter=0.5
        )
        async for attempt in again:
            with attempt:
                await function(subject_id)

    await DBOS.run_step_async({"name": name, "retries_allowed": False}, run, subject)


def _wait(error: Exception) -> bool | float:
    """Whether to try again; or the seconds that the other side asks to wait."""
    if not isinstance(error, Retryable):
        return False
    asked = getattr(error, "retry_after", None)
    return True if asked is None else float(asked)
