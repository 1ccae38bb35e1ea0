"""Brings the database to the newest tables."""

from pathlib import Path

import structlog
from alembic import command
from alembic.config import Config
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import StoreUnavailable

log = structlog.get_logger()
ROOT = Path(__file__).resolve().parents[2]


def migrate_database(url: str) -> None:
    """Raises `StoreUnavailable` when the database cannot be reached."""
    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["url"] = url
    try:
        command.upgrade(config, "head")
    except (SQLAlchemyError, OSError) as error:
        log.error("migration_failed", error=repr(error))
        raise StoreUnavailable("La base de données n'a pas pu être ouverte : vérifiez DATABASE_URL.") from error
