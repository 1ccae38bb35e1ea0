"""The SQLite file of the embedded index: one connection that writes, a few that read, errors in our words.

A file that is damaged, at the start or in the middle of its life, is put aside, never deleted, and begun anew; who
fills it again is told by `begun_anew`. Several processes may share it: each follows when another has put it aside.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
_PRIMARY: Final = 0xFF
"""Of an extended result code: which error it is."""


@dataclass(slots=True)
class _Opened:
    """The connections to one file; a reader is None until it is needed, and after it failed."""

    inode: int
    writer: sqlite3.Connection
    readers: LifoQueue[sqlite3.Connection | None]

    def close(self) -> None:
        while not self.readers.empty():
            if (reader := self.readers.get()) is not None:
                reader.close()
        self.writer.close()


class IndexFile:
    """Opened, and made, at the first use; used from worker threads only. Raises `IndexUnavailable`.

    `openings`: how often it was opened, so that what was kept in memory of an earlier file is let go; `begun_anew`:
    it was damaged and lost what it held."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: _Opened | None = None
        self._opening = Lock()
        self.openings = 0
        self.begun_anew = False

    @contextmanager
    def reads(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a read transaction: one state of the file for the whole search."""
        with _translated():
            opened = self._open()
            with self._watched(opened):
                reader = opened.readers.get()
                try:
                    reader = reader or rows.connect(self._path)
                    reader.execute("begin")
                    yield reader
                finally:
                    opened.readers.put(_ended(reader))

    @contextmanager
    def writes(self) -> Iterator[sqlite3.Connection]:
        """The writing connection inside one transaction, committed when the block ends well."""
        with _translated():
            opened = self._open()
            with self._watched(opened):
                connection = opened.writer
                connection.execute("begin immediate")
                try:
                    yield connection
                    connection.execute("commit")
                finally:
                    if connection.in_transaction:
                        connection.rollback()

    def _open(self) -> _Opened:
        with self._opening:
            if self._opened is not None and _inode(self._path) != self._opened.inode:
                log.warning("index_replaced", file=self._path.name)  # another process put it aside
                self._opened, self.begun_anew = None, True
            if self._opened is None:
                # Small products got 60 times slower when BLAS spread them over busy cores.
                threadpool_limits(limits=1, user_api="blas")
                self._path.parent.mkdir(parents=True, exist_ok=True)
                writer = self._prepared()
                readers: LifoQueue[sqlite3.Connection | None] = LifoQueue()
                for _ in range(READERS):
                    readers.put(None)
                self._opened = _Opened(_inode(self._path), writer, readers)
                self.openings += 1
            return self._opened

    def _prepared(self) -> sqlite3.Connection:
        try:
            return _connected(self._path)
        except sqlite3.DatabaseError as error:
            if not _damaged(error):
                raise
            self._put_aside(error)
            return _connected(self._path)

    @contextmanager
    def _watched(self, opened: _Opened) -> Iterator[None]:
        """Damage that is only met now: the next call finds a file begun anew."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if _damaged(error):
                with self._opening:
                    if self._opened is opened:
                        self._opened = None
                        if _inode(self._path) == opened.inode:
                            self._put_aside(error)
            raise

    def _put_aside(self, error: sqlite3.DatabaseError) -> None:
        """Renamed with the moment; its journals, which belong to no other file, go with it."""
        moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        for suffix in ("-wal", "-shm", ""):
            if (part := self._path.with_name(self._path.name + suffix)).exists():
                part.rename(self._path.with_name(f"{self._path.name}.illisible-{moment}{suffix}"))
        self.begun_anew = True
        log.error("index_put_aside", reason=str(error), file=f"{self._path.name}.illisible-{moment}")

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()


def _ended(reader: sqlite3.Connection | None) -> sqlite3.Connection | None:
    """The reader for the next search, None where its transaction could not end: then another is made."""
    if reader is None:
        return None
    try:
        reader.commit()
    except sqlite3.Error:
        reader.close()
        return None
    return reader


def _connected(path: Path) -> sqlite3.Connection:
    connection = rows.connect(path)
    try:
        rows.check(connection)
        rows.prepare(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _damaged(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY in _BROKEN


def _inode(path: Path) -> int:
    """0 where there is no such file."""
    try:
        return os.stat(path).st_ino
    except FileNotFoundError:
        return 0


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise IndexUnavailable("La base documentaire locale ne peut pas être lue ou écrite.") from error
