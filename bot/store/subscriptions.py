"""What each channel wants of its digest; every change leaves an audit row that says by whom."""

from typing import Any

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row

STATES = ("active", "paused", "stopped")


def find(connection: sa.Connection, *, team_id: str, channel: str) -> Row | None:
    """None where nobody ever asked for one."""
    query = sa.select(t.subscription).where(t.subscription.c.team_id == team_id, t.subscription.c.channel == channel)
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def of_channel(connection: sa.Connection, channel: str) -> list[Row]:
    """Those of every team: a command line knows the channel only."""
    query = sa.select(t.subscription).where(t.subscription.c.channel == channel).order_by(t.subscription.c.team_id)
    return [dict(row) for row in connection.execute(query).mappings()]


def set_by(connection: sa.Connection, *, team_id: str, person: str) -> list[Row]:
    """Those that this person set last, but for stopped ones."""
    query = sa.select(t.subscription).where(
        t.subscription.c.team_id == team_id,
        t.subscription.c.changed_by == person,
        t.subscription.c.state != "stopped",
    )
    return [dict(row) for row in connection.execute(query.order_by(t.subscription.c.channel)).mappings()]


def active(connection: sa.Connection) -> list[Row]:
    """Of all teams, in a fixed order."""
    query = sa.select(t.subscription).where(t.subscription.c.state == "active")
    ordered = query.order_by(t.subscription.c.team_id, t.subscription.c.channel)
    return [dict(row) for row in connection.execute(ordered).mappings()]


def put(connection: sa.Connection, *, team_id: str, channel: str, by: str, moment: str, **wanted: Any) -> None:
    """Make or replace it, active from `moment` (UTC, ISO) on; the audit row holds what was wanted. `wanted`: the other
    columns."""
    values = {"state": "active", "active_since": moment, "changed_by": by, "changed_at": moment, **wanted}
    if not insert_once(connection, t.subscription, team_id=team_id, channel=channel, **values):
        before = find(connection, team_id=team_id, channel=channel) or {}
        same_time = all(before.get(name) == wanted[name] for name in ("weekday", "at"))
        if before.get("state") == "active" and same_time:
            del values["active_since"]  # other tastes take nothing away from a slot that has just come
        connection.execute(t.subscription.update().where(*_key(team_id, channel)).values(**values))
    audit.record(connection, team_id=team_id, actor=by, event="digest_set", subject=channel, **wanted)


def move(
    connection: sa.Connection, *, team_id: str, channel: str, to: str, by: str, moment: str, reason: str = ""
) -> bool:
    """active, paused or stopped; False where it was that already, or never was. Coming back owes no earlier slot."""
    values = {"state": to, "changed_by": by, "changed_at": moment}
    values |= {"active_since": moment} if to == "active" else {}
    changed = connection.execute(
        t.subscription.update().where(*_key(team_id, channel), t.subscription.c.state != to).values(**values)
    )
    if changed.rowcount != 1:
        return False
    detail = {"reason": reason} if reason else {}
    audit.record(connection, team_id=team_id, actor=by, event=f"digest_{to}", subject=channel, **detail)
    return True


def _key(team_id: str, channel: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return t.subscription.c.team_id == team_id, t.subscription.c.channel == channel
