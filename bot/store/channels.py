"""What members chose for each channel; every change leaves an audit row that says by whom."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.inbox import insert_once, utc_now
from bot.store.tables import Row


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """What is chosen for the answers in a channel; as here where nobody chose. `communes`: INSEE codes for questions
    that name none; `deal_id`: the deal meant where none is named; `short`: what was asked alone; `hidden`: titles of
    sections that are told only where they were asked for; `files`: whether the team's files are cited; `model`: whether
    a language model is asked."""

    communes: tuple[str, ...] = ()
    deal_id: str = ""
    short: bool = False
    hidden: tuple[str, ...] = ()
    files: bool = True
    model: bool = True


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


def settings_of(connection: sa.Connection, *, team_id: str, channel: str) -> ChannelSettings:
    """The defaults where nobody chose."""
    row = find(connection, team_id=team_id, channel=channel)
    return settings_in(row)


def settings_in(row: Row | None) -> ChannelSettings:
    """Those of a row of `find`."""
    chosen = (row["choices"] if row else None) or {}
    known = {each.name for each in fields(ChannelSettings)}
    told: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in chosen.items() if name in known
    }
    return ChannelSettings(**told)


def put(
    connection: sa.Connection,
    *,
    team_id: str,
    channel: str,
    by: str,
    deals: str,
    approvers: Sequence[str],
    settings: ChannelSettings = ChannelSettings(),
) -> None:
    """Make or replace the channel's settings. Who opened or closed it stays known until somebody else does."""
    before, now = find(connection, team_id=team_id, channel=channel), utc_now()
    chosen = {"deals": deals, "approvers": sorted(set(approvers)), "choices": asdict(settings)}
    values = {**chosen, "changed_by": by, "changed_at": now}
    if deals != (before["deals"] if before else "auto"):
        values |= {"deals_by": by, "deals_at": now}
    if not insert_once(connection, t.channel_setting, team_id=team_id, channel=channel, **values):
        connection.execute(t.channel_setting.update().where(*_key(team_id, channel)).values(**values))
    audit.record(connection, team_id=team_id, actor=by, event="channel_set", subject=channel, **chosen)


def _key(team_id: str, channel: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return t.channel_setting.c.team_id == team_id, t.channel_setting.c.channel == channel
