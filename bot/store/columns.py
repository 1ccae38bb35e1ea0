"""What all tables share: their metadata, how a moment is kept, how a row is read."""

from typing import Any

import sqlalchemy as sa

Row = dict[str, Any]
"""One row as read, by column name."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def when(name: str, *, nullable: bool = True) -> sa.Column[str]:
    """UTC, ISO 8601 text: sorts as time on both databases."""
    return sa.Column(name, sa.String(32), nullable=nullable)
