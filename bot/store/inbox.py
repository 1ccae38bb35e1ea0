"""Messages as they came in: claimed once, committed together with the job that will answer them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bot.ports import AnswerId, JobName, Visitor
from bot.store import tables as t

ClaimKind = Literal["message", "files"]
SLACK_TS = re.compile(r"\d{10}\.\d{6}")
SILENT = "silent"
"""State of an answer that nobody asked for: a message that only presents its files."""

Enqueue = Callable[[sa.Connection, JobName, str, str], None]
"""(connection, workflow name, id, partition key): joins the caller's transaction."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """One addressed message. `thread_ts` is the thread's root, the message itself when it starts one. `visitor`: who
    wrote it; None where nobody looked, which is trusted with nothing."""

    team_id: str
    event_id: str
    channel: str
    channel_type: str
    ts: str
    thread_ts: str
    user_id: str
    text: str
    deal_id: str | None = None
    visitor: Visitor | None = None

    @property
    def answer_id(self) -> AnswerId:
        return AnswerId(f"msg:{self.team_id}:{self.channel}:{self.ts}")

    @property
    def thread_key(self) -> str:
        return f"{self.channel}:{self.thread_ts}"


def asked_at(ts: str) -> str:
    """When a message was written, by its Slack `ts`: what was asked before stands before, however late it came in.
    Now, where its key is no such time (a choice that was clicked)."""
    if not SLACK_TS.fullmatch(ts):
        return utc_now()
    seconds, _, micro = ts.partition(".")
    moment = datetime.fromtimestamp(int(seconds), UTC).replace(microsecond=int(micro))
    return moment.isoformat(timespec="microseconds")


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def insert_once(connection: sa.Connection, table: sa.Table, **values: object) -> bool:
    """True when the row is new; False when any of its unique keys exists already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**values).on_conflict_do_nothing().returning(sa.literal(1))
    return connection.execute(statement).first() is not None


def accept(connection: sa.Connection, message: Inbound, *, enqueue: Enqueue, silently: bool = False) -> bool:
    """Claim the message and enqueue its sign of life, and with it its reply, in the caller's transaction; False when
    it was claimed before.

    `silently`: nothing is asked, so nothing is answered; that this person addressed us here is remembered all the same.
    """
    if not claim(connection, message):
        return False
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
            asked_at=asked_at(message.ts),
            state=SILENT if silently else "new",
            visitor=message.visitor.kind if message.visitor else None,
            visitor_team=message.visitor.team_id if message.visitor else None,
            shared_channel=message.visitor.shared_channel if message.visitor else None,
        )
    )
    if not silently:
        enqueue(connection, JobName.SIGN, message.answer_id, sign_partition(message.team_id, message.channel))
    return True


def sign_partition(team_id: str, channel: str) -> str:
    """Signs of life go one after the other in a channel, which takes a message a second, and side by side otherwise."""
    return f"{team_id}:{channel}"


def claim(connection: sa.Connection, message: Inbound, *, kind: ClaimKind = "message") -> bool:
    """True for the first caller, who also makes the thread ours.

    Slack sends a mention twice (`message` and `app_mention`, different event ids) and redelivers freely:
    the unique key on (team, channel, ts, kind) lets one of them through. `files`: its files were looked at, which only
    the `message` event carries.
    """
    first = insert_once(
        connection,
        t.inbound_event,
        team_id=message.team_id,
        event_id=message.event_id if kind == "message" else f"{kind}:{message.event_id}"[:64],
        channel=message.channel,
        ts=message.ts,
        kind=kind,
        answer_id=message.answer_id,
        received_at=utc_now(),
    )
    if first:
        insert_once(
            connection,
            t.thread,
            team_id=message.team_id,
            thread_key=message.thread_key,
            channel=message.channel,
            thread_ts=message.thread_ts,
            created_at=utc_now(),
        )
    return first


def is_claimed(connection: sa.Connection, message: Inbound, *, kind: ClaimKind) -> bool:
    """Whether somebody was first already."""
    query = sa.select(sa.literal(1)).where(
        t.inbound_event.c.team_id == message.team_id,
        t.inbound_event.c.channel == message.channel,
        t.inbound_event.c.ts == message.ts,
        t.inbound_event.c.kind == kind,
    )
    return connection.execute(query).first() is not None
