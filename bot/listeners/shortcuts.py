"""Shortcuts on anybody's message: it is answered in its own thread, for who handed it to us. Its text is data."""

import asyncio
from dataclasses import replace
from typing import Any, Final

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.context.respond.async_respond import AsyncRespond

from bot import jobs
from bot.engine import Engine
from bot.listeners.places import ARCHIVED, NOT_HERE, is_shared
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import HANDED_OVER
from bot.slack.delivery import SlackRefused, SlackUnavailable, channel_info
from bot.store import inbox
from bot.store.inbox import Inbound

log = structlog.get_logger()
ASK_ABOUT: Final = "ask_about"
LOOK_SECONDS: Final = 1.0
"""Slack wants its ack within three seconds; where it has not said by then what the channel is, nothing of ours is
shown there."""
NO_TEXT: Final = "Ce message n'a pas de texte que je puisse lire."
OURS: Final = "Ce message est le mien : répondez dans son fil pour continuer."
ALREADY: Final = "J'ai déjà répondu à ce message, dans son fil."


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    @app.shortcut(ASK_ABOUT)
    async def ask(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond) -> None:
        """Committed before the ack, like a message; a sentence for who asked alone where there is nothing to answer."""
        by, team = await visitors.of_click(body, context), context.team_id or ""
        message, channel = body["message"], str(body["channel"]["id"])
        text = " ".join(str(message.get("text") or "").split())
        info = await _place(services, channel)
        said = _objection(message, info, own=context.bot_user_id or "") or ("" if text else NO_TEXT)
        if by.kind in {"outsider", "unknown"}:
            said = CLOSED
        if not said and isinstance(info, dict):
            asked = Inbound(
                team_id=team,
                event_id=f"{HANDED_OVER}:{channel}:{message['ts']}",
                channel=channel,
                channel_type=_kind(info, channel),
                ts=f"{HANDED_OVER}:{message['ts']}",
                thread_ts=str(message.get("thread_ts") or message["ts"]),
                user_id=by.user_id,
                text=text,
                visitor=replace(by, shared_channel=not info or is_shared(info)),
            )
            said = await services.database.write(lambda c: _accepted(c, asked, str(message["ts"]), engine))
        await ack()
        log.info("shortcut", by=by.user_id, callback=ASK_ABOUT, refused=bool(said))
        if said:
            await respond(text=said, response_type="ephemeral")


def _accepted(connection: Any, asked: Inbound, ts: str, engine: Engine) -> str:
    """Why it is not answered, or "". A message that was written to us is answered already, or about to be."""
    written = replace(asked, ts=ts)
    if inbox.is_claimed(connection, written, kind="message"):
        return ALREADY
    return "" if inbox.accept(connection, asked, enqueue=engine.enqueue) else ALREADY


async def _place(services: jobs.Services, channel: str) -> dict[str, Any] | str:
    """Slack's conversation object, {} where it does not say it in time; else a French sentence."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            info = await channel_info(services.slack, channel)
    except SlackRefused as refusal:
        return {} if refusal.code == "missing_scope" else NOT_HERE
    except (SlackUnavailable, TimeoutError) as error:
        log.warning("channel_not_told", channel=channel, error=repr(error))
        return {}
    if info.get("is_archived"):
        return ARCHIVED
    return NOT_HERE if info.get("is_member") is False and not info.get("is_mpim") and not info.get("is_im") else info


def _objection(message: dict[str, Any], info: dict[str, Any] | str, *, own: str) -> str:
    if isinstance(info, str):
        return info
    return OURS if own and message.get("user") == own else ""


def _kind(info: dict[str, Any], channel: str) -> str:
    """As the event of a message names it; what Slack did not say counts as public."""
    if info.get("is_im") or channel.startswith("D"):
        return "im"
    if info.get("is_mpim"):
        return "mpim"
    return "group" if info.get("is_private") else "channel"
