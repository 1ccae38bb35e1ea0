"""Each team's own HubSpot: found when it is needed, its token renewed before it ends; never another team's."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from bot.crm.oauth import CrmGrantRefused, CrmOAuth
from bot.ports import Crm
from bot.store import crm_accounts
from bot.store.columns import Row
from bot.store.crm_accounts import Ticket
from bot.store.database import Database
from pipeline.errors import CrmUnavailable

log = structlog.get_logger()

HUBSPOT: Final = "hubspot"
EARLY: Final = timedelta(minutes=5)
"""HubSpot's tokens live for half an hour; no answer lasts so long."""


@dataclass(frozen=True, slots=True)
class OpenPortal:
    """A portal's connections, which outlive their token: `renew` gives them another."""

    crm: Crm
    renew: Callable[[str], None]


@dataclass(slots=True)
class _Kept:
    portal: OpenPortal
    connected_at: str
    access: str


class TeamPortals:
    """One for the process. `connect`: connections for a token."""

    def __init__(self, database: Database, oauth: CrmOAuth, connect: Callable[[str], OpenPortal]) -> None:
        self.oauth = oauth
        self._database, self._connect = database, connect
        self._kept: dict[str, _Kept] = {}
        self._renewing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def of(self, team_id: str) -> Crm | None:
        """As the rows say now: who has connected another portal, or none any more, has that at once."""
        async with self._renewing[team_id]:
            row = await self._database.read(lambda c: crm_accounts.find(c, team_id))
            if row is None:
                self._kept.pop(team_id, None)
                return None
            try:
                access = await self._fresh(row)
            except CrmGrantRefused:
                await self._database.write(lambda c: crm_accounts.disconnect(c, team_id, by=HUBSPOT))
                log.warning("crm_disconnected", team=team_id)
                self._kept.pop(team_id, None)
                return None
            kept = self._kept.get(team_id)
            if kept is None or kept.connected_at != row["connected_at"]:
                kept = self._kept[team_id] = _Kept(self._connect(access), row["connected_at"], access)
            elif kept.access != access:
                kept.portal.renew(access)
                kept.access = access
            return kept.portal.crm

    async def _fresh(self, row: Row) -> str:
        """A token that has a while to live; the old one where HubSpot does not answer. Raises `CrmGrantRefused` where
        the portal has taken its yes back."""
        if datetime.fromisoformat(row["expires_at"]) - datetime.now(UTC) > EARLY:
            return str(row["access_token"])
        try:
            new = await self.oauth.renewed(row["refresh_token"])
        except CrmGrantRefused:
            raise
        except CrmUnavailable as error:
            log.warning("crm_token_not_renewed", team=row["team_id"], error=repr(error))
            return str(row["access_token"])
        values = {"access": new.access, "refresh": new.refresh, "expires_at": new.expires_at}
        await self._database.write(lambda c: crm_accounts.renew(c, row, **values))
        log.info("crm_token_renewed", team=row["team_id"])
        return new.access

    async def connected(self, shown: str, code: str) -> Ticket | None:
        """The portal that somebody has just said yes for is their team's; None where the ticket serves no more.

        Raises `CrmUnavailable`, `StoreUnavailable`."""
        ticket = await self._database.write(lambda c: crm_accounts.use(c, shown))
        if ticket is None:
            return None
        tokens = await self.oauth.exchange(code)
        portal_id = await self.oauth.portal(tokens.access)
        values = {"access": tokens.access, "refresh": tokens.refresh, "expires_at": tokens.expires_at}
        await self._database.write(lambda c: crm_accounts.connect(c, ticket, portal_id=portal_id, **values))
        log.info("crm_connected", team=ticket.team_id, portal=portal_id)
        return ticket
