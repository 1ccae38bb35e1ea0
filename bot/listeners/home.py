"""The Home tab and the opening of a direct message."""

from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.documents.listing import count
from bot.listeners.visitors import CLOSED, Visitors
from bot.slack.blocks.home import closed_view, home_view, suggested_prompts
from bot.store.database import Database

log = structlog.get_logger()


def register(app: AsyncApp, *, parts: tuple[str, ...], database: Database, visitors: Visitors) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        if event.get("tab") == "messages":
            await _suggest(client, event["channel"])
            return
        by, team_id = await visitors.of_home(event["user"], context), context.team_id or ""
        if by.belongs_to(team_id):
            view = home_view(parts, files=await count(database, team_id=team_id))
        else:
            view = closed_view(CLOSED)
        await client.views_publish(user_id=event["user"], view=view)


async def _suggest(client: AsyncWebClient, channel: str) -> None:
    """Prompts to begin with; a workspace without agent features refuses them, and nothing else is missing there."""
    try:
        await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=suggested_prompts())
    except SlackApiError as refusal:
        log.info("no_prompts_here", code=refusal.response.get("error"))
