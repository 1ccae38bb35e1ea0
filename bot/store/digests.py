"""Digests, one a channel and ISO week: due -> built -> posting -> posted | skipped_late; or cancelled,
failed."""

from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row

Key = tuple[str, str, int, int]
"""(team, channel, ISO year, ISO week)."""


def claim(connection: sa.Connection, key: Key, *, slot: str) -> bool:
    """True for the one who makes this week's row: any number of clocks may try."""
    team_id, channel, year, week = key
    return insert_once(
        connection, t.digest, team_id=team_id, channel=channel, iso_year=year, iso_week=week, slot=slot, state="due"
    )


def find(connection: sa.Connection, key: Key) -> Row | None:
    row = connection.execute(sa.select(t.digest).where(*_key(key))).mappings().first()
    return None if row is None else dict(row)


def get(connection: sa.Connection, key: Key) -> Row:
    """Raises `sqlalchemy.exc.NoResultFound` for a week that nobody claimed."""
    return dict(connection.execute(sa.select(t.digest).where(*_key(key))).mappings().one())


def move(connection: sa.Connection, key: Key, *, old: tuple[str, ...], new: str, **values: Any) -> bool:
    """Compare-and-set: False where it was in none of the states `old`."""
    changed = connection.execute(
        t.digest.update().where(*_key(key), t.digest.c.state.in_(old)).values(state=new, **values)
    )
    return changed.rowcount == 1


def posted(connection: sa.Connection, *, team_id: str, channel: str, before: str, limit: int = 8) -> list[Row]:
    """Those that people saw whose slot is earlier than that moment (UTC, ISO), the latest first."""
    query = (
        sa.select(t.digest)
        .where(
            t.digest.c.team_id == team_id,
            t.digest.c.channel == channel,
            t.digest.c.state == "posted",
            t.digest.c.slot < before,
        )
        .order_by(t.digest.c.slot.desc())
        .limit(limit)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def _key(key: Key) -> tuple[sa.ColumnElement[bool], ...]:
    return tuple(
        column == value
        for column, value in zip(
            (t.digest.c.team_id, t.digest.c.channel, t.digest.c.iso_year, t.digest.c.iso_week), key, strict=True
        )
    )
