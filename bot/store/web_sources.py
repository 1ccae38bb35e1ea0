"""Addresses that are read again: the rows of `source` that a page, a feed or an article of Wikipedia has."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from bot.store import sources
from bot.store import tables as t
from bot.store.tables import Row

KINDS: Final = ("page", "feed", "wikipedia")
REMEMBERED: Final = ("ready", "failed")
"""`failed`: its page is gone for now, its documents are out; it is looked for again."""


def remembered(connection: sa.Connection, *, team_id: str | None = None) -> list[Row]:
    """Every address that is read again, oldest first; of all teams without a team."""
    return _rows(connection, *(() if team_id is None else (t.source.c.team_id == team_id,)))


def due(connection: sa.Connection, *, since: str) -> list[Row]:
    """Those that nobody has looked at since the moment (UTC, ISO)."""
    return _rows(connection, sa.or_(t.source.c.checked_at.is_(None), t.source.c.checked_at < since))


def known(connection: sa.Connection, source_ids: Sequence[str], *, team_id: str) -> Row | None:
    """The first of these that is remembered."""
    return next(
        iter(_rows(connection, t.source.c.team_id == team_id, t.source.c.source_id.in_(tuple(source_ids)))), None
    )


def remember(
    connection: sa.Connection, source_id: str, *, again: bool, team_id: str, who: dict[str, str], **values: Any
) -> bool:
    """Its content as just read; `again`: it was remembered when the reading began. False where it was removed since."""
    if again:
        return sources.move(connection, source_id, team_id=team_id, expected=REMEMBERED, to="ready", **values)
    sources.add(connection, source_id, team_id=team_id, state="adding", **who, **values)
    # It may have been there before, and removed; or another process was quicker by a moment.
    expected = ("adding", "removed", "declined", *REMEMBERED)
    actor = who["added_by"]
    return sources.move(
        connection, source_id, team_id=team_id, expected=expected, to="ready", actor=actor, **who, **values
    )


def _rows(connection: sa.Connection, *where: sa.ColumnElement[bool]) -> list[Row]:
    query = (
        sa.select(t.source)
        .where(t.source.c.kind.in_(KINDS), t.source.c.state.in_(REMEMBERED), *where)
        .order_by(t.source.c.added_at, t.source.c.source_id)
    )
    return [dict(row) for row in connection.execute(query).mappings()]
