"""The life of a proposal in SQL: every change is a compare-and-set with an audit row beside it."""

from typing import Any

import sqlalchemy as sa

from bot.ports import AnswerId
from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import insert_once, utc_now
from bot.store.tables import Row


def offer(connection: sa.Connection, **values: Any) -> bool:
    """False when this answer's proposal at this position exists already (a repeated step)."""
    if not insert_once(connection, t.proposal, state="offered", offered_at=utc_now(), **values):
        return False
    shown = {"payload_hash": values["payload_hash"], "version": values.get("version", 1)}
    actor = values.get("edited_by") or values["requested_by"]
    _audit(connection, values["team_id"], actor, "offered", values["proposal_id"], **shown)
    return True


def find(connection: sa.Connection, proposal_id: str, *, team_id: str | None = None) -> Row | None:
    """None when there is no such proposal in the team: a card of another team is as good as none."""
    query = sa.select(t.proposal).where(t.proposal.c.proposal_id == proposal_id)
    if team_id is not None:
        query = query.where(t.proposal.c.team_id == team_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def newest(connection: sa.Connection, proposal_id: str) -> Row | None:
    """The version that stands in the place of this one: itself, unless somebody edited it."""
    row = find(connection, proposal_id)
    while row is not None and row["superseded_by"]:
        row = find(connection, row["superseded_by"])
    return row


def of_answer(connection: sa.Connection, answer_id: AnswerId) -> list[Row]:
    """Each in its newest version."""
    query = sa.select(t.proposal).where(t.proposal.c.answer_id == answer_id, t.proposal.c.superseded_by.is_(None))
    query = query.order_by(t.proposal.c.position)
    return [dict(row) for row in connection.execute(query).mappings()]


def counted(connection: sa.Connection) -> dict[str, int]:
    """How many are in each state."""
    found = connection.execute(sa.select(t.proposal.c.state, sa.func.count()).group_by(t.proposal.c.state))
    return {str(state): int(count) for state, count in found}


def waiting_for(connection: sa.Connection, *, team_id: str, person: str, now: str, limit: int) -> list[Row]:
    """What this person asked for and nobody has decided yet, newest first."""
    p = t.proposal.c
    query = (
        sa.select(t.proposal)
        .where(p.team_id == team_id, p.requested_by == person, p.state == "offered", p.expires_at > now)
        .where(p.superseded_by.is_(None))
        .order_by(p.offered_at.desc())
        .limit(limit)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def carded(connection: sa.Connection, proposal_id: str, *, card_ts: str) -> None:
    connection.execute(t.proposal.update().where(t.proposal.c.proposal_id == proposal_id).values(card_ts=card_ts))


def named(connection: sa.Connection, proposal_id: str, *, name: str) -> None:
    connection.execute(
        t.proposal.update().where(t.proposal.c.proposal_id == proposal_id).values(decided_by_name=name[:128])
    )


def batched(connection: sa.Connection, answer_id: AnswerId, *, batch_ts: str) -> None:
    """Where all proposals of this answer are decided together."""
    connection.execute(t.proposal.update().where(t.proposal.c.answer_id == answer_id).values(batch_ts=batch_ts))


def move(
    connection: sa.Connection, proposal_id: str, *, old: str, new: str, actor: str, event: str = "", **values: Any
) -> bool:
    """Compare-and-set: True for the one caller that found the proposal in state `old`. `event` names the change in the
    audit, where it is not the new state."""
    statement = (
        t.proposal.update()
        .where(t.proposal.c.proposal_id == proposal_id, t.proposal.c.state == old)
        .values(state=new, **values)
        .returning(t.proposal.c.team_id)
    )
    team_id = connection.execute(statement).scalar()
    if team_id is None:
        return False
    _audit(connection, team_id, actor, event or new, proposal_id, **values)
    return True


def expired(connection: sa.Connection, *, now: str, limit: int = 100) -> list[Row]:
    """Offered proposals past their time."""
    query = sa.select(t.proposal).where(t.proposal.c.state == "offered", t.proposal.c.expires_at <= now)
    return [dict(row) for row in connection.execute(query.limit(limit)).mappings()]


def _audit(connection: sa.Connection, team_id: str, actor: str, event: str, subject: str, **detail: Any) -> None:
    audit.record(connection, team_id=team_id, actor=actor, event=event, subject=subject, **detail)
