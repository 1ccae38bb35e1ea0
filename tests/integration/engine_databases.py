"""A database of each kind for the engine, without its tables. Its name is its own: plugins share one room."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import load_settings
from tests.integration.engine_rig import forget_jobs


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def jobs_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/jobs.sqlite3"
        return
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    forget_jobs()  # of tests that have no fixture
    yield load_settings().database_url
    forget_jobs()
