"""SQLite takes one writer at a time, and who finds it taken sleeps and looks again, up to a tenth of a second later
and in no order. The writers of one process stand in line here instead, before they ask SQLite."""

import sqlite3
import threading
from collections import defaultdict
from typing import Any, Final

PATIENCE: Final = 2.5
"""Seconds in line; then SQLite's own waiting decides, as it does between processes."""
_BEGINS: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE", "BEGIN IMMEDIATE")
_lines: Final[defaultdict[str, threading.Lock]] = defaultdict(threading.Lock)


class InLine(sqlite3.Connection):
    """A connection (the `factory` of `sqlite3.connect`) that holds the line of its file from the statement that begins
    to write to the end of the transaction."""

    def __init__(self, database: Any, *given: Any, **named: Any) -> None:
        super().__init__(database, *given, **named)
        self._line = _lines[str(database)]
        self._held = False

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or _Cursor)

    def commit(self) -> None:
        try:
            super().commit()
        finally:
            self.leave()

    def rollback(self) -> None:
        try:
            super().rollback()
        finally:
            self.leave()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._release()

    def enter(self, statement: str) -> None:
        """Before each statement."""
        if not self._held and not self.in_transaction and statement.lstrip()[:15].upper().startswith(_BEGINS):
            self._held = self._line.acquire(timeout=PATIENCE)

    def leave(self) -> None:
        """After each statement and at each end; whoever is in a transaction still stays."""
        if self._held and not self.in_transaction:
            self._release()

    def _release(self) -> None:
        if self._held:
            self._held = False
            self._line.release()


class _Cursor(sqlite3.Cursor):
    connection: InLine

    def execute(self, statement: str, *given: Any) -> "_Cursor":
        self.connection.enter(statement)
        try:
            return super().execute(statement, *given)
        finally:
            self.connection.leave()

    def executemany(self, statement: str, *given: Any) -> "_Cursor":
        self.connection.enter(statement)
        try:
            return super().executemany(statement, *given)
        finally:
            self.connection.leave()
