"""How much of the language models' budgets one more answer may use."""

from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from bot.store import spending
from bot.store.tables import Row
from pipeline.types import Allowance


@dataclass(frozen=True, slots=True)
class Budgets:
    """Euros for one answer, for one person a day, for the team a day; None: no limit."""

    answer: float | None = None
    person: float | None = None
    day: float | None = None

    @property
    def any(self) -> bool:
        return not (self.answer is None and self.person is None and self.day is None)


def allowance(connection: sa.Connection, row: Row, budgets: Budgets, *, today: date) -> Allowance | None:
    """What is left for the answer of this row, by the tightest limit; None without any limit. Answers under way are
    not counted yet: each limit may be passed by as much as they cost."""
    left: list[Allowance] = []
    if budgets.answer is not None:
        left.append(Allowance(budgets.answer, "answer"))
    if budgets.person is not None:
        used = spending.spent(connection, team_id=row["team_id"], day=today, person=row["asked_by"])
        left.append(Allowance(budgets.person - used, "person"))
    if budgets.day is not None:
        used = spending.spent(connection, team_id=row["team_id"], day=today)
        left.append(Allowance(budgets.day - used, "day"))
    return min(left, key=lambda limit: limit.euros, default=None)
