"""Runs the migrations on SQLite and PostgreSQL alike, each in one transaction."""

import sqlalchemy as sa
from alembic import context

from bot.settings import load_settings
from bot.store.database import sqlite_engine
from bot.store.tables import metadata

MIGRATION_LOCK = 7_271_001
"""Any fixed number; held by the session and released with it."""


def run() -> None:
    url = context.config.attributes.get("url") or load_settings().database_url
    is_sqlite = url.startswith("sqlite")
    engine = sqlite_engine(url, busy_timeout_ms=30_000) if is_sqlite else sa.create_engine(url)
    with engine.connect() as connection:
        if is_sqlite:
            # With foreign keys on, rebuilding a parent table would silently delete its children.
            raw = connection.connection.dbapi_connection
            assert raw is not None
            raw.execute("PRAGMA foreign_keys=OFF")  # type: ignore[attr-defined]
        else:
            # Web, worker and clock may start together: the first migrates, the others wait and find nothing to do.
            connection.exec_driver_sql(f"select pg_advisory_lock({MIGRATION_LOCK})")
            connection.commit()
        context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
        with context.begin_transaction():
            context.run_migrations()
            if is_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                raise RuntimeError("a migration left rows whose parent is gone; nothing was changed")
    engine.dispose()


run()
