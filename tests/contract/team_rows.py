"""Two teams whose rows have the same ids, places, people and moments wherever ids may be the same."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from bot.store.columns import SealedJson
from bot.store.tables import metadata
from corpus.types import PUBLIC_AUDIENCE

OURS, OTHERS = "T0OURS", "T0OTHERS"
EVERYBODYS = {"news_feed", "news_item", "text_key", "slack_oauth_state"}
"""Of no team: official news, the proof of a key, states that a browser carries."""
NOW, SOON, LONG_AGO = "2026-11-20T10:00:00.000+00:00", "2099-01-01T00:00:00.000+00:00", "2020-01-01T00:00:00.000+00:00"
CHANNEL, PERSON, TS, KEY, INSEE = "C0SAME", "U0SAME", "1795000000.000100", "C0SAME:1795000000.000100", "83137"
TICKET, SECRET = "ticket", "qs_same_secret"
SAME: Mapping[str, object] = {
    "channel": CHANNEL,
    "thread_key": KEY,
    "thread_ts": TS,
    "ts": TS,
    "placeholder_ts": TS,
    "message_ts": TS,
    "event_id": "Ev1",
    "kind": "message",
    "channel_type": "channel",
    "visitor": "member",
    "insee": INSEE,
    "asked_by": PERSON,
    "requested_by": PERSON,
    "user_id": PERSON,
    "person": PERSON,
    "added_by": PERSON,
    "created_by": PERSON,
    "changed_by": PERSON,
    "source_id": "source-1",
    "watch_id": "watch-1",
    "day": "2026-11-20",
    "alert_id": "watch-1:1",
    "subject": "same",
    "event": "same",
    "iso_year": 2026,
    "iso_week": 47,
    "slot": NOW,
    "audience": PUBLIC_AUDIENCE,
    "shared_channel": True,
    "forget_at": LONG_AGO,
    "left_at": LONG_AGO,
    "key_id": "same",
    "revoked_at": None,
    "superseded_by": None,
    "removed_at": None,
    "enterprise_id": None,
    "org_install": False,
    "client_id": "app",
    "is_enterprise_install": False,
    "ticket_hash": hashlib.sha256(b"ticket").hexdigest(),
    "secret_hash": hashlib.sha256(b"secret").hexdigest(),
    "expires_at": SOON,
    "version": 1,
    "position": 1,
}
STATES = {"answer": "published", "proposal": "offered", "source": "ready", "digest": "posted", "watch": "active"}
KINDS = {"source": "page"}


def team_tables() -> list[sa.Table]:
    return [table for table in metadata.sorted_tables if table.name not in EVERYBODYS]


def row_of(table: sa.Table, team: str) -> dict[str, object]:
    row: dict[str, object] = {}
    for column in table.columns:
        if column.name == "id":
            continue
        row[column.name] = SAME.get(column.name, _value(table, column, team))
    named = {"team_id": team, "answer_id": f"msg:{team}:{CHANNEL}:{TS}", "proposal_id": f"proposal-{team}"}
    named |= {"state": STATES.get(table.name, "active"), "kind": KINDS.get(table.name, "message")}
    if table.name in ("api_key", "crm_ticket"):  # ids of the whole installation
        named |= {"key_id": "same" if team == OURS else "another", "ticket_hash": SAME["ticket_hash"]}
        named |= {} if team == OURS else {"ticket_hash": "another"}
    return {**row, **{name: value for name, value in named.items() if name in row}}


def _value(table: sa.Table, column: sa.Column[Any], team: str) -> object:
    if isinstance(column.type, SealedJson | sa.JSON):
        return {"said": f"{team} {table.name}"}
    if isinstance(column.type, sa.Boolean):
        return True
    if isinstance(column.type, sa.Integer | sa.Float):
        return 1
    if isinstance(column.type, sa.DateTime):
        return datetime(2026, 11, 20, tzinfo=UTC).replace(tzinfo=None)
    if isinstance(column.type, sa.LargeBinary):
        return b""
    if column.name.endswith("_at") or column.name == "active_since":
        return NOW
    return f"{team} {column.name}"[: getattr(column.type, "length", None) or 200]


def seed(connection: sa.Connection, team: str, *, without: str = "") -> None:
    """A row in every table, but for one and what hangs on it."""
    for table in team_tables():
        leans_on = {key.column.table.name for key in table.foreign_keys}
        if table.name != without and without not in leans_on:
            connection.execute(table.insert().values(row_of(table, team)))


def held(connection: sa.Connection, team: str) -> dict[str, list[dict[str, Any]]]:
    found = {
        table.name: [
            dict(row) for row in connection.execute(sa.select(table).where(table.c.team_id == team)).mappings()
        ]
        for table in team_tables()
    }
    return {name: rows for name, rows in found.items() if rows}
