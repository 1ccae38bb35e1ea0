"""Brings the database to the newest tables."""

import re
from pathlib import Path
from typing import Final

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import StoreUnavailable
from bot.store.database import sqlite_engine

log = structlog.get_logger()
REVISION: Final = re.compile(r'^revision = "(\w+)"', re.MULTILINE)
BEFORE: Final = re.compile(r'^down_revision = "(\w+)"', re.MULTILINE)
ROOT: Final = Path(__file__).resolve().parents[2]


def migrate_database(url: str) -> None:
    """Raises `StoreUnavailable` when the database cannot be reached."""
    try:
        if not _is_newest(url):
            _upgrade(url)
    except (SQLAlchemyError, OSError) as error:
        log.error("migration_failed", error=repr(error))
        raise StoreUnavailable("La base de données n'a pas pu être ouverte : vérifiez DATABASE_URL.") from error


def _is_newest(url: str) -> bool:
    """Whether the last migration of the folder has been run: then alembic, a third of a second, is not imported."""
    newest = _head()
    sqlite = url.startswith("sqlite")
    engine = sqlite_engine(url, busy_timeout_ms=30_000, read_only=True) if sqlite else sa.create_engine(url)
    try:
        with engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return False
            held = connection.execute(sa.text("select version_num from alembic_version")).scalars().all()
    finally:
        engine.dispose()
    return bool(held == [newest])


def _head() -> str:
    """The one that no other comes after, whatever the order of their names."""
    told = [path.read_text(encoding="utf-8") for path in (ROOT / "migrations" / "versions").glob("[0-9]*.py")]
    named: set[str] = {number for text in told for number in REVISION.findall(text)}
    return max(named - {number for text in told for number in BEFORE.findall(text)})


def _upgrade(url: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["url"] = url
    command.upgrade(config, "head")
