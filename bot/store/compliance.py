"""Answers of a period with what hangs on them: proposals, decisions, verdicts."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.tables import Row

BATCH = 200


def answered_between(connection: sa.Connection, since: str, until: str, *, team_id: str | None = None) -> Iterator[Row]:
    """Answers asked in [since, until) (UTC, ISO), oldest first, each with `proposals`, `decisions` (rows of the audit)
    and `verdicts`."""
    where = [t.answer.c.asked_at >= since, t.answer.c.asked_at < until, t.answer.c.text.is_not(None)]
    where += [t.answer.c.team_id == team_id] if team_id else []
    rows = connection.execute(sa.select(t.answer).where(*where).order_by(t.answer.c.asked_at, t.answer.c.answer_id))
    for part in rows.mappings().partitions(BATCH):
        ids = [row["answer_id"] for row in part]
        proposals = _of(connection, t.proposal, t.proposal.c.answer_id.in_(ids))
        told = _of(connection, t.audit, t.audit.c.subject.in_([*ids, *(one["proposal_id"] for one in proposals)]))
        verdicts = _of(connection, t.feedback, t.feedback.c.answer_id.in_(ids))
        for row in part:
            mine = [one for one in proposals if one["answer_id"] == row["answer_id"]]
            names = {row["answer_id"], *(one["proposal_id"] for one in mine)}
            yield {
                **row,
                "proposals": mine,
                "decisions": [one for one in told if one["subject"] in names],
                "verdicts": [one for one in verdicts if one["answer_id"] == row["answer_id"]],
            }


def _of(connection: sa.Connection, table: sa.Table, where: Any) -> list[Row]:
    order = [column for column in (table.c.get("position"), table.c.get("id")) if column is not None]
    return [dict(row) for row in connection.execute(sa.select(table).where(where).order_by(*order)).mappings()]
