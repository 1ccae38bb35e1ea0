"""Two clients on one token: what only reads or updates is tried again, a post never is."""

from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler, AsyncServerErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.delivery import Slack


def slack_of(poster: AsyncWebClient, reader: AsyncWebClient) -> Slack:
    """Of two fresh clients, the poster without retry handlers."""
    reader.retry_handlers += [AsyncRateLimitErrorRetryHandler(max_retry_count=3), AsyncServerErrorRetryHandler()]
    return Slack(poster=poster, reader=reader)
