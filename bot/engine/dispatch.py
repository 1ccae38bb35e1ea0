"""Takes what waits in the queues. DBOS's own threads look at each queue many times a second, whether anything came or
not; this one thread looks when the database has changed, and otherwise once in a while."""

import sqlite3
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Final

import sqlalchemy as sa
import structlog
from dbos import DBOS
from dbos._core import execute_dequeued_workflow
from dbos._error import DBOSException
from dbos._queue import Queue

from bot.engine.queues import CODE_VERSION, SIGNS, WORKERS, most
from bot.engine.upkeep import Upkeep

log = structlog.get_logger()

BUSY_SECONDS: Final = 0.1
"""Between two looks while jobs run here: one that ends frees its thread for the next."""
GLANCE_SECONDS: Final = 0.1
"""SQLite: how often the file is asked whether another connection wrote to it, which takes it 10 microseconds."""
IDLE_SECONDS: Final = 1.0
"""PostgreSQL: the longest wait for the bell, which a new job rings; a job that another worker frees rings none."""
IDLE_GLANCES: Final = 50
LINGER_SECONDS: Final = 1.0
UPKEEP_SECONDS: Final = 2.0
SUSPECT: Final = 5
"""Starts of a job without an end; orderly stops count as well."""
CAREFUL_SECONDS: Final = 20.0
"""After a start: what ends a worker does so soon, and one that lives on has a queue to catch up with."""
ALONE_SECONDS: Final = 5.0
"""How long such a job runs before the next one begins beside it: what waits for HubSpot may wait for hours."""
LONGEST_PAUSE: Final = 30.0


class Dispatcher:
    """One thread of a consuming process. `ring` makes it look at once."""

    def __init__(self, dbos: DBOS, url: str, executor_id: str, queues: Sequence[Queue], upkeep: Upkeep) -> None:
        self._dbos, self._executor_id = dbos, executor_id
        self._queues: Mapping[str, Queue] = {queue.name: queue for queue in queues}
        self._upkeep = upkeep
        self._bell = threading.Event()
        self._stopping = False
        self._file = sa.make_url(url).database if url.startswith("sqlite") else None
        self._seen: sqlite3.Connection | None = None
        self._version = -1
        self._alone, self._began = 0.0, time.monotonic()
        self._thread = threading.Thread(target=self._run, name="dispatcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ring(self) -> None:
        self._bell.set()

    def stop(self) -> None:
        """Returns when no more is taken."""
        self._stopping = True
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        pause, kept_up, active = 0.0, 0.0, time.monotonic()
        while not self._stopping:
            try:
                if self._look() or self._dbos._active_workflows_set.activeList():
                    active = time.monotonic()
                if time.monotonic() - kept_up > UPKEEP_SECONDS:
                    self._upkeep.run()
                    kept_up = time.monotonic()
                pause = 0.0
            except (sa.exc.SQLAlchemyError, DBOSException) as error:
                pause = min(2 * pause + 0.5, LONGEST_PAUSE)
                log.warning("queues_not_read", error=repr(error), retry_in_s=pause)
            if pause:
                time.sleep(pause)
            else:
                self._wait(busy=time.monotonic() - active < LINGER_SECONDS)
        if self._seen is not None:
            self._seen.close()

    def _wait(self, *, busy: bool) -> None:
        if busy or self._file is None:
            self._bell.wait(BUSY_SECONDS if busy else IDLE_SECONDS)
        else:
            for _ in range(IDLE_GLANCES):
                if self._bell.wait(GLANCE_SECONDS) or self._changed():
                    break
        self._bell.clear()

    def _changed(self) -> bool:
        """Whether anybody wrote to the file since the last glance."""
        try:
            if self._seen is None:
                self._seen = sqlite3.connect(str(self._file), timeout=0, isolation_level=None)
            version = int(self._seen.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:
            return True
        changed, self._version = version != self._version, version
        return changed

    def _look(self) -> int:
        """How many jobs were taken."""
        status = self._dbos._sys_db.tables.workflow_status
        waiting = (
            sa.select(status.c.queue_name, sa.func.max(status.c.recovery_attempts))
            .where(status.c.status == "ENQUEUED", status.c.application_version == CODE_VERSION)
            .group_by(status.c.queue_name)
        )
        with self._dbos._sys_db.engine.connect() as connection:
            found = {name: attempts for name, attempts in connection.execute(waiting) if name in self._queues}
        careful = time.monotonic() - self._began < CAREFUL_SECONDS
        if not careful or max(found.values(), default=0) < SUSPECT:
            return sum(self._take(self._queues[name], self._room(name)) for name in WORKERS if name in found)
        return self._take_alone(list(found))

    def _room(self, name: str) -> int:
        """How many of this queue may run here now."""
        return most(name, signs=self._dbos._active_workflows_set.count_for_queue(SIGNS))

    def _take_alone(self, names: list[str]) -> int:
        """One of what waits was started often and never ended: it may be what ends us, and should take no other with
        it. So one job at a time, each with a while of its own, until those have ended or been given up."""
        if self._dbos._active_workflows_set.activeList() and time.monotonic() - self._alone < ALONE_SECONDS:
            return 0
        self._alone = time.monotonic()
        name = names[int(self._alone) % len(names)]
        return self._take(self._queues[name], self._dbos._active_workflows_set.count_for_queue(name) + 1)

    def _take(self, queue: Queue, most: int) -> int:
        """Marked as ours in one transaction, with a fresh token: whoever held it before can record no more."""
        running = self._dbos._active_workflows_set.count_for_queue(queue.name)
        room = min(most, WORKERS[queue.name]) - running
        if room <= 0:
            return 0
        token = str(uuid.uuid4())
        taken = self._dbos._sys_db.start_queued_partitioned_workflows(
            queue, self._executor_id, CODE_VERSION, room, owner_xid=token
        )
        for status in self._dbos._sys_db.get_workflow_statuses(taken) if taken else ():
            try:
                execute_dequeued_workflow(self._dbos, status, token)
            except (DBOSException, RuntimeError) as error:  # too many attempts, or our loop is closing
                log.warning("job_not_started", job=status["workflow_uuid"], error=repr(error))
        return len(taken)
