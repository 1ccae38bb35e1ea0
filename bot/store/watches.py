"""The questions that channels watch; every change leaves an audit row that says by whom."""

from typing import Any

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row


def add(
    connection: sa.Connection, watch_id: str, *, team_id: str, channel: str, question: str, by: str, moment: str
) -> bool:
    """Due at once; False where this very one exists."""
    values = {"question": question, "state": "active", "created_by": by, "created_at": moment, "next_at": moment}
    if not insert_once(connection, t.watch, team_id=team_id, watch_id=watch_id, channel=channel, **values):
        return False
    audit.record(connection, team_id=team_id, actor=by, event="watch_set", subject=watch_id, question=question)
    return True


def find(connection: sa.Connection, watch_id: str, *, team_id: str) -> Row | None:
    """None where the team has no such watch."""
    query = sa.select(t.watch).where(t.watch.c.team_id == team_id, t.watch.c.watch_id == watch_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def of_channel(connection: sa.Connection, *, team_id: str, channel: str) -> list[Row]:
    """Those that are active, oldest first: their places in this list are how people name them."""
    return _active(connection, t.watch.c.team_id == team_id, t.watch.c.channel == channel)


def set_by(connection: sa.Connection, *, team_id: str, person: str) -> list[Row]:
    """Those that this person asked for, oldest first."""
    return _active(connection, t.watch.c.team_id == team_id, t.watch.c.created_by == person)


def due(connection: sa.Connection, *, now: str) -> list[Row]:
    """Of all teams."""
    return _active(connection, t.watch.c.next_at <= now)


def claim(connection: sa.Connection, row: Row, *, next_at: str) -> bool:
    """True for the clock that wakes it this time."""
    changed = connection.execute(
        t.watch.update().where(*_key(row), t.watch.c.next_at == row["next_at"]).values(next_at=next_at)
    )
    return changed.rowcount == 1


def looked(connection: sa.Connection, row: Row, *, at: str) -> None:
    """A look that found out what there is."""
    connection.execute(t.watch.update().where(*_key(row)).values(checked_at=at, reason=None))


def failed(connection: sa.Connection, row: Row, *, reason: str) -> None:
    """A look that found nothing out: what stood there then is not known."""
    connection.execute(t.watch.update().where(*_key(row)).values(reason=reason))


def stop(connection: sa.Connection, row: Row, *, by: str, reason: str = "") -> bool:
    """False where it was stopped before."""
    active = t.watch.c.state == "active"
    changed = connection.execute(t.watch.update().where(*_key(row), active).values(state="stopped"))
    if changed.rowcount != 1:
        return False
    detail: dict[str, Any] = {"reason": reason} if reason else {}
    audit.record(connection, team_id=row["team_id"], actor=by, event="watch_stopped", subject=row["watch_id"], **detail)
    return True


def _active(connection: sa.Connection, *where: sa.ColumnElement[bool]) -> list[Row]:
    query = sa.select(t.watch).where(t.watch.c.state == "active", *where)
    ordered = query.order_by(t.watch.c.created_at, t.watch.c.watch_id)
    return [dict(row) for row in connection.execute(ordered).mappings()]


def _key(row: Row) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return t.watch.c.team_id == row["team_id"], t.watch.c.watch_id == row["watch_id"]
