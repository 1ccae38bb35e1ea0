"""What is around an event, looked at before anything in it: whose team it is about, and Slack's own notices."""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from bot.conversations.visitor import installed_team

log = structlog.get_logger()


def register(app: AsyncApp) -> None:
    """To be registered first: what it keeps back reaches no other listener."""

    @app.middleware
    async def look(
        body: dict[str, Any], context: AsyncBoltContext, next: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        if body.get("type") == "app_rate_limited":
            log.warning("slack_limits_events", team=body.get("team_id"), minute=body.get("minute_rate_limited"))
            return BoltResponse(status=200, body="")
        if body.get("type") == "event_callback" and (team := _stranger(body, context)):
            kind = (body.get("event") or {}).get("type")
            log.info("event_of_another_team", team=team, kind=kind, event_id=body.get("event_id"))
            return BoltResponse(status=200, body="")
        await next()
        return None


def _stranger(body: dict[str, Any], context: AsyncBoltContext) -> str | None:
    """The team that this event is about where that is not the one that our token belongs to: one that has uninstalled
    us, or never had us. Nothing of it is read, kept or answered with another team's token."""
    ours = context.authorize_result.team_id if context.authorize_result else None
    team = installed_team(body)
    return team if ours and team != ours else None
