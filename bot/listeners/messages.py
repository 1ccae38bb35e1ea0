"""Messages in: committed with their job before Slack gets its ack, or left alone with a reason in the log."""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from bot.addressing import is_for_us, read_event
from bot.engine import Engine
from bot.store import inbox
from bot.store.database import Database

log = structlog.get_logger()
SPOKEN = {"message", "app_mention"}
ACK = BoltResponse(status=200, body="")


def register(app: AsyncApp, *, database: Database, engine: Engine) -> None:
    @app.middleware
    async def keep(
        body: dict[str, Any], context: AsyncBoltContext, next: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Bolt acks an event before its listener runs; only a middleware can commit first.

        A database that fails raises here: no ack, Slack delivers again.
        """
        event = body.get("event") or {}
        if body.get("type") != "event_callback" or event.get("type") not in SPOKEN:
            await next()
            return None
        candidate = read_event(body, bot_user_id=context.bot_user_id or "")
        if isinstance(candidate, str):
            log.info("message_left_alone", reason=candidate, channel=event.get("channel"), ts=event.get("ts"))
            return ACK
        message = candidate.message

        def claim(connection: Any) -> str:
            if reason := is_for_us(connection, candidate):
                return reason
            return "" if inbox.accept(connection, message, enqueue=engine.enqueue) else "already claimed"

        if reason := await database.write(claim):
            log.info("message_left_alone", reason=reason, channel=message.channel, ts=message.ts)
        else:
            log.info("message_kept", answer_id=message.answer_id, characters=len(message.text))
        return ACK
