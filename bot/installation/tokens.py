"""Each team's bot token: found when it is needed, renewed before it ends, and at once where Slack says that it has."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError, SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from bot.errors import WorkspaceGone
from bot.installation.stores import Installations
from bot.store import workspaces
from bot.store.database import Database

log = structlog.get_logger()

KEPT_SECONDS: Final = 30.0
"""How long a token is used again without a look at the database, where another process may have renewed it."""
EARLY_MINUTES: Final = 120
"""A token lives for twelve hours; slack_sdk's own measure."""
AT_ONCE: Final = 60 * 24 * 365 * 100
"""Minutes within which every token that ends at all is renewed."""


@dataclass(frozen=True, slots=True)
class _Kept:
    bot: Bot
    until: float


class Tokens:
    """One for the process. Raises `WorkspaceGone` for a team without a token, `StoreUnavailable`."""

    def __init__(
        self,
        database: Database,
        installations: Installations,
        rotator: AsyncTokenRotator,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._installations, self._rotator, self._now = database, installations, rotator, now
        self._kept: dict[str, _Kept] = {}
        self._renewing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def bot_of(self, team_id: str) -> Bot:
        """The bot that acts in this team, with a token that Slack takes."""
        kept = self._kept.get(team_id)
        if kept is not None and self._now() < kept.until:
            return kept.bot
        async with self._renewing[team_id]:
            return await self._looked_up(team_id, minutes=EARLY_MINUTES)

    async def after_refusal(self, team_id: str, refused: str) -> Bot | None:
        """Another token, where somebody has renewed the refused one or it can be renewed now; None: there is none."""
        async with self._renewing[team_id]:
            bot = await self._stored(team_id)
            if bot.bot_token == refused:
                bot = await self._looked_up(team_id, minutes=AT_ONCE)
            return None if bot.bot_token == refused else self._keep(team_id, bot)

    async def of_org(self, team_id: str, enterprise_id: str, *, name: str, now: str) -> None:
        """A team whose organisation has installed us, and of which we have not heard before."""
        row = await self._database.read(lambda c: workspaces.find(c, team_id))
        if row is not None and row["left_at"] is None and row["org_install"]:
            return
        about = {"enterprise_id": enterprise_id, "team_id": None}
        if await self._installations.async_find_bot(**about, is_enterprise_install=True) is None:
            return
        await self._database.write(
            lambda c: workspaces.join(c, team_id, enterprise_id=enterprise_id, org_install=True, name=name, now=now)
        )

    def drop(self, team_id: str) -> None:
        """The next call looks into the database."""
        self._kept.pop(team_id, None)

    async def _stored(self, team_id: str) -> Bot:
        row = await self._database.read(lambda c: workspaces.find(c, team_id))
        if row is None or row["left_at"] is not None:
            raise WorkspaceGone
        bot = await self._installations.async_find_bot(
            enterprise_id=row["enterprise_id"], team_id=team_id, is_enterprise_install=row["org_install"]
        )
        if bot is None:
            raise WorkspaceGone
        return bot

    async def _looked_up(self, team_id: str, *, minutes: int) -> Bot:
        bot = await self._stored(team_id)
        try:
            renewed = await self._rotator.perform_bot_token_rotation(bot=bot, minutes_before_expiration=minutes)
        except (SlackTokenRotationError, SlackApiError, aiohttp.ClientError, TimeoutError, OSError) as error:
            # Another process may have been first: a refresh token serves once. Else the old one is tried to its end.
            log.warning("token_not_renewed", team=team_id, error=repr(error.__cause__ or error))
            return self._keep(team_id, await self._stored(team_id))
        if renewed is not None:
            await self._installations.async_save_bot(renewed)
            log.info("token_renewed", team=team_id)
            bot = renewed
        return self._keep(team_id, bot)

    def _keep(self, team_id: str, bot: Bot) -> Bot:
        self._kept[team_id] = _Kept(bot, self._now() + KEPT_SECONDS)
        return bot
