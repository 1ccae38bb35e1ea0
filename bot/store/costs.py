"""What answers of a period cost, as remembered with each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from bot.store import tables as t

BATCH = 500


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """`model` is "" where none was asked; `euros` None where its price is unknown; tokens: 0 where not counted."""

    answer_id: str
    team_id: str
    person: str
    answered_at: str
    model: str
    tokens_in: int
    tokens_out: int
    euros: float | None
    seconds: float


def costs_between(
    connection: sa.Connection, since: str, until: str, *, team_id: str | None = None
) -> Iterator[AnswerCost]:
    """Answers given in [since, until) (UTC, ISO), oldest first, those without a model too."""
    of = t.answer.c
    where = [of.answered_at >= since, of.answered_at < until, *([of.team_id == team_id] if team_id else [])]
    query = sa.select(of.answer_id, of.team_id, of.asked_by, of.answered_at, of.model, of.euros, of.seconds, of.record)
    for part in connection.execute(query.where(*where).order_by(of.answered_at, of.answer_id)).partitions(BATCH):
        for row in part:
            used = (row.record or {}).get("cost") or {}
            yield AnswerCost(
                answer_id=row.answer_id,
                team_id=row.team_id,
                person=row.asked_by,
                answered_at=row.answered_at,
                model=row.model or "",
                tokens_in=int(used.get("prompt_tokens") or 0),
                tokens_out=int(used.get("completion_tokens") or 0),
                euros=row.euros if row.model else 0.0,
                seconds=row.seconds or 0.0,
            )


def counted_for_budgets(connection: sa.Connection, since: date, until: date, *, team_id: str | None = None) -> float:
    """Euros of these days of Paris, both included, that budgets were held against; answers erased since count too."""
    of = t.spending.c
    where = [of.day >= since.isoformat(), of.day <= until.isoformat(), *([of.team_id == team_id] if team_id else [])]
    return float(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(of.euros), 0.0)).where(*where)).scalar_one())
