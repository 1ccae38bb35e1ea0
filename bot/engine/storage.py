"""The engine's own connections: what passes by itself (a full disk, a database that restarts) is waited out."""

import sqlite3
from typing import Any, Final

import sqlalchemy as sa

from bot.write_line import InLine

_PASSING_SQLITE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
_PASSING_POSTGRESQL: Final = ("08", "25006", "53", "57P", "58")
"""SQLSTATE: no connection, a standby, no room, shutting down or starting, the system's own trouble."""


def open_storage(url: str) -> sa.Engine:
    """For DBOS, which tries again for ever, from 1 s doubling to 60 s with jitter, where a connection was lost, and
    gives up for good on any other error of the database: a job whose checkpoint failed on a full disk would neither
    end nor run again. So an error that passes counts as a lost connection."""
    if url.startswith("sqlite"):
        # DBOS opens SQLite in rollback-journal mode by itself, 3.5 times slower than WAL.
        engine = sa.create_engine(
            url, pool_size=20, max_overflow=30, hide_parameters=True, connect_args={"factory": InLine}
        )
        sa.event.listen(engine, "connect", _on_connect)
    else:
        engine = sa.create_engine(url, pool_size=20, max_overflow=30, pool_pre_ping=True, hide_parameters=True)
    sa.event.listen(engine, "handle_error", _on_error)
    return engine


def _on_connect(connection: Any, _record: object) -> None:
    """NORMAL: DBOS's marks of what is done reach the disk with the next of our own commits, which are FULL. A machine
    that loses its power before forgets some, and those steps are run again, as after a kill; each mark with a sync of
    its own (5 ms on a common disk, ten of them an answer) would make a crowd wait for the disk alone."""
    connection.isolation_level = "IMMEDIATE"
    for pragma in ("busy_timeout=30000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _on_error(context: sa.engine.ExceptionContext) -> None:
    if passes(context.original_exception):
        context.is_disconnect = True
        context.invalidate_pool_on_disconnect = False  # the others may be sound


def passes(error: BaseException | None) -> bool:
    """Whether the same statement may succeed later, with nothing changed but the machine's state."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING_SQLITE
    return str(getattr(error, "sqlstate", None) or "").startswith(_PASSING_POSTGRESQL)
