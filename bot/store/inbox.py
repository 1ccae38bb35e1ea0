"""Messages as they came in: claimed once, committed together with the job that will answer them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bot.store import tables as t

Enqueue = Callable[[sa.Connection, str, str, str], None]
"""(connection, workflow name, id, partition key): joins the caller's transaction."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """One addressed message. `thread_ts` is the thread's root, the message itself when it starts one."""

    team_id: str
    event_id: str
    channel: str
    channel_type: str
    ts: str
    thread_ts: str
    user_id: str
    text: str
    deal_id: str | None = None

    @property
    def answer_id(self) -> str:
        return f"msg:{self.team_id}:{self.channel}:{self.ts}"

    @property
    def thread_key(self) -> str:
        return f"{self.channel}:{self.thread_ts}"


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def insert_once(connection: sa.Connection, table: sa.Table, **values: object) -> bool:
    """True when the row is new; False when any of its unique keys exists already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**values).on_conflict_do_nothing().returning(sa.literal(1))
    return connection.execute(statement).first() is not None


def accept(connection: sa.Connection, message: Inbound, *, enqueue: Enqueue) -> bool:
    """Claim the message and enqueue its reply in the caller's transaction; False when it was claimed before.

    Slack sends a mention twice (`message` and `app_mention`, different event ids) and redelivers freely:
    the unique key on (team, channel, ts, kind) lets one of them through.
    """
    claimed = insert_once(
        connection,
        t.inbound_event,
        team_id=message.team_id,
        event_id=message.event_id,
        channel=message.channel,
        ts=message.ts,
        kind="message",
        answer_id=message.answer_id,
        received_at=utc_now(),
    )
    if not claimed:
        return False
    insert_once(
        connection,
        t.thread,
        team_id=message.team_id,
        thread_key=message.thread_key,
        channel=message.channel,
        thread_ts=message.thread_ts,
        created_at=utc_now(),
    )
    connection.execute(
        t.answer.insert().values(
            answer_id=message.answer_id,
            team_id=message.team_id,
            thread_key=message.thread_key,
            channel=message.channel,
            channel_type=message.channel_type,
            thread_ts=message.thread_ts,
            asked_by=message.user_id,
            question=message.text,
            asked_at=utc_now(),
            state="new",
        )
    )
    enqueue(connection, "reply", message.answer_id, f"{message.team_id}:{message.thread_key}")
    return True
