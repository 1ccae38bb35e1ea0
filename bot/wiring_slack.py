"""Settings -> Slack's clients: one workspace's, or each team's own."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import WrongSetting
from bot.settings import Settings
from bot.slack.clients import slack_of
from bot.slack.delivery import Slack, Workspaces, own_team
from bot.store.database import Database
from corpus.ports import PassageIndex

if TYPE_CHECKING:
    from bot.installation.flow import Installing
    from bot.installation.portals import OpenPortal

SECONDS: Final = 10
KEPT_SECONDS: Final = 3.0
"""How long an idle connection is used again: many calls share one, none finds it closed by the other side."""


@asynccontextmanager
async def slack_connected(token: str, base_url: str) -> AsyncIterator[Slack]:
    """Without retry handlers for posts: a connection that drops after the request was read would post twice."""
    async with _session() as session:
        given = {"token": token, **_given(base_url, session)}
        yield slack_of(AsyncWebClient(**given, retry_handlers=[]), AsyncWebClient(**given))


def _session() -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(keepalive_timeout=KEPT_SECONDS)
    return aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=SECONDS))


def _given(base_url: str, session: aiohttp.ClientSession) -> dict[str, Any]:
    return {"base_url": f"{base_url}/", "timeout": SECONDS, "session": session}


@asynccontextmanager
async def workspaces_connected(
    settings: Settings, database: Database, index: PassageIndex, *, portal_of: "Callable[[str], OpenPortal]"
) -> AsyncIterator[tuple[Workspaces, "Installing | None"]]:
    """(where to post and read, what installing needs where any workspace may). `portal_of`: a HubSpot portal's
    connections, for its token. Raises `WrongSetting`."""
    if not settings.any_workspace:
        if settings.slack_bot_token is None:
            raise WrongSetting("SLACK_BOT_TOKEN manque.")
        async with slack_connected(settings.slack_bot_token.get_secret_value(), settings.slack_api_url) as slack:
            yield slack, None
        return
    settings.require_slack()
    from bot.wiring_installing import installed  # a tenth of a second that only its users pay

    async with _session() as session:
        yield installed(settings, database, index, portal_of=portal_of, given=_given(settings.slack_api_url, session))


async def slack_team(settings: Settings) -> str | None:
    """The team that our Slack token belongs to; None without a token, or where Slack does not answer."""
    if settings.slack_bot_token is None:
        return None
    async with slack_connected(settings.slack_bot_token.get_secret_value(), settings.slack_api_url) as slack:
        return await own_team(slack)
