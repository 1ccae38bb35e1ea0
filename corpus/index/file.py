"""The SQLite file of the embedded index: one connection that writes, a few that read, errors in our words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Final

import structlog
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from corpus.errors import IndexUnavailable
from corpus.index import rows

log = structlog.get_logger()

READERS: Final = 2
_BROKEN: Final = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})


class IndexFile:
    """Opened, and made, at the first use; used from worker threads only. Raises `IndexUnavailable`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connections: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._writer: sqlite3.Connection | None = None
        self._opening = Lock()

    @contextmanager
    def reads(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a read transaction: one state of the file for the whole search."""
        with _translated():
            self._open()
            connection = self._connections.get()
            try:
                connection.execute("begin")
                yield connection
            finally:
                connection.commit()
                self._connections.put(connection)

    @contextmanager
    def writes(self) -> Iterator[sqlite3.Connection]:
        """The writing connection inside one transaction, committed when the block ends well."""
        with _translated():
            connection = self._open()
            connection.execute("begin immediate")
            try:
                yield connection
                connection.execute("commit")
            finally:
                if connection.in_transaction:
                    connection.rollback()

    def _open(self) -> sqlite3.Connection:
        with self._opening:
            if self._writer is None:
                # Small products got 60 times slower when BLAS spread them over busy cores.
                threadpool_limits(limits=1, user_api="blas")
                self._path.parent.mkdir(parents=True, exist_ok=True)
                writer = self._prepared()
                for _ in range(READERS):
                    self._connections.put(rows.connect(self._path))
                self._writer = writer
            return self._writer

    def _prepared(self) -> sqlite3.Connection:
        """A file that is no database any more is put aside, never deleted, and begun anew."""
        try:
            return _connected(self._path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode not in _BROKEN:
                raise
            aside = _put_aside(self._path)
            log.error("index_put_aside", reason=str(error), file=aside.name)
            return _connected(self._path)

    def close(self) -> None:
        while not self._connections.empty():
            self._connections.get().close()
        if self._writer is not None:
            self._writer.close()


def _connected(path: Path) -> sqlite3.Connection:
    connection = rows.connect(path)
    try:
        rows.prepare(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _put_aside(path: Path) -> Path:
    """Renamed with the moment; its journals, which belong to no other file, go with it."""
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    for suffix in ("-wal", "-shm"):
        if (journal := path.with_name(path.name + suffix)).exists():
            journal.rename(path.with_name(f"{path.name}.illisible-{moment}{suffix}"))
    return path.rename(path.with_name(f"{path.name}.illisible-{moment}"))


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise IndexUnavailable("La base documentaire locale ne peut pas être lue ou écrite.") from error
