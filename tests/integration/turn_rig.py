"""Fixtures of tests of signs, turns and streams: a sandbox, a database, and the Slack of both."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.slack.delivery import Slack
from bot.store.database import Database
from tests.beginnings import migrated
from tests.integration.sandbox_rig import Rig, rigged
from tests.integration.test_delivery import slack_at


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(migrated(tmp_path / "store.sqlite3"))
    yield database
    database.close()


@pytest.fixture
def slack(rig: Rig) -> Slack:
    return slack_at(f"{rig.sandbox.options.base_url}/api", str(rig.slack.token))
