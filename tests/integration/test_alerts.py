"""Alerts between two digests: a rule that changes today, a date of a deal's scheme that comes near; one line, once."""

from collections.abc import AsyncIterator
from datetime import date
from typing import Any

import pytest

from bot.digests.publishing import Undeliverable
from bot.digests.rules import rule_changes
from bot.store.database import Database
from bot.watches.changes import MOST_A_DAY, alert_entries, look, post, wake_due
from tests.integration.digest_desk import Desk, desk_at
from tests.integration.sandbox_rig import MARCHE, Rig, rigged

pytest_plugins = ("tests.contract.databases",)
CHANGE = "2027-01-01T09:00"
"""On that day the tax on empty homes becomes another one."""


@pytest.fixture
async def desk(database: Database) -> AsyncIterator[Desk]:
    async with rigged() as rig:
        yield await following(rig, database, alerts=True)


async def following(rig: Rig, database: Database, *, alerts: bool) -> Desk:
    desk = desk_at(rig, database, CHANGE)
    await desk.subscribe(schemes=("taxe-habitation-vacance",), alerts=alerts)
    return desk


async def day(desk: Desk) -> None:
    """One day's look of the clock, twice, and the jobs that it asks for, each once."""
    asked: dict[str, None] = {}
    for _ in range(2):
        await wake_due(desk.publishing.sources, lambda _c, _job, subject, _key: asked.setdefault(subject))
    for subject in asked:
        for step in (look, post, look, post):
            await step(desk.publishing, subject)


async def lines(desk: Desk) -> list[dict[str, Any]]:
    return [m for m in await desk.posts(MARCHE) if "Entre deux points" in m["text"]]


async def test_a_rule_that_changes_today_is_one_line_once(desk: Desk) -> None:
    await day(desk)
    told = await lines(desk)
    assert 1 <= len(told) <= MOST_A_DAY
    assert "TVLH" in str(told[0]["blocks"])
    assert "https://" in str(told[0]["blocks"])
    assert len({str(m["blocks"]) for m in told}) == len(told)
    await day(desk)
    assert len(await lines(desk)) == len(told)


async def test_off_by_default_and_never_before_eight(database: Database) -> None:
    async with rigged() as rig:
        quiet = await following(rig, database, alerts=False)
        await day(quiet)
        assert await lines(quiet) == []
        early = await following(rig, database, alerts=True)
        early.at = early.at.replace(hour=5)
        await day(early)
        assert await lines(early) == []


async def test_a_closed_channel_gets_none(desk: Desk) -> None:
    desk.rig.sandbox.world.workspace.channels[MARCHE].archived = True
    with pytest.raises(Undeliverable):
        await day(desk)


def test_what_is_to_come_is_told_for_schemes_of_open_deals_only() -> None:
    """A followed scheme's dates to come are the digest's; what was told is not told again."""
    today, scheme = date(2026, 12, 20), frozenset(("taxe-habitation-vacance",))
    changes = rule_changes(today, date(2027, 1, 20), followed=scheme)
    given = {"today": today, "told": frozenset[str]()}
    assert alert_entries(changes, followed=scheme, of_deals=frozenset(), **given) == []
    found = alert_entries(changes, followed=frozenset(), of_deals=scheme, **given)
    assert found
    assert all(entry.key.endswith(":ahead") for entry in found)
    told = frozenset(entry.key for entry in found)
    assert alert_entries(changes, followed=frozenset(), of_deals=scheme, today=today, told=told) == []
