"""Shortcuts on anybody's message: it is answered in its own thread, for who handed it to us, where its text is data; or
it becomes a note, as who took the shortcut words it."""

import asyncio
import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.context.respond.async_respond import AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.engine import Engine
from bot.listeners.places import ARCHIVED, NOT_HERE, is_shared
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import HANDED_OVER, Visitor
from bot.slack.blocks.fields import filled_in
from bot.slack.blocks.follow_ups import DEAL, MESSAGE_FORM, NOTE_TEXT, note_form
from bot.slack.delivery import Slack, SlackRefused, SlackUnavailable, channel_info
from bot.store import inbox
from bot.store.inbox import Inbound

log = structlog.get_logger()
ASK_ABOUT, NOTE_MESSAGE = "ask_about", "note_message"
QUOTES: Final = str.maketrans("«»", '""')
"""What is noted stands in quotation marks: its words order nothing."""
LOOK_SECONDS: Final = 1.0
"""Slack wants its ack within three seconds; where it has not said by then what the channel is, nothing of ours is
shown there."""
NO_TEXT: Final = "Ce message n'a pas de texte que je puisse lire."
OURS: Final = "Ce message est le mien : répondez dans son fil pour continuer."
ALREADY: Final = "J'ai déjà répondu à ce message, dans son fil."


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    _register_asking(app, services, engine, visitors)
    _register_noting(app, services, engine, visitors)


def _register_asking(app: AsyncApp, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    @app.shortcut(ASK_ABOUT)
    async def ask(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond) -> None:
        """Committed before the ack, like a message; a sentence for who asked alone where there is nothing to answer."""
        by, team = await visitors.of_click(body, context), context.team_id or ""
        message, channel = body["message"], str(body["channel"]["id"])
        text, info = _text_of(message), await _place(services.slack.of(team), channel)
        said = (
            CLOSED if by.kind in {"outsider", "unknown"} else _objection(message, info, own=context.bot_user_id or "")
        )
        if not said and isinstance(info, dict):
            asked = _asked(Message.of(body), info, team=team, by=by, button=HANDED_OVER, text=text)
            said = await services.database.write(lambda c: _accepted(c, asked, str(message["ts"]), engine))
        await ack()
        log.info("shortcut", by=by.user_id, callback=ASK_ABOUT, refused=bool(said))
        if said:
            await respond(text=said, response_type="ephemeral")


def _register_noting(app: AsyncApp, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    @app.shortcut(NOTE_MESSAGE)
    async def open_note(
        ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient, respond: AsyncRespond
    ) -> None:
        await ack()
        by, team = await visitors.of_click(body, context), context.team_id or ""
        text = _text_of(body["message"])
        if said := (NO_TEXT if not text else "") if by.belongs_to(team) else CLOSED:
            await respond(text=said, response_type="ephemeral")
            return
        view = note_form(json.dumps(asdict(Message.of(body))), text=text)
        await client.views_open(trigger_id=body["trigger_id"], view=view)

    @app.view(MESSAGE_FORM)
    async def note(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack: what stands in the form is this person's own order, and its answer is a card."""
        by, team = await visitors.of_click(body, context), context.team_id or ""
        filled, message = filled_in(body["view"]), Message(**json.loads(body["view"]["private_metadata"]))
        deal, text = (" ".join(str(filled.get(name) or "").split()) for name in (DEAL, NOTE_TEXT))
        info = await _place(services.slack.of(team), message.channel)
        said = "" if by.belongs_to(team) else CLOSED
        if isinstance(info, str):
            said = said or info
        elif not said:
            button = "note" + hashlib.sha256(str(body["view"].get("id")).encode()).hexdigest()[:8]
            order = f"Note sur le dossier {deal} : « {text.translate(QUOTES)} »"
            asked = _asked(message, info, team=team, by=by, button=button, text=order)
            new = await services.database.write(lambda c: inbox.accept(c, asked, enqueue=engine.enqueue))
            said = "" if new else ALREADY
        await (ack(response_action="errors", errors={DEAL: said}) if said else ack())
        log.info("note_asked", by=by.user_id, refused=bool(said))


@dataclass(frozen=True, slots=True)
class Message:
    """Where the message stands; `root`: its thread's, itself where it begins one."""

    channel: str
    ts: str
    root: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> "Message":
        message = body["message"]
        return cls(str(body["channel"]["id"]), str(message["ts"]), str(message.get("thread_ts") or message["ts"]))


def _asked(message: Message, info: dict[str, Any], *, team: str, by: Visitor, button: str, text: str) -> Inbound:
    """What is asked of us in the thread of that message; `info` {}: Slack did not say what the channel is."""
    return Inbound(
        team_id=team,
        event_id=f"{button}:{message.channel}:{message.ts}",
        channel=message.channel,
        channel_type=_kind(info, message.channel),
        ts=f"{button}:{message.ts}",
        thread_ts=message.root,
        user_id=by.user_id,
        text=text,
        visitor=replace(by, shared_channel=not info or is_shared(info)),
    )


def _text_of(message: dict[str, Any]) -> str:
    return " ".join(str(message.get("text") or "").split())


def _accepted(connection: Any, asked: Inbound, ts: str, engine: Engine) -> str:
    """Why it is not answered, or "". A message that was written to us is answered already, or about to be."""
    written = replace(asked, ts=ts)
    if inbox.is_claimed(connection, written, kind="message"):
        return ALREADY
    return "" if inbox.accept(connection, asked, enqueue=engine.enqueue) else ALREADY


async def _place(slack: Slack, channel: str) -> dict[str, Any] | str:
    """Slack's conversation object, {} where it does not say it in time; else a French sentence."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            info = await channel_info(slack, channel)
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
    if own and message.get("user") == own:
        return OURS
    return "" if _text_of(message) else NO_TEXT


def _kind(info: dict[str, Any], channel: str) -> str:
    """As the event of a message names it; what Slack did not say counts as public."""
    if info.get("is_im") or channel.startswith("D"):
        return "im"
    if info.get("is_mpim"):
        return "mpim"
    return "group" if info.get("is_private") else "channel"
