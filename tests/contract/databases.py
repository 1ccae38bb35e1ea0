"""A migrated database of each kind that the store runs on, empty for each test."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.settings import load_settings
from bot.store.database import Database
from bot.store.migrations import migrate_database
from bot.store.tables import metadata
from tests.beginnings import migrated


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield migrated(tmp_path / "store.sqlite3")
        return
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    address = load_settings().database_url
    yield address
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(sa.text("drop table alembic_version"))
    engine.dispose()


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    if not url.startswith("sqlite"):
        migrate_database(url)
    database = Database(url)
    yield database
    database.close()
