"""Lines between two digests: found -> posting -> posted; or cancelled, failed. Each is found once."""

from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row

Key = tuple[str, str, str]
"""(team, channel, alert)."""


def find(connection: sa.Connection, key: Key) -> Row | None:
    row = connection.execute(sa.select(t.alert).where(*_key(key))).mappings().first()
    return None if row is None else dict(row)


def claim(connection: sa.Connection, key: Key, *, content: dict[str, Any], at: str) -> bool:
    """True for the one who finds it first."""
    team_id, channel, alert_id = key
    values = {"team_id": team_id, "channel": channel, "alert_id": alert_id}
    return insert_once(connection, t.alert, **values, content=content, state="found", found_at=at)


def move(connection: sa.Connection, key: Key, *, old: tuple[str, ...], new: str, **values: Any) -> bool:
    """Compare-and-set: False where it was in none of the states `old`."""
    changed = connection.execute(
        t.alert.update().where(*_key(key), t.alert.c.state.in_(old)).values(state=new, **values)
    )
    return changed.rowcount == 1


def _key(key: Key) -> tuple[sa.ColumnElement[bool], ...]:
    columns = (t.alert.c.team_id, t.alert.c.channel, t.alert.c.alert_id)
    return tuple(column == value for column, value in zip(columns, key, strict=True))
