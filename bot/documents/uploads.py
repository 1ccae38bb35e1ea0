"""Life of a dropped file: offered -> adding -> ready | failed | unreadable | duplicate; refused, declined; removed."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from bot.ports import JobName, Visitor
from bot.slack.files import DroppedFile
from bot.store import audit, sources
from bot.store.inbox import Enqueue, Inbound, utc_now
from bot.store.tables import Row
from corpus.types import PUBLIC_AUDIENCE

PREFIX = "file:"
"""Of a file's source and document; ids without a colon belong to the built-in articles."""

Scope = Literal["here", "team", "again"]
Verdict = Literal["accepted", "unknown_card", "stranger", "not_allowed", "already"]


@dataclass(frozen=True, slots=True)
class Clicker:
    """Who clicked, in which team of ours; the person's own team may be another one in a shared channel."""

    visitor: Visitor
    team: str
    approvers: frozenset[str] = frozenset()

    @property
    def user_id(self) -> str:
        return self.visitor.user_id

    @property
    def is_member(self) -> bool:
        """Of the team whose sources these are: neither guest nor somebody of another company."""
        return self.visitor.belongs_to(self.team)


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a click: `accepted`, or why it changed nothing. `row` is the source as it stands."""

    verdict: Verdict
    row: Row | None = None


def offer(connection: sa.Connection, message: Inbound, files: Sequence[DroppedFile]) -> int:
    """A row for each file that has none yet; how many are new. Nothing is downloaded before a click."""
    where = {"team_id": message.team_id, "channel": message.channel, "message_ts": message.ts}
    known = {row["file_id"] for row in sources.of_message(connection, **where)}
    fresh = [(position, file) for position, file in enumerate(files) if file.file_id not in known]
    for position, file in fresh:
        sources.add(
            connection,
            PREFIX + secrets.token_urlsafe(18),
            **where,
            kind=file.kind,
            name=file.name,
            url=file.url,
            audience=here(message.channel),
            state="offered" if file.trouble is None else "refused",
            reason=file.trouble,
            added_by=message.user_id,
            position=position,
            file_id=file.file_id,
            size=file.size,
            channel_type=message.channel_type,
            thread_ts=message.thread_ts,
        )
    return len(fresh)


def take(connection: sa.Connection, source_id: str, *, scope: Scope, by: Clicker, enqueue: Enqueue) -> Decision:
    """offered -> adding, and the job that reads the file, in the caller's one transaction. `again`: failed -> adding,
    for whom it was meant the first time."""
    before = "failed" if scope == "again" else "offered"
    refused = _refusal(connection, source_id, by, state=before)
    if refused.row is None or refused.verdict != "accepted":
        return refused
    audiences = {"team": PUBLIC_AUDIENCE, "here": here(refused.row["channel"]), "again": refused.row["audience"]}
    moved = sources.move(
        connection,
        source_id,
        team_id=by.team,
        expected=(before,),
        to="adding",
        actor=by.user_id,
        audience=audiences[scope],
        reason=None,
        decided_by=by.user_id,
        decided_at=utc_now(),
    )
    if moved:
        enqueue(connection, JobName.ADD_FILE, _attempt(connection, source_id, by, "adding"), f"source:{source_id}")
    return _after(connection, source_id, by, moved=moved)


def again(connection: sa.Connection, row: Row, *, enqueue: Enqueue) -> None:
    """ready -> adding: the index lost what the file said, and nobody has to click for that."""
    source_id, team_id = row["source_id"], row["team_id"]
    if sources.move(connection, source_id, team_id=team_id, expected=("ready",), to="adding", actor="clock"):
        number = audit.count(connection, team_id=team_id, event="source_adding", subject=source_id)
        enqueue(connection, JobName.ADD_FILE, f"{subject_of(team_id, source_id)}~{number}", f"source:{source_id}")


def decline(connection: sa.Connection, source_id: str, *, by: Clicker) -> Decision:
    """offered -> declined: the file is never read."""
    refused = _refusal(connection, source_id, by, state="offered")
    if refused.verdict != "accepted":
        return refused
    moved = _move(connection, source_id, by, "offered", "declined", decided_by=by.user_id, decided_at=utc_now())
    return _after(connection, source_id, by, moved=moved)


def remove(connection: sa.Connection, source_id: str, *, by: Clicker, enqueue: Enqueue) -> Decision:
    """ready -> removing, and the job that takes its passages out of the index."""
    refused = _refusal(connection, source_id, by, state="ready")
    if refused.verdict != "accepted":
        return refused
    moved = _move(connection, source_id, by, "ready", "removing", removed_by=by.user_id, removed_at=utc_now())
    if moved:
        enqueue(connection, JobName.REMOVE_FILE, _attempt(connection, source_id, by, "removing"), f"source:{source_id}")
    return _after(connection, source_id, by, moved=moved)


def may_decide(row: Row, by: Clicker) -> bool:
    """Who dropped it, who added it, or an approver; always of the source's own team."""
    if not by.visitor.belongs_to(row["team_id"]):
        return False
    return by.user_id in {row["added_by"], row["decided_by"]} or by.user_id in by.approvers


def here(channel: str) -> str:
    """The audience of one conversation."""
    return f"channel:{channel}"


def audiences_of(channel: str) -> tuple[str, str]:
    """What may be seen from a conversation: the team's and its own."""
    return PUBLIC_AUDIENCE, here(channel)


def subject_of(team_id: str, source_id: str) -> str:
    """A job's one argument."""
    return f"{team_id}/{source_id}"


def named_by(subject: str) -> tuple[str, str]:
    """(team id, source id) of a job's argument, whichever attempt it is."""
    team_id, _, rest = subject.partition("/")
    return team_id, rest.partition("~")[0]


def _attempt(connection: sa.Connection, source_id: str, by: Clicker, state: str) -> str:
    """Each attempt is a job of its own: one that failed must not keep the next one from running."""
    number = audit.count(connection, team_id=by.team, event=f"source_{state}", subject=source_id)
    return f"{subject_of(by.team, source_id)}~{number}"


def _move(connection: sa.Connection, source_id: str, by: Clicker, expected: str, to: str, **values: str) -> bool:
    """One step of the file's life, with who took it; False where somebody was faster."""
    return sources.move(connection, source_id, team_id=by.team, expected=(expected,), to=to, actor=by.user_id, **values)


def _refusal(connection: sa.Connection, source_id: str, by: Clicker, *, state: str) -> Decision:
    row = sources.find(connection, source_id, team_id=by.team)
    if row is None:
        return Decision("unknown_card")
    if not by.visitor.belongs_to(row["team_id"]):
        return Decision("stranger", row)
    if not may_decide(row, by):
        return Decision("not_allowed", row)
    return Decision("accepted" if row["state"] == state else "already", row)


def _after(connection: sa.Connection, source_id: str, by: Clicker, *, moved: bool) -> Decision:
    return Decision("accepted" if moved else "already", sources.find(connection, source_id, team_id=by.team))
