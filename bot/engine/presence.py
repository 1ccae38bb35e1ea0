"""PostgreSQL: who is alive. Each worker holds an advisory lock under its name; the jobs of a name whose lock stays free
are taken over. The lock goes with its connection, so a lost one is opened again and the lock taken anew."""

import contextlib
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import sqlalchemy as sa
import structlog

from bot.engine.queues import CODE_VERSION, NAME
from bot.errors import WrongSetting

log = structlog.get_logger()

REAP_SECONDS: Final = 2.0
GRACE_SECONDS: Final = 6.0
"""A lock must be found free for so long: after a restart of the database each worker takes its own again, one sooner
than the other, and a worker that lives loses no job to one that was faster."""
NAME_PATIENCE: Final = 5.0
"""Seconds that a start waits for its own name: a reaper holds it for a moment, the connection of a dead one lingers."""
CHANNEL: Final = "quartierscope_jobs"

Recover = Callable[[str], int]
"""Puts the unfinished jobs of a name back into their queues; how many."""


def lock_key(executor_id: str) -> int:
    return zlib.crc32(f"{NAME}:{executor_id}".encode())


class Presence:
    """Held from `announce` to `leave`, by one thread on a connection of its own; the bell of the queues hangs there
    too."""

    def __init__(self, url: str, executor_id: str, *, ring: Callable[[], None], recover: Recover) -> None:
        self._engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        self._executor_id, self._ring, self._recover = executor_id, ring, recover
        self._leaving = threading.Event()
        self._held: sa.Connection | None = None
        self._free_since: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def announce(self) -> None:
        """Raises `WrongSetting` where a living process has that name already."""
        deadline = time.monotonic() + NAME_PATIENCE
        while (connection := self._taken()) is None:
            if time.monotonic() > deadline:
                raise WrongSetting(
                    f"EXECUTOR_ID : un autre processus s'appelle déjà « {self._executor_id} », donnez-en un autre."
                )
            time.sleep(0.2)
        self._held = connection
        self._listen(connection)

    def watch(self) -> None:
        """From now on the jobs of the dead are taken over."""
        self._thread.start()

    def leave(self) -> None:
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join(timeout=REAP_SECONDS + 3)
        if self._held is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                self._held.close()
        self._engine.dispose()

    def _taken(self) -> sa.Connection | None:
        """A connection that holds our lock; None while somebody else does."""
        connection = self._engine.connect()
        try:
            if _try_lock(connection, self._executor_id):
                return connection
        except sa.exc.SQLAlchemyError:
            connection.close()
            raise
        connection.close()
        return None

    def _run(self) -> None:
        while not self._leaving.is_set():
            try:
                if self._held is None:
                    self._return()
                else:
                    self._wait(self._held)
                    self._reap(self._held)
            except (sa.exc.SQLAlchemyError, self._driver_error()) as error:
                if self._held is not None:
                    log.warning("presence_lost", executor_id=self._executor_id, error=repr(error))
                    self._held.invalidate()
                    self._held.close()
                    self._held = None
                self._leaving.wait(1.0)

    def _return(self) -> None:
        """Nobody's absence counts from before: they, too, have only now been able to come back."""
        self._free_since.clear()
        self._held = self._taken()
        if self._held is None:
            log.error("presence_taken", executor_id=self._executor_id)
            self._leaving.wait(REAP_SECONDS)
            return
        self._listen(self._held)
        log.warning("presence_retaken", executor_id=self._executor_id)
        self._ring()

    def _listen(self, connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"LISTEN {CHANNEL}")

    def _wait(self, connection: sa.Connection) -> None:
        """Until the next look at the others; each notice meanwhile rings the bell."""
        driver: Any = connection.connection.driver_connection
        until = time.monotonic() + REAP_SECONDS
        while not self._leaving.is_set() and (left := until - time.monotonic()) > 0:
            for _ in driver.notifies(timeout=left, stop_after=1):
                self._ring()

    def _reap(self, connection: sa.Connection) -> None:
        pending = sa.text(
            "select distinct executor_id from dbos.workflow_status"
            " where status = 'PENDING' and executor_id <> :me and application_version = :version"
        )
        found = connection.execute(pending, {"me": self._executor_id, "version": CODE_VERSION})
        others = {name for (name,) in found}
        for gone in self._free_since.keys() - others:
            del self._free_since[gone]
        for other in others:
            with _probed(connection, other) as free:
                if not free:
                    self._free_since.pop(other, None)
                elif time.monotonic() - self._free_since.setdefault(other, time.monotonic()) >= GRACE_SECONDS:
                    log.warning("jobs_taken_over", of=other, by=self._executor_id, count=self._recover(other))
                    del self._free_since[other]
                    self._ring()

    def _driver_error(self) -> type[Exception]:
        dbapi: Any = self._engine.dialect.loaded_dbapi
        return dbapi.Error  # type: ignore[no-any-return]


@contextlib.contextmanager
def _probed(connection: sa.Connection, executor_id: str) -> Iterator[bool]:
    """Whether nobody holds that name; then we do, for the length of the block."""
    free = _try_lock(connection, executor_id)
    try:
        yield free
    finally:
        if free:
            connection.execute(sa.select(sa.func.pg_advisory_unlock(lock_key(executor_id))))


def _try_lock(connection: sa.Connection, executor_id: str) -> bool:
    return bool(connection.scalar(sa.select(sa.func.pg_try_advisory_lock(lock_key(executor_id)))))
