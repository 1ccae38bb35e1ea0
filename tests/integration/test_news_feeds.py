"""How official feeds go: failing ones wait and are shown, each is read once when due, what has had its time goes."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.news.polling import retire_past
from bot.news.standing import standing
from bot.slack.blocks.sources import sources_view
from bot.store.database import Database
from tests.newsroom import NOW, Entry, Newsroom, dated, elsewhere, newsroom
from tests.web_server import response

pytest_plugins = ("tests.contract.databases",)

LOYERS = Entry("Indice de référence des loyers du trimestre", "L'indice augmente de 0,87 % sur un an.", "/a/irl")


@pytest.fixture
async def room(tmp_path: Path, database: Database) -> AsyncIterator[Newsroom]:
    async with newsroom(tmp_path, database, "anil", "insee") as ready:
        ready.show("anil", LOYERS)
        ready.show("insee")
        yield ready


async def test_a_feed_that_fails_waits_longer_each_time_and_stops_nobody(room: Newsroom) -> None:
    """Down, then HTML in its place, then well again."""
    room.web.answers["/insee"] = response(b"", status="503 Service Unavailable")
    await room.round()
    waits = []
    for _ in range(3):
        row = await room.feed("insee")
        waits.append(row["next_at"])
        room.web.answers["/insee"] = response(b"<html><title>Maintenance</title><p>Revenez plus tard.</p></html>")
        room.at = room.at.fromisoformat(row["next_at"])
        await room.round()
    assert [_minutes(one, other) for one, other in zip(waits, [*waits[1:]], strict=False)] == [120, 240]
    row = await room.feed("insee")
    assert (row["failures"], "flux" in row["reason"]) == (4, True)
    assert await room.titles() == [LOYERS.title]
    room.show("insee", Entry("Prix des logements anciens", "Ils montent de 0,3 %."))
    room.at = room.at.fromisoformat(row["next_at"])
    await room.round()
    row = await room.feed("insee")
    assert (row["failures"], row["reason"]) == (0, None)
    assert len(await room.rows()) == 2


def _minutes(earlier: str, later: str) -> int:
    return round((NOW.fromisoformat(later) - NOW.fromisoformat(earlier)).total_seconds() / 60)


async def test_people_see_how_each_feed_goes(room: Newsroom) -> None:
    """Those that fail first, with the reason and the next try; also before the first reading, and when switched off."""
    assert "pas encore lu" in (await standing(room.ingestion))[0]
    room.web.answers["/insee"] = response(b"<html><title>Maintenance</title><p>Revenez plus tard.</p></html>")
    await room.round()
    failing, well = await standing(room.ingestion)
    assert failing.startswith("Insee : en échec (1 essai sans succès), nouvel essai le 22/11 à 11 h 00.")
    assert "ni flux RSS ni flux Atom" in failing
    assert well == "Anil : 1 publication, lu le 22/11 à 10 h 00."
    view = sources_view(
        (), channel="C1", words="", total=0, built_in=54, removable=frozenset(), news=[failing] * 40 + ["<!channel>"]
    )
    (shown,) = [block for block in view["blocks"] if "Actualités officielles" in str(block)]
    assert len(shown["text"]["text"]) <= 3_000
    assert "<!channel>" not in str(view)
    (off,) = await standing(replace(room.ingestion, every=None))
    assert "NEWS_EVERY" in off


async def test_a_clock_that_looks_a_moment_early_does_not_put_a_feed_off(room: Newsroom) -> None:
    """It looks once a minute: else a feed that is due every minute would be read every other one."""
    await room.round()
    room.at += timedelta(minutes=30, milliseconds=-20)
    assert await room.tick() == 2
    assert await room.tick() == 0


async def test_two_clocks_wake_each_feed_once(room: Newsroom) -> None:
    other = Database(room.database.url)
    twin = elsewhere(room, other)
    try:
        claimed = await asyncio.gather(*(one.tick() for _ in range(4) for one in (room, twin)))
    finally:
        other.close()
    assert sum(claimed) == 2
    assert len([*room.enqueued, *twin.enqueued]) == 2


async def test_what_has_had_its_time_is_retired_and_comes_back_no_more(room: Newsroom) -> None:
    """Also while its feed still shows it."""
    await room.round()
    room.at += timedelta(days=91)
    assert await retire_past(room.ingestion) == 1
    assert await room.held() == []
    room.show("anil", LOYERS, Entry("Bail mobilité : un rappel", "Il dure dix mois au plus.", day=""))
    await room.round()
    assert len(await room.held()) == 1
    assert await room.titles("retired") == [LOYERS.title]


async def test_what_is_older_than_that_is_not_taken_in(room: Newsroom) -> None:
    room.show("anil", Entry(LOYERS.title, LOYERS.text, day=dated(date(2026, 1, 5))))
    await room.round()
    assert await room.held() == []
