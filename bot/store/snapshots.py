"""What the sources said of a commune, once an ISO week, so that « since last week » is a query."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row


def keep(
    connection: sa.Connection, *, team_id: str, insee: str, week: tuple[int, int], findings: dict[str, Any], at: str
) -> bool:
    """The first of a week stands: two digests of that week then compare with the same values."""
    year, number = week
    return insert_once(
        connection,
        t.commune_snapshot,
        team_id=team_id,
        insee=insee,
        iso_year=year,
        iso_week=number,
        findings=findings,
        taken_at=at,
    )


def of_week(
    connection: sa.Connection, *, team_id: str, communes: Sequence[str], week: tuple[int, int]
) -> dict[str, Row]:
    """Those of that very week."""
    year, number = week
    table = t.commune_snapshot
    query = sa.select(table).where(
        table.c.team_id == team_id,
        table.c.insee.in_(tuple(communes)),
        table.c.iso_year == year,
        table.c.iso_week == number,
    )
    return {row["insee"]: dict(row) for row in connection.execute(query).mappings()}


def known(connection: sa.Connection, *, team_id: str, communes: Sequence[str], week: tuple[int, int]) -> dict[str, Row]:
    """For each commune its latest snapshot up to that week, where it has one."""
    year, number = week
    table = t.commune_snapshot
    earlier = sa.or_(table.c.iso_year < year, sa.and_(table.c.iso_year == year, table.c.iso_week <= number))
    query = (
        sa.select(table)
        .where(table.c.team_id == team_id, table.c.insee.in_(tuple(communes)), earlier)
        .order_by(table.c.iso_year, table.c.iso_week)
    )
    return {row["insee"]: dict(row) for row in connection.execute(query).mappings()}


def history(connection: sa.Connection, *, team_id: str, insee: str, limit: int = 60) -> list[Row]:
    """The commune's snapshots, oldest first."""
    table = t.commune_snapshot
    query = (
        sa.select(table)
        .where(table.c.team_id == team_id, table.c.insee == insee)
        .order_by(table.c.iso_year.desc(), table.c.iso_week.desc())
        .limit(limit)
    )
    return [dict(row) for row in reversed(connection.execute(query).mappings().all())]
