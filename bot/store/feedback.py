"""What people say of answers: one verdict a person and answer; the last one counts."""

from typing import Any

import sqlalchemy as sa

from bot.ports import AnswerId
from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import insert_once, utc_now
from bot.store.tables import Row


def give(connection: sa.Connection, answer: Row, *, user_id: str, verdict: str) -> bool:
    """True when this person had said something else, or nothing, of this answer before."""
    key: dict[str, Any] = {"answer_id": answer["answer_id"], "user_id": user_id}
    if not insert_once(connection, t.feedback, **key, team_id=answer["team_id"], verdict=verdict, at=utc_now()):
        changed = (
            t.feedback.update()
            .where(t.feedback.c.answer_id == key["answer_id"], t.feedback.c.user_id == user_id)
            .where(t.feedback.c.verdict != verdict)
            .values(verdict=verdict, at=utc_now())
            .returning(sa.literal(1))
        )
        if connection.execute(changed).first() is None:
            return False
    audit.record(
        connection,
        team_id=answer["team_id"],
        actor=user_id,
        event="feedback",
        subject=key["answer_id"],
        verdict=verdict,
    )
    return True


def of_answer(connection: sa.Connection, answer_id: AnswerId) -> dict[str, str]:
    """Who said what, by user id."""
    query = sa.select(t.feedback.c.user_id, t.feedback.c.verdict).where(t.feedback.c.answer_id == answer_id)
    return {row.user_id: row.verdict for row in connection.execute(query.order_by(t.feedback.c.at))}


def judged(connection: sa.Connection) -> list[tuple[Row, dict[str, int]]]:
    """Every answer that somebody judged, oldest first, with how many persons said what."""
    query = (
        sa.select(t.answer, t.feedback.c.verdict.label("verdict"))
        .join(t.feedback, t.feedback.c.answer_id == t.answer.c.answer_id)
        .order_by(t.answer.c.asked_at, t.answer.c.answer_id, t.feedback.c.user_id)
    )
    found: dict[str, tuple[Row, dict[str, int]]] = {}
    for row in connection.execute(query).mappings():
        answer = dict(row)
        verdict = answer.pop("verdict")
        _, counts = found.setdefault(answer["answer_id"], (answer, {}))
        counts[verdict] = counts.get(verdict, 0) + 1
    return list(found.values())
