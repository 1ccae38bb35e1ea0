"""The database: one SQLite writer thread with group commit, or a PostgreSQL pool; reads beside them."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InterfaceError, OperationalError

from bot.errors import StoreUnavailable
from bot.sealing import OPEN, Sealing
from bot.store.columns import seal
from bot.write_line import InLine

T = TypeVar("T")
GROUP_COMMIT = 200
BUSY_TIMEOUT_MS = 2500  # the ack path must give up before Slack's 3 s


def sqlite_engine(url: str, *, busy_timeout_ms: int, read_only: bool = False) -> sa.Engine:
    """WAL, full sync, BEGIN IMMEDIATE for writers: readings in reference notes on durability."""
    if path := sa.make_url(url).database:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    limits: dict[str, Any] = {"pool_size": 5, "max_overflow": 20, "hide_parameters": True}
    engine = sa.create_engine(url, connect_args={"check_same_thread": False, "factory": InLine}, **limits)

    @sa.event.listens_for(engine, "connect")
    def on_connect(connection: DBAPIConnection, _record: object) -> None:
        connection.isolation_level = None  # we issue BEGIN ourselves
        cursor = connection.cursor()
        pragmas = (f"busy_timeout={busy_timeout_ms}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def on_begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine


def alive(connection: sa.Connection) -> bool:
    """Whether it answers at all."""
    return connection.execute(sa.select(1)).scalar() == 1


@dataclass(frozen=True, slots=True)
class _Write:
    run: Callable[[sa.Connection], Any]
    done: "Future[Any]"


class Database:
    """`write` and `read` take a function of a connection. Raises `StoreUnavailable` when the database cannot answer.
    `sealing`: what texts are kept under. An error of the database quotes no text."""

    def __init__(self, url: str, sealing: Sealing = OPEN) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite")
        if self.is_sqlite:
            self.engine = sqlite_engine(url, busy_timeout_ms=BUSY_TIMEOUT_MS)
            self.reader = sqlite_engine(url, busy_timeout_ms=BUSY_TIMEOUT_MS, read_only=True)
        else:
            self.engine = self.reader = sa.create_engine(
                url, pool_size=10, max_overflow=20, pool_pre_ping=True, hide_parameters=True
            )
        self.sealing = sealing
        for engine in (self.engine, self.reader):
            seal(engine, sealing)
        self._writes: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def read(self, run: Callable[[sa.Connection], T]) -> T:
        def work() -> T:
            with self.reader.connect() as connection:
                return run(connection)

        with _translated():
            return await asyncio.to_thread(work)

    async def write(self, run: Callable[[sa.Connection], T]) -> T:
        """Returns after the commit; `run` sees its own transaction (a savepoint of a group on SQLite)."""
        if not self.is_sqlite:

            def work() -> T:
                with self.engine.begin() as connection:
                    return run(connection)

            with _translated():
                return await asyncio.to_thread(work)
        if self._thread is None:
            self._thread = threading.Thread(target=self._drain, name="sqlite-writer", daemon=True)
            self._thread.start()
        if not self._thread.is_alive():
            raise StoreUnavailable("La base de données est fermée.")
        done: Future[T] = Future()
        self._writes.put(_Write(run, done))
        with _translated():
            return await asyncio.wrap_future(done)

    def close(self) -> None:
        if self._thread is not None:
            self._writes.put(None)
            self._thread.join(timeout=5)
        self.engine.dispose()
        self.reader.dispose()

    def _drain(self) -> None:
        while (first := self._writes.get()) is not None:
            batch = [first]
            while len(batch) < GROUP_COMMIT and not self._writes.empty():
                if (item := self._writes.get()) is None:
                    self._writes.put(None)
                    break
                batch.append(item)
            self._commit(batch)

    def _commit(self, batch: list[_Write]) -> None:
        """One transaction, one savepoint a write: a failing write falls alone; callers wake after the commit."""
        awaited = [item for item in batch if item.done.set_running_or_notify_cancel()]
        try:
            with self.engine.begin() as connection:
                outcomes = [(item, *_attempt(connection, item)) for item in awaited]
        except Exception as error:  # noqa: BLE001 - handed to the callers: without this thread nothing is ever kept
            outcomes = [(item, None, error) for item in awaited]
        for item, value, failure in outcomes:
            if failure is None:
                item.done.set_result(value)
            else:
                item.done.set_exception(failure)


def _attempt(connection: sa.Connection, item: _Write) -> tuple[Any, Exception | None]:
    """What the write returned, or what it raised, its savepoint rolled back."""
    try:
        with connection.begin_nested():
            return item.run(connection), None
    except Exception as error:  # noqa: BLE001 - handed to the caller that awaits this write
        return None, error


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, sa.exc.TimeoutError) as error:
        raise StoreUnavailable from error
