"""Who did what and when: one row beside every change that somebody may ask about later."""

from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import utc_now


def record(connection: sa.Connection, *, team_id: str, actor: str, event: str, subject: str, **detail: Any) -> None:
    """In the caller's transaction, so that the change and its trace stand or fall together."""
    connection.execute(
        t.audit.insert().values(
            team_id=team_id, at=utc_now(), actor=actor, event=event, subject=subject, detail=detail or None
        )
    )


def count(connection: sa.Connection, *, team_id: str, event: str, subject: str) -> int:
    """How often this happened to it."""
    found = sa.select(sa.func.count()).where(
        t.audit.c.team_id == team_id, t.audit.c.subject == subject, t.audit.c.event == event
    )
    return int(connection.execute(found).scalar_one())
