"""What was found between two digests, a row each: known (there before anybody watched), found -> posting -> posted."""

from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row


def add(connection: sa.Connection, alert_id: str, *, team_id: str, channel: str, **values: Any) -> bool:
    """False where it was found before. `values` are the table's other columns."""
    return insert_once(connection, t.alert, team_id=team_id, channel=channel, alert_id=alert_id, **values)


def of_watch(connection: sa.Connection, watch_id: str, *, team_id: str) -> list[Row]:
    """Everything that the watch has found, oldest first."""
    own = t.alert.c.alert_id.startswith(f"{watch_id}:", autoescape=True)
    query = sa.select(t.alert).where(t.alert.c.team_id == team_id, own).order_by(t.alert.c.found_at, t.alert.c.alert_id)
    return [dict(row) for row in connection.execute(query).mappings()]


def move(connection: sa.Connection, row: Row, *, old: tuple[str, ...], new: str, **values: Any) -> bool:
    """Compare-and-set: False where it was in none of the states `old`."""
    changed = connection.execute(
        t.alert.update()
        .where(
            t.alert.c.team_id == row["team_id"],
            t.alert.c.channel == row["channel"],
            t.alert.c.alert_id == row["alert_id"],
            t.alert.c.state.in_(old),
        )
        .values(state=new, **values)
    )
    return changed.rowcount == 1
