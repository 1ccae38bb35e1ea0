"""« Arrêter », and Slack's own button for it: whatever is being made is given up; its place says by whom."""

from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot import jobs
from bot.conversations.stopping import stop
from bot.listeners.clicks import tell
from bot.listeners.visitors import Visitors
from bot.ports import AnswerId
from bot.slack.blocks.working import STOP
from bot.store import answers

log = structlog.get_logger()


def register(app: AsyncApp, *, services: jobs.Services, visitors: Visitors) -> None:
    @app.action(STOP)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack; the job that makes the answer sees it and publishes what stands instead."""
        channel = (body.get("channel") or {}).get("id") or (body.get("container") or {}).get("channel_id") or ""
        answer_id, by = AnswerId(str(body["actions"][0].get("value") or "")), await visitors.of_click(body, context)
        place = {"channel": channel, "team_id": context.team_id or ""}
        said = await services.database.write(lambda c: stop(c, answer_id, **place, by=by))
        await ack()
        log.info("click", by=body["user"]["id"], action=STOP, refused=bool(said))
        if said:
            await tell(services, body, said)

    @app.event("agent_session_stopped")
    async def stopped_in_slack(event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Where a workspace has such a button: all that is being made in that thread. Which fields it brings is not
        known for sure: both usual names are read."""
        channel = str(event.get("channel") or event.get("channel_id") or "")
        by = await visitors.of_event(body, user_id=str(event.get("user") or event.get("user_id") or ""))
        place = {"team_id": context.team_id or "", "channel": channel}

        def stop_all(connection: Any) -> list[str]:
            made = answers.being_made(connection, **place, thread_ts=str(event.get("thread_ts") or ""))
            return [stop(connection, answer_id, **place, by=by) for answer_id in made]

        said = await services.database.write(stop_all)
        log.info("session_stopped", by=by.user_id, answers=len(said), refused=any(said))
