"""What concerns one person: what waits for them, what they asked, what they follow, and how it goes with us."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import sqlalchemy as sa
import structlog

from bot.conversations.budgets import Budgets
from bot.documents.listing import count
from bot.news.polling import NewsIngestion
from bot.news.standing import standing
from bot.slack.blocks.home import Desk
from bot.slack.delivery import Slack, SlackRefused, SlackUnavailable, Workspaces, permalink
from bot.store import answers, proposals, spending, subscriptions, watches
from bot.store.database import Database
from bot.store.tables import Row
from corpus.errors import CorpusError
from corpus.ports import PassageIndex

log = structlog.get_logger()
PARIS: Final = ZoneInfo("Europe/Paris")
MOST_PROPOSALS, MOST_THREADS, MOST_FOLLOWED = 5, 5, 8
LINKS_SECONDS, INDEX_SECONDS = 2.0, 1.0
"""How long the page waits for Slack's links and for the index before it does without."""
RECENTLY: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Room:
    """What a desk is gathered from. `known`: sentences on parts that are off for good, which are no troubles."""

    database: Database
    slack: Workspaces
    index: PassageIndex
    news: NewsIngestion | None
    budgets: Budgets
    known: Sequence[str]


async def desk_of(room: Room, *, team_id: str, person: str) -> Desk:
    """One person's, as it stands now; a neighbour that does not answer in time leaves its own part out."""
    now = datetime.now(UTC)
    rows = await room.database.read(lambda c: _rows(c, team_id=team_id, person=person, now=now))
    slack = room.slack.of(team_id)
    owed, asked = await asyncio.gather(_linked(slack, rows["proposals"]), _linked(slack, rows["threads"]))
    return Desk(
        proposals=owed,
        threads=asked,
        digests=rows["digests"],
        watches=rows["watches"],
        files=await count(room.database, team_id=team_id),
        feeds=await standing(room.news) if room.news else (),
        troubles=_troubles(rows["answers"], known=room.known),
        index_up=await _answers(room.index),
        mine=rows["mine"],
        team=rows["team"],
        mine_limit=room.budgets.person,
        team_limit=room.budgets.day,
    )


def _rows(connection: sa.Connection, *, team_id: str, person: str, now: datetime) -> Mapping[str, Any]:
    who = {"team_id": team_id, "person": person}
    first = now.astimezone(PARIS).date().replace(day=1)
    return {
        "proposals": proposals.waiting_for(connection, **who, now=now.isoformat(), limit=MOST_PROPOSALS),
        "threads": answers.threads_of(connection, **who, limit=MOST_THREADS),
        "digests": subscriptions.set_by(connection, **who)[:MOST_FOLLOWED],
        "watches": watches.set_by(connection, **who)[:MOST_FOLLOWED],
        "answers": answers.records_since(connection, **who, since=(now - RECENTLY).isoformat()),
        "mine": spending.since(connection, team_id=team_id, day=first, person=person),
        "team": spending.since(connection, team_id=team_id, day=first),
    }


async def _linked(slack: Slack, rows: Sequence[Row]) -> list[Row]:
    async def link(row: Row) -> str:
        return await permalink(slack, row["channel"], row.get("card_ts") or row["thread_ts"])

    try:
        async with asyncio.timeout(LINKS_SECONDS):
            links = await asyncio.gather(*(link(row) for row in rows))
    except (SlackRefused, SlackUnavailable, TimeoutError) as error:
        log.info("home_without_links", error=repr(error))
        links = [""] * len(rows)
    return [{**row, "link": address} for row, address in zip(rows, links, strict=True)]


async def _answers(index: PassageIndex) -> bool:
    try:
        async with asyncio.timeout(INDEX_SECONDS):
            await index.ping()
    except (CorpusError, TimeoutError):
        return False
    return True


def _troubles(rows: Sequence[Row], *, known: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Each said once, with the last time, newest first. `rows` are oldest first."""
    seen: dict[str, str] = {}
    for row in rows:
        for sentence in (row["record"] or {}).get("degraded") or ():
            if sentence not in known:
                seen.pop(sentence, None)
                seen[sentence] = row["asked_at"]
    return tuple(reversed(seen.items()))[:MOST_FOLLOWED]
