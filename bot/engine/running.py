"""The engine: jobs enqueued in the caller's transaction, run where a worker was launched, resumed after a crash."""

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import sqlalchemy as sa
import structlog
from dbos import DBOS, DBOSClient, DBOSConfig
from dbos._queue import Queue
from dbos._serialization import DBOSPortableJSONSerializer

from bot.engine.dispatch import Dispatcher
from bot.engine.presence import CHANNEL, Presence
from bot.engine.queues import CODE_VERSION, NAME, QUEUE_OF, WORKERS
from bot.engine.steps import Job, Running, Steps, burial, workflow
from bot.engine.storage import open_storage
from bot.engine.upkeep import ATTEMPTS, Upkeep
from bot.errors import StoreUnavailable
from bot.ports import Boundary, JobName, no_boundary
from pipeline.metering.telemetry import SILENT, Telemetry

log = structlog.get_logger()

CLOSE_SECONDS = 5
SELDOM_SECONDS = 60.0
"""How often DBOS looks at its own schedules, which we do not use."""


class Engine:
    """Enqueue in the caller's transaction; run jobs where `launch(consume=True)` was called."""

    def __init__(
        self,
        url: str,
        *,
        executor_id: str,
        jobs: Mapping[JobName, Job],
        boundary: Boundary = no_boundary,
        telemetry: Telemetry = SILENT,
    ) -> None:
        self._telemetry = telemetry
        self._url, self._executor_id = url, executor_id
        self._jobs, self._boundary = jobs, boundary
        self._client: DBOSClient | None = None
        self._presence: Presence | None = None
        self._dispatcher: Dispatcher | None = None
        self._running = Running()
        self._opened: list[sa.Engine] = []

    async def launch(self, *, consume: bool) -> None:
        """Create DBOS's tables, resume this executor's unfinished jobs and, if `consume`, take new ones.

        Resumed jobs run on the event loop that calls this. Raises `WrongSetting` where the name is taken,
        `StoreUnavailable` where the database does not answer.
        """
        try:
            await self._begin(consume=consume)
        except sa.exc.SQLAlchemyError as error:
            log.error("engine_not_launched", error=repr(error))
            raise StoreUnavailable from error

    async def _begin(self, *, consume: bool) -> None:
        if consume and not self._url.startswith("sqlite"):
            self._presence = Presence(self._url, self._executor_id, ring=self._ring, recover=_recover)
            # Before anything is resumed: a job that runs under a name whose lock is free looks abandoned.
            await asyncio.to_thread(self._presence.announce)
        dbos = self._launched()
        queues = await _registered()
        if not consume:
            return
        if self._url.startswith("sqlite"):
            await asyncio.to_thread(self._take_over_all, dbos)
        upkeep = Upkeep(dbos, self._enqueuing(), self._executor_id)
        self._dispatcher = Dispatcher(dbos, self._url, self._executor_id, queues, upkeep)
        self._dispatcher.start()
        if self._presence is not None:
            self._presence.watch()

    def enqueue(self, connection: sa.Connection, job: JobName, subject: str, partition: str) -> None:
        """Join the caller's transaction; the same (job, subject) twice is one job."""
        self._enqueuing().enqueue_in_transaction(
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
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, "")))  # delivered when the caller commits

    async def close(self) -> None:
        """Stop taking jobs, give those under way a moment; what is left resumes at the next launch."""
        if self._dispatcher is not None:
            await asyncio.to_thread(self._dispatcher.stop)
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(max_workers=1) as apart:
            destroyed = loop.run_in_executor(apart, _destroy)
            await self._running.stop(CLOSE_SECONDS)
            await destroyed
        # DBOS made its executor the loop's default and has just shut it down; others still have files to close.
        loop.set_default_executor(ThreadPoolExecutor())
        if self._presence is not None:
            await asyncio.to_thread(self._presence.leave)
        if self._client is not None:
            self._client.destroy()
        for opened in self._opened:  # DBOS disposes only of engines of its own making
            opened.dispose()

    def _launched(self) -> DBOS:
        logger = logging.getLogger("dbos")
        logger.setLevel(logging.WARNING)
        logger.addHandler(logging.NullHandler())  # else DBOS adds one of its own, and its lines are no JSON
        config: DBOSConfig = {
            "name": NAME,
            "system_database_url": self._url,
            "system_database_engine": self._open(),
            "application_version": CODE_VERSION,
            "executor_id": self._executor_id,
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "WARNING",
            "scheduler_polling_interval_sec": SELDOM_SECONDS,
        }
        dbos = DBOS(config=config)
        steps = Steps(self._boundary, self.enqueue, self._telemetry)
        for name, job in self._jobs.items():
            run = workflow(name, job, self._running, steps)
            DBOS.workflow(name=str(name), max_recovery_attempts=ATTEMPTS)(run)
        DBOS.workflow(name=JobName.ABANDONED.value, max_recovery_attempts=ATTEMPTS)(
            burial(self._jobs, self._running, steps)
        )
        DBOS.listen_queues([])  # our dispatcher takes what waits
        DBOS.launch()
        return dbos

    def _take_over_all(self, dbos: DBOS) -> None:
        """SQLite has one worker at a time: what any other name left behind is ours to finish."""
        status = dbos._sys_db.tables.workflow_status
        query = sa.select(status.c.executor_id).distinct().where(status.c.status == "PENDING")
        with dbos._sys_db.engine.connect() as connection:
            others = {name for (name,) in connection.execute(query)} - {self._executor_id}
        for other in others:
            log.warning("jobs_taken_over", of=other, by=self._executor_id, count=_recover(other))

    def _ring(self) -> None:
        if self._dispatcher is not None:
            self._dispatcher.ring()

    def _enqueuing(self) -> DBOSClient:
        if self._client is None:
            self._client = DBOSClient(
                system_database_url=self._url,
                system_database_engine=self._open(),
                application_name=NAME,
                serializer=DBOSPortableJSONSerializer(),
            )
        return self._client

    def _open(self) -> sa.Engine:
        self._opened.append(open_storage(self._url))
        return self._opened[-1]


async def _registered() -> list[Queue]:
    return [
        await DBOS.register_queue_async(
            queue, partition_concurrency=1, worker_concurrency=workers, on_conflict="always_update"
        )
        for queue, workers in WORKERS.items()
    ]


def _recover(executor_id: str) -> int:
    handles: list[Any] = DBOS._recover_pending_workflows([executor_id])
    return len(handles)


def _destroy() -> None:
    DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=CLOSE_SECONDS + 2)  # past our own cancelling
