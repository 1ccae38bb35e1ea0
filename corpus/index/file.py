"""The SQLite file of the embedded index: one connection that writes, a few that read, errors in our words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Final

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from corpus.errors import IndexUnavailable
from corpus.index import rows

READERS: Final = 2


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
                writer = rows.connect(self._path)
                rows.prepare(writer)
                for _ in range(READERS):
                    self._connections.put(rows.connect(self._path))
                self._writer = writer
            return self._writer

    def close(self) -> None:
        while not self._connections.empty():
            self._connections.get().close()
        if self._writer is not None:
            self._writer.close()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise IndexUnavailable("La base documentaire locale ne peut pas être lue ou écrite.") from error
