"""Settings -> Slack's clients."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import aiohttp
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler, AsyncServerErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from bot.settings import Settings
from bot.slack.delivery import Slack, own_team

SECONDS: Final = 10
KEPT_SECONDS: Final = 3.0
"""How long an idle connection is used again: many calls share one, none finds it closed by the other side."""


@asynccontextmanager
async def slack_connected(token: str, base_url: str) -> AsyncIterator[Slack]:
    """Without retry handlers for posts: a connection that drops after the request was read would post twice."""
    connector = aiohttp.TCPConnector(keepalive_timeout=KEPT_SECONDS)
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        given: dict[str, Any] = {"token": token, "base_url": f"{base_url}/", "timeout": SECONDS, "session": session}
        reader = AsyncWebClient(**given)
        reader.retry_handlers += [AsyncRateLimitErrorRetryHandler(max_retry_count=3), AsyncServerErrorRetryHandler()]
        yield Slack(poster=AsyncWebClient(**given, retry_handlers=[]), reader=reader)


async def slack_team(settings: Settings) -> str | None:
    """The team that our Slack token belongs to; None without a token, or where Slack does not answer."""
    if settings.slack_bot_token is None:
        return None
    async with slack_connected(settings.slack_bot_token.get_secret_value(), settings.slack_api_url) as slack:
        return await own_team(slack)
