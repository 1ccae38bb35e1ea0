"""Thread memory: what was said, what it was about, which deal the thread is tied to."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.ports import NOBODY, clicked_under
from bot.store import tables as t
from bot.store.inbox import SILENT
from bot.store.tables import Row
from pipeline.types import Turn

DM_MEMORY_MINUTES = 60
"""In a direct message a new root message still knows the last hour: there, the channel is the conversation."""


def knows(connection: sa.Connection, *, team_id: str, thread_key: str) -> bool:
    """Has the bot been addressed in this thread?"""
    query = sa.select(sa.literal(1)).where(t.thread.c.team_id == team_id, t.thread.c.thread_key == thread_key)
    return connection.execute(query).first() is not None


def has_addressed(
    connection: sa.Connection, *, team_id: str, thread_key: str, user_id: str, before: str | None = None
) -> bool:
    """Has this person spoken with the bot in this thread, and done so before that moment?"""
    query = sa.select(sa.literal(1)).where(
        t.answer.c.team_id == team_id, t.answer.c.thread_key == thread_key, t.answer.c.asked_by == user_id
    )
    if before is not None:
        query = query.where(t.answer.c.asked_at <= before)
    return connection.execute(query.limit(1)).first() is not None


def is_opened_by_us(connection: sa.Connection, *, team_id: str, thread_key: str) -> bool:
    """A digest's thread: what is asked there is asked of us."""
    return has_addressed(connection, team_id=team_id, thread_key=thread_key, user_id=NOBODY)


def history(connection: sa.Connection, row: Row, *, turns: int = 6) -> tuple[Turn, ...]:
    """The last `turns` turns before the answer `row`, oldest first; each exchange counts two."""
    query = (
        sa.select(t.answer)
        .where(t.answer.c.team_id == row["team_id"], _same_place(row), t.answer.c.answer_id != row["answer_id"])
        .where(t.answer.c.asked_at <= _seen_at(connection, row), t.answer.c.state != SILENT)
        .order_by(t.answer.c.asked_at.desc(), t.answer.c.answer_id.desc())
        .limit((turns + 1) // 2)
    )
    said: list[Turn] = []
    for earlier in reversed(connection.execute(query).mappings().all()):
        said.append(Turn(author="user", text=earlier["question"]))
        if earlier["text"]:
            said.append(
                Turn(
                    author="assistant",
                    text=earlier["text"],
                    communes=tuple(earlier["communes"] or ()),
                    schemes=tuple(earlier["schemes"] or ()),
                    query=earlier["query"] or "",
                    sources=tuple((c["id"], _source(c)) for c in (earlier["record"] or {}).get("citations", ())),
                )
            )
    return tuple(said[-turns:])


def memory(connection: sa.Connection, row: Row) -> Mapping[str, Any]:
    """What the thread was about when its last message before the answer `row` had been thought through; {} at first."""
    query = (
        sa.select(t.answer.c.memory)
        .where(t.answer.c.team_id == row["team_id"], _same_place(row), t.answer.c.answer_id != row["answer_id"])
        .where(t.answer.c.asked_at <= _seen_at(connection, row), t.answer.c.memory.is_not(None))
        .order_by(t.answer.c.asked_at.desc(), t.answer.c.answer_id.desc())
        .limit(1)
    )
    return dict(connection.execute(query).scalar() or {})


def _seen_at(connection: sa.Connection, row: Row) -> str:
    """As of when the thread is remembered: a button knows what stood in it when its own message was asked for, since
    it is about that one, whatever was said below."""
    under = clicked_under(row["answer_id"])
    if under is None:
        return str(row["asked_at"])
    query = sa.select(t.answer.c.asked_at).where(
        t.answer.c.team_id == row["team_id"], t.answer.c.channel == row["channel"], t.answer.c.placeholder_ts == under
    )
    return str(connection.execute(query).scalar() or row["asked_at"])


def _same_place(row: Row) -> sa.ColumnElement[bool]:
    """The thread; in a direct message also what was said there in the last hour."""
    thread: sa.ColumnElement[bool] = t.answer.c.thread_key == row["thread_key"]
    if row["channel_type"] != "im":
        return thread
    since = _minus_minutes(row["asked_at"], DM_MEMORY_MINUTES)
    recent = sa.and_(t.answer.c.channel == row["channel"], t.answer.c.asked_at >= since)
    return sa.or_(thread, recent)


def deal_of(connection: sa.Connection, *, team_id: str, thread_key: str) -> str | None:
    query = sa.select(t.thread.c.deal_id).where(t.thread.c.team_id == team_id, t.thread.c.thread_key == thread_key)
    return connection.execute(query).scalar()


def tie_to_deal(connection: sa.Connection, *, team_id: str, thread_key: str, deal_id: str) -> None:
    connection.execute(
        t.thread.update()
        .where(t.thread.c.team_id == team_id, t.thread.c.thread_key == thread_key)
        .values(deal_id=deal_id)
    )


def _source(citation: Mapping[str, Any]) -> str:
    return f"{citation['title']} - {citation['url']}".rstrip(" -")


def _minus_minutes(moment: str, minutes: int) -> str:
    return (datetime.fromisoformat(moment) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
