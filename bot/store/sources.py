"""Sources that people added to the corpus: offered -> adding -> ready | failed | duplicate; declined; removed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import utc_now
from bot.store.tables import Row
from corpus.types import PUBLIC_AUDIENCE


def find(connection: sa.Connection, source_id: str, *, team_id: str) -> Row | None:
    """None when the team has no such source: another team's is as good as none."""
    query = sa.select(t.source).where(t.source.c.team_id == team_id, t.source.c.source_id == source_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def get(connection: sa.Connection, source_id: str, *, team_id: str) -> Row:
    """Raises `LookupError` for an unknown source."""
    row = find(connection, source_id, team_id=team_id)
    if row is None:
        raise LookupError(f"source {source_id[:12]} does not exist")
    return row


def add(connection: sa.Connection, source_id: str, *, team_id: str, **values: Any) -> bool:
    """False, and nothing changes, where the team already has it. `values` are the table's other columns."""
    if find(connection, source_id, team_id=team_id) is not None:
        return False
    row = {"team_id": team_id, "source_id": source_id, "added_at": utc_now(), **values}
    connection.execute(t.source.insert().values(**row))
    return True


def change(connection: sa.Connection, source_id: str, *, team_id: str, **values: Any) -> None:
    """Columns that say nothing of its state: where its card stands."""
    where = (t.source.c.team_id == team_id, t.source.c.source_id == source_id)
    connection.execute(t.source.update().where(*where).values(**values))


def move(
    connection: sa.Connection,
    source_id: str,
    *,
    team_id: str,
    expected: Sequence[str],
    to: str,
    actor: str | None = None,
    **values: Any,
) -> bool:
    """Compare-and-set of the state; False where it was none of `expected`. With an actor, an audit row beside it."""
    changed = connection.execute(
        t.source.update()
        .where(
            t.source.c.team_id == team_id,
            t.source.c.source_id == source_id,
            t.source.c.state.in_(tuple(expected)),
        )
        .values(state=to, **values)
    )
    if changed.rowcount != 1:
        return False
    if actor is not None:
        audit.record(
            connection, team_id=team_id, actor=actor, event=f"source_{to}", subject=source_id, **_traced(values)
        )
    return True


def _traced(values: dict[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in ("audience", "passages", "digest", "reason") if values.get(name) is not None}


def ready(connection: sa.Connection) -> list[Row]:
    """Every source of every team that the index should hold something of, oldest first."""
    query = sa.select(t.source).where(t.source.c.state == "ready", t.source.c.passages > 0)
    return [dict(row) for row in connection.execute(query.order_by(t.source.c.added_at)).mappings()]


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


def claim_content(connection: sa.Connection, row: Row, digest: str) -> Row | None:
    """Note what the source holds; or the other one that has this very content, or is about to, for who may see this."""
    query = sa.select(t.source).where(
        t.source.c.team_id == row["team_id"],
        t.source.c.digest == digest,
        t.source.c.source_id != row["source_id"],
        t.source.c.state.in_(("adding", "ready")),
        t.source.c.audience.in_((PUBLIC_AUDIENCE, row["audience"])),
    )
    other = connection.execute(query.order_by(t.source.c.added_at)).mappings().first()
    if other is not None:
        return dict(other)
    change(connection, row["source_id"], team_id=row["team_id"], digest=digest)
    return None


def of_thread(connection: sa.Connection, *, team_id: str, channel: str, thread_ts: str) -> tuple[str, ...]:
    """Ids of what is in the corpus and was added in this thread, newest first."""
    query = (
        sa.select(t.source.c.source_id)
        .where(
            t.source.c.team_id == team_id,
            t.source.c.channel == channel,
            t.source.c.thread_ts == thread_ts,
            t.source.c.state == "ready",
        )
        .order_by(t.source.c.added_at.desc())
    )
    return tuple(connection.execute(query).scalars())


def of_message(connection: sa.Connection, *, team_id: str, channel: str, message_ts: str) -> list[Row]:
    """The files of one message, in its order."""
    query = (
        sa.select(t.source)
        .where(t.source.c.team_id == team_id, t.source.c.channel == channel, t.source.c.message_ts == message_ts)
        .order_by(t.source.c.position)
    )
    return [dict(row) for row in connection.execute(query).mappings()]
