"""Answers that may be given again, each to its own team, until they expire."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.columns import Row, SealedJson, metadata, when

kept_answer = sa.Table(
    "kept_answer",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    sa.Column("answer_id", sa.String(160), nullable=False),
    when("made_at", nullable=False),
    when("expires_at", nullable=False),
    sa.Column("content", SealedJson, nullable=False),
    sa.Index(None, "team_id", "expires_at"),
    sa.Index(None, "answer_id"),
)
"""`key`: a hash of all that the answer depends on; `answer_id`: which answer it was, with whose thread it goes."""


def get(connection: sa.Connection, key: str, *, team_id: str, now: str) -> Row | None:
    """None where there is none, or where its time is over."""
    of = kept_answer.c
    query = sa.select(kept_answer).where(of.key == key, of.team_id == team_id, of.expires_at > now)
    row = connection.execute(query).mappings().first()
    return dict(row) if row else None


def put(connection: sa.Connection, *, now: str, **row: Any) -> None:
    """In place of an earlier one; those of the team whose time is over go."""
    of = kept_answer.c
    connection.execute(kept_answer.delete().where(of.team_id == row["team_id"], of.expires_at <= now))
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(kept_answer).values(**row)
    again = {name: value for name, value in row.items() if name != "key"}
    connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=again))
