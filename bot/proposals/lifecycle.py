"""Life of a CRM proposal: offered -> approved -> executing -> done | failed | unknown; or rejected, expired, undone."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa

from bot.ports import JobName, Visitor
from bot.rights import Refused, why_not
from bot.store import answers, audit
from bot.store import proposals as store
from bot.store.inbox import Enqueue, utc_now
from bot.store.tables import Row
from pipeline.action_types import ProposedAction, Target
from pipeline.types import Answer


@dataclass(frozen=True, slots=True)
class Terms:
    """Who, besides the person who asked, may approve; for how long a proposal stands."""

    approvers: frozenset[str] = field(default_factory=frozenset)
    lifetime: timedelta = timedelta(hours=24)


Verdict = Literal["accepted", "unknown_card", "stranger", "not_allowed", "expired", "already", "changed"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a click: `accepted`, or why it changed nothing. `row` is the proposal as it stood."""

    verdict: Verdict
    row: Row | None = None


def rows_for(answer: Answer, asked: Row, *, terms: Terms, now: datetime) -> Iterator[dict[str, Any]]:
    """None for who may not write, whatever the answer holds."""
    return rows_of(answer.actions if answers.visitor_of(asked).trusted else (), asked, terms=terms, now=now)


def rows_of(
    actions: tuple[ProposedAction, ...], asked: Mapping[str, Any], *, terms: Terms, now: datetime
) -> Iterator[dict[str, Any]]:
    """One row an action; the id is random and opaque, the hash covers exactly what will be shown and executed."""
    for position, action in enumerate(actions):
        stored = action_to_json(action)
        yield {
            "proposal_id": secrets.token_urlsafe(24),
            "team_id": asked["team_id"],
            "answer_id": asked["answer_id"],
            "position": position,
            "channel": asked["channel"],
            "thread_ts": asked["thread_ts"],
            "requested_by": asked["asked_by"],
            "action": stored,
            "payload_hash": payload_hash(stored),
            "expires_at": (now.astimezone(UTC) + terms.lifetime).isoformat(timespec="milliseconds"),
        }


def approve(
    connection: sa.Connection,
    proposal_id: str,
    *,
    team_id: str,
    by: Visitor,
    name: str,
    terms: Terms,
    enqueue: Enqueue,
) -> Decision:
    """Compare-and-set to `approved` and enqueue the write, in the caller's one transaction."""
    refused = _refusal(connection, proposal_id, team_id=team_id, by=by, terms=terms)
    if refused is not None:
        return refused
    if not _decide(connection, proposal_id, new="approved", user_id=by.user_id, name=name):
        return Decision("already", store.find(connection, proposal_id))
    enqueue(connection, JobName.PERFORM, proposal_id, proposal_id)
    return Decision("accepted", store.find(connection, proposal_id))


def reject(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, name: str, terms: Terms
) -> Decision:
    refused = _refusal(connection, proposal_id, team_id=team_id, by=by, terms=terms)
    if refused is not None:
        return refused
    moved = _decide(connection, proposal_id, new="rejected", user_id=by.user_id, name=name)
    return Decision("accepted" if moved else "already", store.find(connection, proposal_id))


def undo(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms, enqueue: Enqueue
) -> Decision:
    """done -> undoing, by who may decide; the inverse write runs as a job."""
    seen = look(connection, proposal_id, team_id=team_id, by=by)
    row = seen.row
    if seen.verdict != "accepted" or row is None:
        return seen
    if (no := _why_not(connection, row, by=by, terms=terms)) is not None:
        return Decision(no, row)
    if not store.move(connection, proposal_id, old="done", new="undoing", actor=by.user_id):
        return Decision("already", row)
    # Each attempt is a job of its own: one that failed must not keep the next one from running.
    attempt = audit.count(connection, team_id=team_id, event="undoing", subject=proposal_id)
    enqueue(connection, JobName.UNDO, f"{proposal_id}~{attempt}", proposal_id)
    return Decision("accepted", store.find(connection, proposal_id))


def undone_by(subject: str) -> str:
    """The proposal that a job is about: an undo's subject carries the number of the attempt behind it."""
    return subject.partition("~")[0]


def look(connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor) -> Decision:
    """The proposal for a member of its team; for anybody else, why it is neither shown nor decided upon."""
    row = store.find(connection, proposal_id, team_id=team_id)
    if row is None:
        return Decision("unknown_card")
    return Decision("accepted" if by.belongs_to(row["team_id"]) else "stranger", row)


def _why_not(connection: sa.Connection, row: Row, *, by: Visitor, terms: Terms) -> Refused | None:
    """Who asked decides, or an approver; any member where nobody asked."""
    place = {"team_id": row["team_id"], "channel": row["channel"]}
    return why_not(connection, **place, by=by, concerned=(row["requested_by"],), approvers=terms.approvers)


def _refusal(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms
) -> Decision | None:
    seen = look(connection, proposal_id, team_id=team_id, by=by)
    row = seen.row
    if seen.verdict != "accepted" or row is None:
        return seen
    if row["state"] != "offered":
        return Decision("already", row)
    if (no := _why_not(connection, row, by=by, terms=terms)) is not None:
        return Decision(no, row)
    if row["expires_at"] <= utc_now():
        store.move(connection, proposal_id, old="offered", new="expired", actor="clock")
        return Decision("expired", store.find(connection, proposal_id))
    if payload_hash(row["action"]) != row["payload_hash"]:
        return Decision("changed", row)
    return None


def _decide(connection: sa.Connection, proposal_id: str, *, new: str, user_id: str, name: str) -> bool:
    return store.move(
        connection,
        proposal_id,
        old="offered",
        new=new,
        actor=user_id,
        decided_by=user_id,
        decided_by_name=name,
        decided_at=utc_now(),
    )


def action_to_json(action: ProposedAction) -> dict[str, Any]:
    return {
        "kind": action.kind,
        "target": asdict(action.target),
        "fields": dict(action.fields),
        "summary": action.summary,
        "base": dict(action.base),
    }


def action_from_json(stored: Mapping[str, Any]) -> ProposedAction:
    return ProposedAction(
        kind=stored["kind"],
        target=Target(**stored["target"]),
        fields=stored["fields"],
        summary=stored["summary"],
        base=stored["base"],
    )


def payload_hash(stored: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(stored, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
