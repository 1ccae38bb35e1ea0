"""Sources that people added to the corpus: offered -> adding -> ready | failed; declined; removed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import utc_now
from bot.store.tables import Row


def find(connection: sa.Connection, source_id: str, *, team_id: str) -> Row | None:
    query = sa.select(t.source).where(t.source.c.team_id == team_id, t.source.c.source_id == source_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def add(connection: sa.Connection, source_id: str, *, team_id: str, **values: Any) -> bool:
    """False, and nothing changes, where the team already has it. `values` are the table's other columns."""
    if find(connection, source_id, team_id=team_id) is not None:
        return False
    row = {"team_id": team_id, "source_id": source_id, "added_at": utc_now(), **values}
    connection.execute(t.source.insert().values(**row))
    return True


def move(
    connection: sa.Connection, source_id: str, *, team_id: str, expected: Sequence[str], to: str, **values: Any
) -> bool:
    """Compare-and-set of the state; False where it was none of `expected`."""
    changed = connection.execute(
        t.source.update()
        .where(
            t.source.c.team_id == team_id,
            t.source.c.source_id == source_id,
            t.source.c.state.in_(tuple(expected)),
        )
        .values(state=to, **values)
    )
    return changed.rowcount == 1


def listed(connection: sa.Connection, *, team_id: str, audiences: Sequence[str]) -> list[Row]:
    """What is in the corpus for these audiences, newest first."""
    query = (
        sa.select(t.source)
        .where(
            t.source.c.team_id == team_id,
            t.source.c.state == "ready",
            t.source.c.audience.in_(tuple(audiences)),
        )
        .order_by(t.source.c.added_at.desc())
    )
    return [dict(row) for row in connection.execute(query).mappings()]
