"""What models cost is counted in the database: over restarts, over processes, by day and person."""

import asyncio
from datetime import date

from bot.conversations.budgets import Budgets, allowance
from bot.store import spending
from bot.store.database import Database
from pipeline.types import Allowance

pytest_plugins = ("tests.contract.databases",)

TODAY, TOMORROW = date(2026, 11, 22), date(2026, 11, 23)
ROW = {"team_id": "T1", "asked_by": "U1"}


async def _pay(database: Database, euros: float, *, person: str = "U1", team: str = "T1", day: date = TODAY) -> None:
    await database.write(lambda c: spending.add(c, team_id=team, day=day, person=person, euros=euros))


async def _left(database: Database, budgets: Budgets, *, day: date = TODAY) -> Allowance | None:
    return await database.read(lambda c: allowance(c, ROW, budgets, today=day))


async def test_the_tightest_limit_counts(database: Database) -> None:
    """Of an answer, of the person today, of the team today; another day and another team have their own."""
    budgets = Budgets(answer=0.5, person=1.0, day=2.0)
    assert await _left(database, budgets) == Allowance(0.5, "answer")
    await _pay(database, 0.75)
    assert await _left(database, budgets) == Allowance(0.25, "person")
    await _pay(database, 1.25, person="U2")
    assert await _left(database, budgets) == Allowance(0.0, "day")
    await _pay(database, 9.0, team="T2")
    assert await _left(database, budgets, day=TOMORROW) == Allowance(0.5, "answer")
    assert await _left(database, Budgets()) is None


async def test_costs_that_come_at_once_all_count(url: str, database: Database) -> None:
    """From two processes' connections to the same database."""
    other = Database(url)
    await asyncio.gather(*(_pay(base, 0.25) for base in (database, other) for _ in range(20)))
    other.close()
    assert await database.read(lambda c: spending.spent(c, team_id="T1", day=TODAY)) == 10.0
