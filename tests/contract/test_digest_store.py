"""Subscriptions, digests and snapshots on SQLite and PostgreSQL: one a week, and who changed what."""

import asyncio
from typing import Any

import sqlalchemy as sa

from bot.digests.subscriptions import Wanted
from bot.store import digests, snapshots, subscriptions
from bot.store import tables as t
from bot.store.database import Database

pytest_plugins = ("tests.contract.databases",)

KEY = ("T1", "C1", 2026, 48)
SLOT = "2026-11-23T07:00:00.000+00:00"
NOON = "2026-11-20T12:00:00.000+00:00"
LATER = "2026-11-21T12:00:00.000+00:00"


async def _subscribe(database: Database, *, moment: str = NOON, by: str = "U1", **wanted: Any) -> None:
    columns = Wanted(communes=("83137",), **wanted).columns()
    await database.write(lambda c: subscriptions.put(c, team_id="T1", channel="C1", by=by, moment=moment, **columns))


async def _find(database: Database) -> dict[str, Any]:
    row = await database.read(lambda c: subscriptions.find(c, team_id="T1", channel="C1"))
    assert row is not None
    return row


async def test_one_digest_a_channel_and_week_whoever_claims_it(database: Database) -> None:
    claims = await asyncio.gather(*(database.write(lambda c: digests.claim(c, KEY, slot=SLOT)) for _ in range(8)))
    assert claims.count(True) == 1
    assert await database.write(lambda c: digests.claim(c, ("T2", *KEY[1:]), slot=SLOT)), "another team's is its own"


async def test_a_state_changes_for_one_caller_only(database: Database) -> None:
    await database.write(lambda c: digests.claim(c, KEY, slot=SLOT))
    moved = await asyncio.gather(
        *(database.write(lambda c: digests.move(c, KEY, old=("due",), new="built", content={})) for _ in range(4))
    )
    assert moved.count(True) == 1


async def test_other_tastes_do_not_take_away_a_slot_but_another_time_does(database: Database) -> None:
    """`active_since` says from when on slots are owed."""
    await _subscribe(database)
    await _subscribe(database, moment=LATER, schemes=("pinel",))
    assert (await _find(database))["active_since"] == NOON
    await _subscribe(database, moment=LATER, weekday=5)
    assert (await _find(database))["active_since"] == LATER


async def test_who_changed_what_is_recorded(database: Database) -> None:
    await _subscribe(database)
    for to, by in (("paused", "U2"), ("active", "U3"), ("stopped", "U1")):
        assert await database.write(
            lambda c, to=to, by=by: subscriptions.move(c, team_id="T1", channel="C1", to=to, by=by, moment=LATER)
        )
    assert not await database.write(
        lambda c: subscriptions.move(c, team_id="T1", channel="C1", to="stopped", by="U1", moment=LATER)
    )
    rows = await database.read(lambda c: c.execute(sa.select(t.audit.c.actor, t.audit.c.event)).all())
    assert [tuple(row) for row in rows] == [
        ("U1", "digest_set"), ("U2", "digest_paused"), ("U3", "digest_active"), ("U1", "digest_stopped"),
    ]  # fmt: skip
    assert await database.read(subscriptions.active) == []


async def test_the_first_snapshot_of_a_week_stands_and_earlier_weeks_are_found(database: Database) -> None:
    """Across the turn of the year: week 53 comes before week 1."""
    for week, value in (((2026, 53), 1), ((2026, 53), 2), ((2027, 1), 3)):
        await database.write(
            lambda c, w=week, v=value: snapshots.keep(
                c, team_id="T1", insee="83137", week=w, findings={"v": v}, at=NOON
            )
        )

    def known(week: tuple[int, int], team: str = "T1") -> Any:
        return database.read(lambda c: snapshots.known(c, team_id=team, communes=("83137",), week=week))

    assert (await known((2026, 53)))["83137"]["findings"] == {"v": 1}
    assert (await known((2027, 2)))["83137"]["findings"] == {"v": 3}
    assert await known((2026, 52)) == {}
    assert await known((2027, 2), team="T2") == {}
    told = await database.read(lambda c: snapshots.history(c, team_id="T1", insee="83137"))
    assert [row["findings"]["v"] for row in told] == [1, 3]
