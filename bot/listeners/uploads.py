"""Clicks on a dropped file's card: decided in one transaction before the ack, always answered."""

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot import jobs
from bot.documents import cards, uploads
from bot.documents.uploads import Clicker, Decision, Scope
from bot.engine import Engine
from bot.listeners.clicks import settle
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import Visitor
from bot.slack.blocks.text import french_time
from bot.slack.blocks.uploads import AGAIN, DECLINE, HERE, REMOVE, STATES, TEAM

SCOPES: dict[str, Scope] = {HERE: "here", TEAM: "team", AGAIN: "again"}


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    async def show(decision: Decision) -> None:
        row = decision.row
        if row is not None and decision.verdict in {"accepted", "already"}:
            await cards.show_card(services.file_ingestion, uploads.subject_of(row["team_id"], row["source_id"]))

    async def answered(ack: AsyncAck, body: dict[str, Any], decide: Callable[[Any], Decision]) -> None:
        await settle(services, ack, body, decide, show=show, sentence=refusal_sentence)

    async def clicker(body: dict[str, Any], context: AsyncBoltContext) -> Clicker:
        return clicker_of(await visitors.of_click(body, context), context, services)

    async def add(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        scope, by = SCOPES[body["actions"][0]["action_id"]], await clicker(body, context)
        await answered(ack, body, lambda c: uploads.take(c, _source(body), scope=scope, by=by, enqueue=engine.enqueue))

    for action_id in SCOPES:
        app.action(action_id)(add)

    @app.action(DECLINE)
    async def decline(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        by = await clicker(body, context)
        await answered(ack, body, lambda c: uploads.decline(c, _source(body), by=by))

    @app.action(REMOVE)
    async def remove(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        by = await clicker(body, context)
        await answered(ack, body, lambda c: uploads.remove(c, _source(body), by=by, enqueue=engine.enqueue))


def refusal_sentence(decision: Decision) -> str:
    """Why a click changed nothing; empty for one that did."""
    row = decision.row
    match decision.verdict:
        case "accepted":
            return ""
        case "not_allowed" if row is not None:
            return f"Seule la personne qui a déposé ce fichier (<@{row['added_by']}>) ou un approbateur décide ici."
        case "stranger":
            return CLOSED
        case "already" if row is not None:
            who, when = row["removed_by"] or row["decided_by"], row["removed_at"] or row["decided_at"]
            told = f", par <@{who}> le {french_time(when)}" if who and when else ""
            return f"C'est déjà décidé ({STATES.get(row['state'], 'traité')}{told}) : ce clic n'a rien changé."
        case _:
            return "Je ne connais pas ce fichier dans cet espace Slack : rien n'a été fait."


def clicker_of(visitor: Visitor, context: AsyncBoltContext, services: jobs.Services) -> Clicker:
    """Who clicked, in the team that the payload is about."""
    return Clicker(visitor, team=context.team_id or "", approvers=services.terms.approvers)


def _source(body: dict[str, Any]) -> str:
    return str(body["actions"][0].get("value") or "")
