"""Lines between two digests: off by default, once each, at a decent hour, and never a deal where others read."""

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from bot.digests.alerts import post_alert, wake_alerts
from bot.store.database import Database
from pipeline.crm_types import Deal, DealList, DealSearch
from pipeline.ports import CrmReader
from tests.integration.digest_desk import Crash, CrashingDatabase, Desk, OneDeal, desk_at, elsewhere
from tests.integration.sandbox_rig import MARCHE, Rig, rigged

pytest_plugins = ("tests.contract.databases",)
VACANCY, JEANBRUN = "taxe-habitation-vacance", "relance-logement"


class JeanbrunDeal(OneDeal):
    """The open deal is about a scheme with a deadline at the end of 2026."""

    async def deals(self, wanted: DealSearch) -> DealList:
        deal = Deal("9003", "Benali - Jeanbrun à Toulon", url="https://crm.example/9003")
        return DealList((deal,), 1)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
def desk(rig: Rig, database: Database) -> Desk:
    return desk_at(rig, database, "2026-12-01T10:00", crm=cast(CrmReader, JeanbrunDeal()))


async def look(desk: Desk) -> list[str]:
    """The alerts' clock looks; the jobs that it enqueues."""
    found: list[str] = []
    await wake_alerts(desk.publishing.sources, lambda _c, _job, subject, _partition: found.append(subject))
    return found


async def told(desk: Desk, *, channel: str = MARCHE) -> list[str]:
    """Looks, posts, and reads the channel."""
    for subject in await look(desk):
        await post_alert(desk.publishing, subject)
    return [m["text"] for m in await desk.posts(channel)]


async def test_they_are_off_by_default(desk: Desk) -> None:
    await desk.subscribe(schemes=(JEANBRUN, VACANCY))
    assert await told(desk) == []


async def test_a_rule_is_told_on_its_day_once(desk: Desk) -> None:
    await desk.subscribe(schemes=(VACANCY,), alerts=True, alert_days=1)
    assert await told(desk) == []
    desk.at = desk.at.replace(year=2027, month=1, day=2)
    first = await told(desk)
    assert first
    assert all("Alerte" in text for text in first)
    assert any("TVLH" in text for text in first)
    assert await told(desk) == first


async def test_a_deadline_of_a_deals_scheme_is_told_within_the_notice(desk: Desk) -> None:
    """Thirty days before, not forty; with the deal's name."""
    await desk.subscribe(schemes=(JEANBRUN,), alerts=True, alert_days=20)
    assert await told(desk) == []
    desk.at = desk.at.replace(day=15)
    posts = await told(desk)
    assert posts
    assert all("Jusqu'au 31/12/2026" in text for text in posts)
    assert all("Benali - Jeanbrun" in text for text in posts)
    assert await told(desk) == posts


async def test_a_shared_channel_hears_of_no_deal(desk: Desk) -> None:
    await desk.subscribe("C0VAUBAN", schemes=(JEANBRUN,), alerts=True, alert_days=60, shared_allowed=True)
    assert await told(desk, channel="C0VAUBAN") == []


async def test_a_channel_that_became_shared_meanwhile_hears_of_no_deal(desk: Desk) -> None:
    await desk.subscribe(schemes=(JEANBRUN,), alerts=True, alert_days=60)
    subjects = await look(desk)
    workspace = desk.rig.sandbox.world.workspace
    workspace.channels[MARCHE].shared_with = workspace.channels["C0VAUBAN"].shared_with
    desk_now: Any = desk
    for subject in subjects:
        with pytest.raises(Exception, match="partagé"):
            await post_alert(desk_now.publishing, subject)
    assert await desk.posts() == []


async def test_nobody_is_woken_at_night(desk: Desk) -> None:
    await desk.subscribe(schemes=(JEANBRUN,), alerts=True, alert_days=60)
    desk.at = desk.at.replace(hour=2)
    assert await look(desk) == []
    desk.at = desk.at.replace(hour=9)
    assert await look(desk)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("write", [1, 2])
async def test_a_death_at_any_write_leaves_one_line(desk: Desk, write: int, after: bool) -> None:
    await desk.subscribe(schemes=(JEANBRUN,), alerts=True, alert_days=60)
    subject = (await look(desk))[0]
    mortal = CrashingDatabase(desk.database.url)
    mortal.at, mortal.after = write, after
    try:
        with pytest.raises(Crash):
            await post_alert(elsewhere(desk, mortal).publishing, subject)
    finally:
        mortal.close()
    await post_alert(desk.publishing, subject)
    assert len(await desk.posts()) == 1
