"""What language models cost, by team, day and person: what budgets are held against, over restarts and processes."""

from datetime import date

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bot.store import tables as t


def add(connection: sa.Connection, *, team_id: str, day: date, person: str, euros: float) -> None:
    """Added up in the database itself: two processes that add at once both count."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    row = {"team_id": team_id, "day": day.isoformat(), "person": person, "euros": euros}
    statement = dialect.insert(t.spending).values(**row)
    total = t.spending.c.euros + statement.excluded.euros
    keys = ["team_id", "day", "person"]
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_={"euros": total}))


def since(connection: sa.Connection, *, team_id: str, day: date, person: str | None = None) -> float:
    """Euros from that day on: of a person, or of the whole team."""
    query = sa.select(sa.func.coalesce(sa.func.sum(t.spending.c.euros), 0.0)).where(
        t.spending.c.team_id == team_id, t.spending.c.day >= day.isoformat()
    )
    if person is not None:
        query = query.where(t.spending.c.person == person)
    return float(connection.execute(query).scalar_one())


def spent(connection: sa.Connection, *, team_id: str, day: date, person: str | None = None) -> float:
    """Euros of that day: of a person, or of the whole team."""
    query = sa.select(sa.func.coalesce(sa.func.sum(t.spending.c.euros), 0.0)).where(
        t.spending.c.team_id == team_id, t.spending.c.day == day.isoformat()
    )
    if person is not None:
        query = query.where(t.spending.c.person == person)
    return float(connection.execute(query).scalar_one())
