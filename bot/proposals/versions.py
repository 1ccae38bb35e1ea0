"""An edited proposal: the next version, with an id and a hash of its own; the one before it is dead and kept."""

import secrets
from datetime import datetime

import sqlalchemy as sa

from bot.ports import Visitor
from bot.proposals.lifecycle import (
    Decision,
    Terms,
    action_to_json,
    end_of,
    entitled,
    payload_hash,
    refusal_of,
)
from bot.store import proposals as store
from pipeline.action_types import ProposedAction

EDITABLE = ("offered", "conflict", "failed")
"""Nothing of it was written; a conflict and a failure are edited into something that can be."""
KEPT = ("team_id", "answer_id", "position", "channel", "thread_ts", "requested_by", "origin", "card_ts", "batch_ts")


def may_edit(connection: sa.Connection, proposal_id: str, *, team_id: str, by: Visitor, terms: Terms) -> Decision:
    """`accepted` where this person may make another version of it now."""
    seen = entitled(connection, proposal_id, team_id=team_id, by=by, terms=terms, states=EDITABLE)
    if seen.verdict != "accepted" or seen.row is None or seen.row["state"] != "offered":
        return seen
    return refusal_of(connection, proposal_id, team_id=team_id, by=by, terms=terms) or seen


def revise(
    connection: sa.Connection,
    proposal_id: str,
    *,
    team_id: str,
    by: Visitor,
    terms: Terms,
    action: ProposedAction,
    now: datetime,
) -> Decision:
    """Compare-and-set to `superseded`, and the next version beside it, offered on the same card. `row` is that one."""
    seen = may_edit(connection, proposal_id, team_id=team_id, by=by, terms=terms)
    row = seen.row
    if seen.verdict != "accepted" or row is None:
        return seen
    stored, next_id = action_to_json(action), secrets.token_urlsafe(24)
    if stored == row["action"]:
        return Decision("same", row)
    moved = store.move(
        connection, proposal_id, old=row["state"], new="superseded", actor=by.user_id, superseded_by=next_id
    )
    if not moved:
        return Decision("already", store.find(connection, proposal_id))
    store.offer(
        connection,
        **{name: row[name] for name in KEPT},
        proposal_id=next_id,
        version=row["version"] + 1,
        edited_by=by.user_id,
        action=stored,
        payload_hash=payload_hash(stored),
        expires_at=end_of(terms, now=now),
    )
    return Decision("accepted", store.find(connection, next_id))
