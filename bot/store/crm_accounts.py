"""Each team's HubSpot portal, and the tickets by which a member connects one."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import sqlalchemy as sa

from bot.store import audit
from bot.store.columns import Row
from bot.store.inbox import insert_once, utc_now
from bot.store.installation_tables import crm_account, crm_ticket

TICKET_MINUTES: Final = 60
"""A link stands in a Home tab that may have been open for a while."""


class Ticket(NamedTuple):
    """Who connects a portal to which team."""

    team_id: str
    user_id: str


def find(connection: sa.Connection, team_id: str) -> Row | None:
    row = connection.execute(sa.select(crm_account).where(crm_account.c.team_id == team_id)).mappings().first()
    return None if row is None else dict(row)


def connect(
    connection: sa.Connection, ticket: Ticket, *, portal_id: str, access: str, refresh: str, expires_at: str
) -> None:
    """From now on it is the team's only portal."""
    values = {"portal_id": portal_id, "access_token": access, "refresh_token": refresh, "expires_at": expires_at}
    values |= {"connected_by": ticket.user_id, "connected_at": utc_now()}
    if not insert_once(connection, crm_account, team_id=ticket.team_id, **values):
        here = crm_account.c.team_id == ticket.team_id
        connection.execute(crm_account.update().where(here).values(**values))
    audit.record(connection, team_id=ticket.team_id, actor=ticket.user_id, event="crm_connected", subject=portal_id)


def renew(connection: sa.Connection, row: Row, *, access: str, refresh: str, expires_at: str) -> None:
    """Another token of the same portal; nothing where the team has connected another one meanwhile."""
    same = (crm_account.c.team_id == row["team_id"], crm_account.c.connected_at == row["connected_at"])
    values = {"access_token": access, "refresh_token": refresh, "expires_at": expires_at}
    connection.execute(crm_account.update().where(*same).values(**values))


def disconnect(connection: sa.Connection, team_id: str, *, by: str) -> bool:
    """Whether there was one."""
    gone = connection.execute(crm_account.delete().where(crm_account.c.team_id == team_id)).rowcount
    if gone:
        audit.record(connection, team_id=team_id, actor=by, event="crm_disconnected", subject=team_id)
    return bool(gone)


def issue(connection: sa.Connection, ticket: Ticket) -> str:
    """What the link carries, once; older tickets of the same person and those past their time go."""
    now, shown = datetime.now(UTC), secrets.token_urlsafe(24)
    mine = sa.and_(crm_ticket.c.team_id == ticket.team_id, crm_ticket.c.user_id == ticket.user_id)
    connection.execute(crm_ticket.delete().where(sa.or_(mine, crm_ticket.c.expires_at < utc_now())))
    until = (now + timedelta(minutes=TICKET_MINUTES)).isoformat(timespec="milliseconds")
    row = {"team_id": ticket.team_id, "user_id": ticket.user_id, "expires_at": until}
    connection.execute(crm_ticket.insert().values(ticket_hash=_hash(shown), **row))
    return shown


def holder(connection: sa.Connection, shown: str) -> Ticket | None:
    """Whose ticket it is; None for one that is unknown, used or past its time."""
    here = (crm_ticket.c.ticket_hash == _hash(shown), crm_ticket.c.expires_at >= utc_now())
    row = connection.execute(sa.select(crm_ticket.c.team_id, crm_ticket.c.user_id).where(*here)).first()
    return None if row is None else Ticket(row.team_id, row.user_id)


def use(connection: sa.Connection, shown: str) -> Ticket | None:
    """As `holder`, and it serves no more."""
    found = holder(connection, shown)
    gone = connection.execute(crm_ticket.delete().where(crm_ticket.c.ticket_hash == _hash(shown))).rowcount
    return found if gone else None


def _hash(shown: str) -> str:
    return hashlib.sha256(shown[:128].encode()).hexdigest()
