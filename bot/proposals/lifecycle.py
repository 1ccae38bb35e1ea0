"""What a proposal is, who may decide on it, and what its row holds. Its life: offered -> approved -> executing -> done
-> undoing -> undone; or rejected, expired, superseded by an edit, conflict, failed, unknown."""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa

from bot.ports import Visitor
from bot.rights import Refused, why_not
from bot.store import answers
from bot.store import proposals as store
from bot.store.inbox import utc_now
from bot.store.tables import Row
from pipeline.action_types import ProposedAction, Target
from pipeline.types import Answer


@dataclass(frozen=True, slots=True)
class Terms:
    """Who, besides the person who asked, may approve; for how long a proposal stands."""

    approvers: frozenset[str] = field(default_factory=frozenset)
    lifetime: timedelta = timedelta(hours=24)


Verdict = Literal["accepted", "unknown_card", "stranger", "not_allowed", "expired", "already", "changed", "same"]


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
            "origin": {"words": asked["question"], "sources": [list(source) for source in action.sources]},
            "expires_at": end_of(terms, now=now),
        }


def end_of(terms: Terms, *, now: datetime) -> str:
    """Until when a proposal that is made now may be approved."""
    return (now.astimezone(UTC) + terms.lifetime).isoformat(timespec="milliseconds")


def attempt(proposal_id: str, number: int) -> str:
    """The subject of one more job about a proposal: one that ended must not keep the next one from running."""
    return f"{proposal_id}~{number}"


def proposal_of(subject: str) -> str:
    """The proposal that a job is about."""
    return subject.partition("~")[0]


def look(connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor) -> Decision:
    """The proposal for a member of its team; for anybody else, why it is neither shown nor decided upon."""
    row = store.find(connection, proposal_id, team_id=team_id)
    if row is None:
        return Decision("unknown_card")
    return Decision("accepted" if by.belongs_to(row["team_id"]) else "stranger", row)


def entitled(
    connection: sa.Connection,
    proposal_id: str,
    *,
    team_id: str,
    by: Visitor,
    terms: Terms,
    states: Collection[str],
) -> Decision:
    """`accepted` where the proposal is in one of these states and this person may decide on it."""
    seen = look(connection, proposal_id, team_id=team_id, by=by)
    row = seen.row
    if seen.verdict != "accepted" or row is None:
        return seen
    if row["state"] not in states:
        return Decision("already", row)
    no = why_not_decide(connection, row, by=by, terms=terms)
    return Decision("accepted" if no is None else no, row)


def why_not_decide(connection: sa.Connection, row: Row, *, by: Visitor, terms: Terms) -> Refused | None:
    """Who asked decides, or an approver; any member where nobody asked."""
    place = {"team_id": row["team_id"], "channel": row["channel"]}
    return why_not(connection, **place, by=by, concerned=(row["requested_by"],), approvers=terms.approvers)


def refusal_of(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms
) -> Decision | None:
    """Why an offered proposal may not be decided upon now by this person; None where it may."""
    seen = entitled(connection, proposal_id, team_id=team_id, by=by, terms=terms, states=("offered",))
    row = seen.row
    if seen.verdict != "accepted" or row is None:
        return seen
    if row["expires_at"] <= utc_now():
        store.move(connection, proposal_id, old="offered", new="expired", actor="clock")
        return Decision("expired", store.find(connection, proposal_id))
    if payload_hash(row["action"]) != row["payload_hash"]:
        return Decision("changed", row)
    return None


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
