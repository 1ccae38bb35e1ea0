"""What a click makes of a proposal: approved, rejected and why, undone, or found out about. Each in one transaction."""

from typing import Any

import sqlalchemy as sa

from bot.ports import JobName, Visitor
from bot.proposals.lifecycle import Decision, Terms, attempt, entitled, refusal_of
from bot.store import audit
from bot.store import proposals as store
from bot.store.inbox import Enqueue, utc_now


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
    refused = refusal_of(connection, proposal_id, team_id=team_id, by=by, terms=terms)
    if refused is not None:
        return refused
    if not _decide(connection, proposal_id, new="approved", user_id=by.user_id, name=name):
        return Decision("already", store.find(connection, proposal_id))
    enqueue(connection, JobName.PERFORM, proposal_id, proposal_id)
    return Decision("accepted", store.find(connection, proposal_id))


def reject(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, name: str, terms: Terms
) -> Decision:
    refused = refusal_of(connection, proposal_id, team_id=team_id, by=by, terms=terms)
    if refused is not None:
        return refused
    moved = _decide(connection, proposal_id, new="rejected", user_id=by.user_id, name=name)
    return Decision("accepted" if moved else "already", store.find(connection, proposal_id))


def may_explain(connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms) -> Decision:
    """`accepted` where this person may say why it was rejected."""
    return entitled(connection, proposal_id, team_id=team_id, by=by, terms=terms, states=("rejected",))


def explain(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms, reason: str
) -> Decision:
    """Why it was rejected, said afterwards; the last word counts."""
    seen = may_explain(connection, proposal_id, team_id=team_id, by=by, terms=terms)
    if seen.verdict != "accepted":
        return seen
    kept = {"event": "reason_given", "actor": by.user_id, "reason": reason}
    store.move(connection, proposal_id, old="rejected", new="rejected", **kept)
    return Decision("accepted", store.find(connection, proposal_id))


def undo(
    connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms, enqueue: Enqueue
) -> Decision:
    """done -> undoing, by who may decide; the inverse write runs as a job."""
    seen = entitled(connection, proposal_id, team_id=team_id, by=by, terms=terms, states=("done",))
    if seen.verdict != "accepted":
        return seen
    who = {"actor": by.user_id, "undone_by": by.user_id, "undone_at": utc_now()}
    if not store.move(connection, proposal_id, old="done", new="undoing", **who):
        return Decision("already", store.find(connection, proposal_id))
    tried = audit.count(connection, team_id=team_id, event="undoing", subject=proposal_id)
    enqueue(connection, JobName.UNDO, attempt(proposal_id, tried), proposal_id)
    return Decision("accepted", store.find(connection, proposal_id))


def resolve(
    connection: sa.Connection,
    proposal_id: str,
    *,
    team_id: str,
    by: Visitor,
    name: str,
    terms: Terms,
    enqueue: Enqueue,
    seen_there: bool,
) -> Decision:
    """A person looked in the CRM for a write of unknown outcome. There: unknown -> done, and a job finds its link. Not
    there: unknown -> approved by this person, and a job looks once more before it writes."""
    seen = entitled(connection, proposal_id, team_id=team_id, by=by, terms=terms, states=("unknown",))
    if seen.verdict != "accepted":
        return seen
    who: dict[str, Any] = {"actor": by.user_id, "resolved_by": by.user_id, "reason": None}
    if seen_there:
        moved = store.move(connection, proposal_id, old="unknown", new="done", event="seen_in_crm", **who)
    else:
        who |= {"decided_by": by.user_id, "decided_by_name": name, "decided_at": utc_now()}
        moved = store.move(connection, proposal_id, old="unknown", new="approved", event="not_in_crm", **who)
    if not moved:
        return Decision("already", store.find(connection, proposal_id))
    tried = audit.count(connection, team_id=team_id, event="unknown", subject=proposal_id)
    enqueue(connection, JobName.PERFORM, attempt(proposal_id, tried), proposal_id)
    return Decision("accepted", store.find(connection, proposal_id))


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
