"""The Home tab and the opening of a direct message."""

from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.documents.listing import count
from bot.slack.blocks.home import home_view, suggested_prompts
from bot.store.database import Database


def register(app: AsyncApp, *, parts: tuple[str, ...], database: Database) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], body: dict[str, Any], client: AsyncWebClient) -> None:
        if event.get("tab") == "messages":
            await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=suggested_prompts())
        else:
            files = await count(database, team_id=str(body.get("team_id") or ""))
            await client.views_publish(user_id=event["user"], view=home_view(parts, files=files))
