"""Buttons under an answer that open a form: which deal it is to be noted on, and the digest of its commune."""

import hashlib
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.engine import Engine
from bot.listeners.choices import GONE, TWICE, asked_under
from bot.listeners.clicks import tell
from bot.listeners.digests import open_form
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import AnswerId
from bot.slack.blocks.fields import filled_in
from bot.slack.blocks.follow_ups import DEAL, FOLLOW, NOTE, NOTE_FORM, note_form
from bot.store import answers, inbox

log = structlog.get_logger()
NO_DEAL = "Nommez le dossier."


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    @app.action(NOTE)
    async def name_deal(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ack()
        by, team = await visitors.of_click(body, context), context.team_id or ""
        if not by.belongs_to(team):
            await tell(services, body, CLOSED)
            return
        await client.views_open(trigger_id=body["trigger_id"], view=note_form(str(body["actions"][0].get("value"))))

    @app.view(NOTE_FORM)
    async def note(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack: a question like any other, whose answer is a card."""
        by, team = await visitors.of_click(body, context), context.team_id or ""
        view, deal = body["view"], " ".join(str(filled_in(body["view"]).get(DEAL) or "").split())
        answer_id = AnswerId(str(view.get("private_metadata") or ""))

        def ask(connection: Any) -> str:
            row = answers.find(connection, answer_id)
            if row is None or row["team_id"] != team or not row["placeholder_ts"]:
                return GONE
            if not by.belongs_to(team):
                return CLOSED
            button = "note" + hashlib.sha256(str(view.get("id")).encode()).hexdigest()[:8]
            text = f"Note cette réponse sur le dossier {deal}"
            message = asked_under(connection, row, button=button, text=text, by=by)
            return "" if inbox.accept(connection, message, enqueue=engine.enqueue) else TWICE

        said = await services.database.write(ask) if deal else NO_DEAL
        if said:
            await ack(response_action="errors", errors={DEAL: said})
        else:
            await ack()
        log.info("note_asked", by=by.user_id, refused=bool(said))

    @app.action(FOLLOW)
    async def follow(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """The digest's form of this channel, with that commune chosen; nothing is kept before it is sent."""
        by, team = await visitors.of_click(body, context), context.team_id or ""
        if not by.belongs_to(team):
            await ack()
            await tell(services, body, CLOSED)
            return
        channel = (body.get("channel") or {}).get("id") or (body.get("container") or {}).get("channel_id") or ""
        asked = {"channel_id": channel, "trigger_id": body["trigger_id"]}
        await open_form(services, ack, asked, client, team=team, insee=str(body["actions"][0].get("value") or ""))
