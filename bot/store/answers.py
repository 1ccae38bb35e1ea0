"""The life of an answer: new -> posting -> placed -> thought -> published | failed_shown, and its full record."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from bot.ports import PROGRAM_PLACE, AnswerId, Visitor
from bot.store import tables as t
from bot.store.inbox import utc_now
from bot.store.tables import Row

OWED = ("new", "posting", "placed", "thought")
UNPLACED = ("new", "posting")
UNTHOUGHT = ("new", "posting", "placed")


def find(connection: sa.Connection, answer_id: AnswerId) -> Row | None:
    row = connection.execute(sa.select(t.answer).where(t.answer.c.answer_id == answer_id)).mappings().first()
    return None if row is None else dict(row)


def get(connection: sa.Connection, answer_id: AnswerId) -> Row:
    """Raises `sqlalchemy.exc.NoResultFound` for an unknown id."""
    return dict(connection.execute(sa.select(t.answer).where(t.answer.c.answer_id == answer_id)).mappings().one())


def posted_as(connection: sa.Connection, *, team_id: str, channel: str, ts: str) -> Row | None:
    """The answer that stands in this message of ours."""
    query = sa.select(t.answer).where(
        t.answer.c.team_id == team_id, t.answer.c.channel == channel, t.answer.c.placeholder_ts == ts
    )
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def last_of(connection: sa.Connection, *, team_id: str, channel: str, limit: int) -> list[Row]:
    """The newest published answers of a channel or direct conversation, newest first."""
    query = (
        sa.select(t.answer)
        .where(t.answer.c.team_id == team_id, t.answer.c.channel == channel, t.answer.c.state == "published")
        .order_by(t.answer.c.asked_at.desc(), t.answer.c.answer_id.desc())
        .limit(limit)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def threads_of(connection: sa.Connection, *, team_id: str, person: str, limit: int) -> list[Row]:
    """The threads in which this person asked last, newest first: the last question of each."""
    newest = (
        sa.select(t.answer.c.thread_key, sa.func.max(t.answer.c.asked_at).label("asked_at"))
        .where(t.answer.c.team_id == team_id, t.answer.c.asked_by == person, t.answer.c.state == "published")
        .group_by(t.answer.c.thread_key)
        .order_by(sa.desc("asked_at"))
        .limit(limit)
        .subquery()
    )
    query = (
        sa.select(
            t.answer.c.thread_key,
            t.answer.c.channel,
            t.answer.c.thread_ts,
            t.answer.c.question,
            t.answer.c.asked_at,
        )
        .join(newest, (t.answer.c.thread_key == newest.c.thread_key) & (t.answer.c.asked_at == newest.c.asked_at))
        .where(t.answer.c.team_id == team_id, t.answer.c.asked_by == person)
        .order_by(newest.c.asked_at.desc())
    )
    found = {row["thread_key"]: dict(row) for row in connection.execute(query).mappings()}
    return list(found.values())[:limit]


def records_since(connection: sa.Connection, *, team_id: str, person: str, since: str) -> list[Row]:
    """`asked_at` and `record` of what this person was answered since then, oldest first; a hundred at most."""
    query = (
        sa.select(t.answer.c.asked_at, t.answer.c.record)
        .where(t.answer.c.team_id == team_id, t.answer.c.asked_by == person, t.answer.c.asked_at >= since)
        .order_by(t.answer.c.asked_at.desc())
        .limit(100)
    )
    return [dict(row) for row in reversed(connection.execute(query).mappings().all())]


def unplaced_in_thread(connection: sa.Connection, *, team_id: str, thread_key: str) -> list[AnswerId]:
    """Those without a sign of life yet, in no order."""
    query = sa.select(t.answer.c.answer_id).where(
        t.answer.c.team_id == team_id, t.answer.c.thread_key == thread_key, t.answer.c.state.in_(UNPLACED)
    )
    return list(connection.execute(query).scalars())


def received_at(connection: sa.Connection, answer_id: AnswerId) -> str | None:
    """When the message reached us."""
    query = sa.select(t.inbound_event.c.received_at).where(
        t.inbound_event.c.answer_id == answer_id, t.inbound_event.c.kind == "message"
    )
    return connection.execute(query).scalar()


def visitor_of(row: Row) -> Visitor:
    """Who asked, as known when the message came in."""
    return Visitor(
        kind=row["visitor"] or "unknown",
        user_id=row["asked_by"],
        team_id=row["visitor_team"] or "",
        shared_channel=row["shared_channel"] is not False,
    )


def is_shared(connection: sa.Connection, *, team_id: str, channel: str) -> bool:
    """Whether another company was seen to read that channel."""
    query = sa.select(sa.literal(1)).where(
        t.answer.c.team_id == team_id, t.answer.c.channel == channel, t.answer.c.shared_channel.is_(True)
    )
    return connection.execute(query.limit(1)).first() is not None


def about_to_post(connection: sa.Connection, answer_id: AnswerId) -> None:
    """Committed before the call to Slack, so that a crash after it leads to a search, not to a second post."""
    _update(connection, answer_id, state="posting", posting_at=utc_now())


def not_posted(connection: sa.Connection, answer_id: AnswerId) -> None:
    """Slack said that it did not take it: there is nothing to look for."""
    _update(connection, answer_id, state="new")


def placed(connection: sa.Connection, answer_id: AnswerId, *, ts: str, streamed: bool = False) -> float | None:
    """Seconds since the message reached us, where that is known. `streamed`: the message was begun as one that grows,
    and has to be closed."""
    _update(connection, answer_id, state="placed", placeholder_ts=ts, stream="open" if streamed else None)
    return _waited(connection, answer_id)


def grown(connection: sa.Connection, answer_id: AnswerId) -> None:
    """Committed before the first call that appends something: who comes after a crash appends nothing more."""
    _update(connection, answer_id, stream="grown")


def being_made(connection: sa.Connection, *, team_id: str, channel: str, thread_ts: str) -> list[AnswerId]:
    """Those of a thread that stand there and are not written yet."""
    query = sa.select(t.answer.c.answer_id).where(
        t.answer.c.team_id == team_id,
        t.answer.c.thread_key == f"{channel}:{thread_ts}",
        t.answer.c.state == "placed",
    )
    return [AnswerId(found) for found in connection.execute(query).scalars()]


def thought(connection: sa.Connection, answer_id: AnswerId, **record: Any) -> bool:
    """Compare-and-set: False where something was remembered before, by who stopped it or by an earlier attempt."""
    a = t.answer.c
    statement = t.answer.update().where(a.answer_id == answer_id, a.state.in_(UNTHOUGHT))
    changed = connection.execute(statement.values(state="thought", answered_at=utc_now(), **record))
    return changed.rowcount == 1


def is_thought(connection: sa.Connection, answer_id: AnswerId) -> bool:
    """Whether what will be published stands."""
    query = sa.select(t.answer.c.state).where(t.answer.c.answer_id == answer_id)
    return connection.execute(query).scalar() not in UNTHOUGHT


def shown(connection: sa.Connection, answer_id: AnswerId, *, failed: bool = False) -> float | None:
    """Seconds since the message reached us, where that is known."""
    _update(connection, answer_id, state="failed_shown" if failed else "published")
    return _waited(connection, answer_id)


def _waited(connection: sa.Connection, answer_id: AnswerId) -> float | None:
    received = received_at(connection, answer_id)
    if received is None:
        return None
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(received)).total_seconds())


def give_up_programs(connection: sa.Connection) -> None:
    """Answers that programs were owed by a process that ended: nobody awaits them any more."""
    owed = (t.answer.c.channel_type == PROGRAM_PLACE, t.answer.c.state.in_(OWED))
    connection.execute(t.answer.update().where(*owed).values(state="failed_shown"))


def about_to_chart(connection: sa.Connection, answer_id: AnswerId) -> bool:
    """Committed before the upload; True when an earlier attempt had got as far, so that its chart is looked for."""
    record = get(connection, answer_id)["record"] or {}
    _update(connection, answer_id, record={**record, "charting": True})
    return bool(record.get("charting"))


def sheet_asked(connection: sa.Connection, answer_id: AnswerId) -> int | None:
    """The number of this request for the answer's sheet; None where one is on its way or there."""
    record = get(connection, answer_id)["record"] or {}
    asked = record.get("sheet") or {"number": 0, "failed": True}
    if not asked["failed"]:
        return None
    number = int(asked["number"]) + 1
    _update(connection, answer_id, record={**record, "sheet": {"number": number, "failed": False}})
    return number


def sheet_failed(connection: sa.Connection, answer_id: AnswerId) -> None:
    """It may be asked for again."""
    record = get(connection, answer_id)["record"] or {}
    _update(connection, answer_id, record={**record, "sheet": {**record["sheet"], "failed": True}})


def _update(connection: sa.Connection, answer_id: AnswerId, **values: Any) -> None:
    connection.execute(t.answer.update().where(t.answer.c.answer_id == answer_id).values(**values))
