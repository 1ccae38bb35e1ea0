"""A team uninstalls us, or takes our token back: kept before the ack, like a message."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

from bot.installation.departures import Departures

UNINSTALLED: Final = "app_uninstalled"
REVOKED: Final = "tokens_revoked"


def register(app: AsyncApp, *, departures: Departures) -> None:
    @app.middleware
    async def leave(body: dict[str, Any], next: Callable[[], Awaitable[None]]) -> BoltResponse | None:
        event = body.get("event") or {}
        if body.get("type") != "event_callback" or event.get("type") not in (UNINSTALLED, REVOKED):
            await next()
            return None
        if event["type"] == UNINSTALLED or (event.get("tokens") or {}).get("bot"):
            await departures.uninstalled(body)
        return BoltResponse(status=200, body="")
