"""One digest a channel and ISO week: change days, week 53, clocks that jump, stop and run twice, workers that die."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.store.database import Database
from tests.integration.digest_desk import Crash, CrashingDatabase, Desk, desk_at, elsewhere
from tests.integration.sandbox_rig import Rig, rigged

pytest_plugins = ("tests.contract.databases",)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.mark.parametrize(
    ("begun", "clock", "ticks", "weeks"),
    [
        ("2026-11-22T12:00", {"weekday": 1, "at": "08:00"}, 24, ["2026-W48"]),
        ("2026-10-24T12:00", {"weekday": 7, "at": "03:00"}, 48, ["2026-W43"]),
        ("2026-10-24T12:00", {"weekday": 7, "at": "01:30"}, 48, ["2026-W43"]),
        ("2026-03-28T12:00", {"weekday": 7, "at": "03:00"}, 48, ["2026-W13"]),
        ("2026-12-27T12:00", {"weekday": 1, "at": "08:00"}, 24 * 9, ["2026-W53", "2027-W01"]),
        ("2026-12-31T12:00", {"weekday": 7, "at": "23:59"}, 24 * 4, ["2026-W53"]),
    ],
    ids=["monday", "autumn", "autumn-night", "spring", "week-53", "last-minute"],
)
async def test_a_calendar_gives_each_week_one_digest(
    rig: Rig, database: Database, begun: str, clock: dict[str, object], ticks: int, weeks: list[str]
) -> None:
    """Hour after hour; each look twice."""
    desk = desk_at(rig, database, begun)
    await desk.subscribe(**clock)
    for _ in range(ticks):
        await desk.pass_time(hours=1)
        await desk.pass_time(seconds=0)
    assert await desk.states() == dict.fromkeys(weeks, "posted")
    assert len(await desk.posts()) == len(weeks)


async def monday(rig: Rig, database: Database) -> Desk:
    """The evening before a slot, with a scheme that has no date to come."""
    desk = desk_at(rig, database, "2026-11-22T20:00")
    await desk.subscribe(schemes=("scellier",))
    return desk


async def test_a_clock_that_jumps_a_week_ahead_and_back(rig: Rig, database: Database) -> None:
    """The weeks that it saw have one each; when the true time comes to them, they are there."""
    desk = await monday(rig, database)
    await desk.pass_time(days=1)
    await desk.pass_time(days=7)
    await desk.pass_time(days=-7)
    await desk.pass_time(days=7, hours=2)
    assert await desk.states() == {"2026-W48": "posted", "2026-W49": "posted"}
    assert len(await desk.posts()) == 2


async def test_a_clock_that_jumps_a_week_back(rig: Rig, database: Database) -> None:
    """No digest for a week from before the subscription, none twice."""
    desk = await monday(rig, database)
    await desk.pass_time(days=1)
    await desk.pass_time(days=-7)
    await desk.pass_time(days=7)
    assert await desk.states() == {"2026-W48": "posted"}
    assert len(await desk.posts()) == 1


async def test_a_clock_that_wavers_around_the_slot(rig: Rig, database: Database) -> None:
    desk = await monday(rig, database)
    await desk.pass_time(hours=11)
    for hours in (1, -1, 1, -1, 1):
        await desk.pass_time(hours=hours)
    assert len(await desk.posts()) == 1


async def test_down_over_the_slot_it_comes_when_we_are_back(rig: Rig, database: Database) -> None:
    desk = await monday(rig, database)
    await desk.pass_time(hours=11 + 20)
    assert await desk.states() == {"2026-W48": "posted"}
    assert len(await desk.posts()) == 1


async def test_down_for_more_than_a_day_it_is_skipped_and_said_once(rig: Rig, database: Database) -> None:
    desk = await monday(rig, database)
    await desk.pass_time(days=2)
    await desk.pass_time(hours=1)
    assert await desk.states() == {"2026-W48": "skipped_late"}
    posts = await desk.posts()
    assert len(posts) == 1
    assert "il est sauté" in posts[0]["text"]


async def test_down_for_three_weeks_the_last_one_only_is_said(rig: Rig, database: Database) -> None:
    """Then the next one compares with the last that people saw."""
    desk = await monday(rig, database)
    await desk.pass_time(days=1)
    await desk.pass_time(days=18)
    await desk.pass_time(days=3)
    assert await desk.states() == {"2026-W48": "posted", "2026-W50": "skipped_late", "2026-W51": "posted"}
    assert "depuis le point du 23/11/2026" in (await desk.posts())[-1]["text"]


async def test_two_clocks_at_once(rig: Rig, database: Database) -> None:
    """Eight looks in the same second from two processes claim one row and enqueue one job."""
    desk = await monday(rig, database)
    other = Database(database.url)
    desk.at = desk.at.replace(day=23, hour=8)
    twin = elsewhere(desk, other)
    try:
        claimed = await asyncio.gather(*(one.tick() for _ in range(4) for one in (desk, twin)))
    finally:
        other.close()
    assert sum(claimed) == 1
    assert len([*desk.enqueued, *twin.enqueued]) == 1


async def test_a_worker_that_is_dead_over_the_slot(rig: Rig, database: Database) -> None:
    """The clock claimed the week; the job waits for a worker, and knows by itself when it is too late."""
    desk = await monday(rig, database)
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    await desk.pass_time(hours=3)
    assert await desk.states() == {"2026-W48": "posted"}
    desk.at = desk.at.replace(day=30, hour=8)
    await desk.tick()
    await desk.pass_time(hours=30)
    assert (await desk.states())["2026-W49"] == "skipped_late"
    assert len(await desk.posts()) == 2


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("write", range(1, 7))
async def test_a_death_at_any_write_leaves_one_digest(rig: Rig, database: Database, write: int, after: bool) -> None:
    """Before and after each commit of the job, so also between Slack's yes and our note of it: one message, one card,
    one chart and its table, once another process goes on."""
    desk = await monday(rig, database)
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    (subject,) = desk.enqueued
    mortal = CrashingDatabase(database.url)
    mortal.at, mortal.after = write, after
    died = False
    try:
        await elsewhere(desk, mortal).job(subject)
    except Crash:
        died = True
    finally:
        mortal.close()
    assert died or mortal.seen < write
    await desk.work()
    (posted,) = await desk.posts()
    replies = await desk.replies(posted["ts"])
    assert len([m for m in replies if m.get("files")]) == 1
    assert len([m for m in replies if m["text"].startswith("Les chiffres de l'image")]) == 1
    assert len([m for m in replies if "Proposition HubSpot" in m["text"]]) == 1
    assert await desk.states() == {"2026-W48": "posted"}


async def test_a_job_writes_less_often_than_the_deaths_that_are_tried(rig: Rig, database: Database) -> None:
    """Otherwise some write of it would not have been tried."""
    desk = await monday(rig, database)
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    counting = CrashingDatabase(database.url)
    try:
        await elsewhere(desk, counting).job(desk.enqueued[0])
    finally:
        counting.close()
    assert 0 < counting.seen < 7
