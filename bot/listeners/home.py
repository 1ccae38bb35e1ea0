"""The Home tab and the opening of a direct message."""

from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.documents.listing import count
from bot.listeners.visitors import CLOSED, Visitors
from bot.slack.blocks.home import closed_view, home_view, suggested_prompts
from bot.store.database import Database


def register(app: AsyncApp, *, parts: tuple[str, ...], database: Database, visitors: Visitors) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        if event.get("tab") == "messages":
            await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=suggested_prompts())
            return
        by, team_id = await visitors.of_home(event["user"], context), context.team_id or ""
        if by.belongs_to(team_id):
            view = home_view(parts, files=await count(database, team_id=team_id))
        else:
            view = closed_view(CLOSED)
        await client.views_publish(user_id=event["user"], view=view)
