"""What members chose for each channel; every change leaves an audit row that says by whom."""

from collections.abc import Sequence

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import insert_once, utc_now
from bot.store.tables import Row

DEALS = ("auto", "open", "closed")
"""Whether deals are shown in the channel: as the installation's settings say, always, or never."""


def find(connection: sa.Connection, *, team_id: str, channel: str) -> Row | None:
    """None where nobody ever chose anything."""
    query = sa.select(t.channel_setting).where(*_key(team_id, channel))
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def approvers_of(connection: sa.Connection, *, team_id: str, channel: str) -> frozenset[str]:
    """Slack ids of those whom a member named for this channel."""
    row = find(connection, team_id=team_id, channel=channel)
    return frozenset(row["approvers"] if row else ())


def deals_in(connection: sa.Connection, *, team_id: str, channel: str) -> str:
    """One of `DEALS`; auto where nobody chose."""
    row = find(connection, team_id=team_id, channel=channel)
    return str(row["deals"]) if row else "auto"


def put(
    connection: sa.Connection, *, team_id: str, channel: str, by: str, deals: str, approvers: Sequence[str]
) -> None:
    """Make or replace the channel's settings. Who opened or closed it stays known until somebody else does."""
    before, now = find(connection, team_id=team_id, channel=channel), utc_now()
    chosen = {"deals": deals, "approvers": sorted(set(approvers))}
    values = {**chosen, "changed_by": by, "changed_at": now}
    if deals != (before["deals"] if before else "auto"):
        values |= {"deals_by": by, "deals_at": now}
    if not insert_once(connection, t.channel_setting, team_id=team_id, channel=channel, **values):
        connection.execute(t.channel_setting.update().where(*_key(team_id, channel)).values(**values))
    audit.record(connection, team_id=team_id, actor=by, event="channel_set", subject=channel, **chosen)


def _key(team_id: str, channel: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return t.channel_setting.c.team_id == team_id, t.channel_setting.c.channel == channel
