"""Clicks on a proposal's card: decided in one transaction before the ack, always answered."""

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.engine import Engine
from bot.listeners.clicks import settle, tell
from bot.listeners.visitors import CLOSED, Visitors
from bot.proposals import lifecycle
from bot.proposals.lifecycle import Decision
from bot.proposals.showing import show_card
from bot.slack.blocks.cards import APPROVE, READ, REJECT, UNDO, reading_view
from bot.slack.blocks.text import french_time

STATES = {
    "approved": "validée",
    "executing": "validée",
    "done": "écrite",
    "rejected": "rejetée",
    "expired": "expirée",
    "failed": "tentée sans succès",
    "unknown": "tentée, sans confirmation de HubSpot",
}
TAKEN_BACK = {
    "undoing": "L'écriture est déjà en cours d'annulation : ce clic n'a rien changé.",
    "undone": "L'écriture a déjà été annulée : ce clic n'a rien changé.",
}
"""Without a name: `decided_by` is who approved, and somebody else may have undone it."""


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    terms = services.terms

    async def show(decision: Decision) -> None:
        if decision.row is not None:
            await show_card(services.database, services.slack, decision.row["proposal_id"])

    async def answered(ack: AsyncAck, body: dict[str, Any], decide: Callable[[Any], Decision]) -> None:
        await settle(services, ack, body, decide, show=show, sentence=_sentence)

    async def clicked(body: dict[str, Any], context: AsyncBoltContext) -> dict[str, Any]:
        card = str(body["actions"][0].get("value") or "")
        return {"proposal_id": card, "team_id": context.team_id or "", "by": await visitors.of_click(body, context)}

    @app.action(APPROVE)
    async def approve(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        click = await clicked(body, context)
        await answered(
            ack,
            body,
            lambda c: lifecycle.approve(c, **click, name=_name(body), terms=terms, enqueue=engine.enqueue),
        )

    @app.action(REJECT)
    async def reject(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        click = await clicked(body, context)
        await answered(ack, body, lambda c: lifecycle.reject(c, **click, name=_name(body), terms=terms))

    @app.action(UNDO)
    async def undo(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        click = await clicked(body, context)
        await answered(ack, body, lambda c: lifecycle.undo(c, **click, terms=terms, enqueue=engine.enqueue))

    @app.action(READ)
    async def read(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """What a note would say in full, or a private sentence for who may not read it."""
        await ack()
        click = await clicked(body, context)
        seen = await services.database.read(lambda c: lifecycle.look(c, **click))
        if seen.verdict == "accepted" and seen.row is not None:
            await client.views_open(trigger_id=body["trigger_id"], view=reading_view(seen.row))
        else:
            await tell(services, body, _sentence(seen))


def _sentence(decision: Decision) -> str:
    row = decision.row
    match decision.verdict:
        case "accepted":
            return ""
        case "stranger":
            return CLOSED
        case "not_allowed" if row is not None:
            asker = f"<@{row['requested_by']}>"
            return f"Seule la personne qui a posé la question ({asker}) ou un approbateur peut décider ici."
        case "expired":
            return "Cette proposition a expiré : rien n'a été écrit. Redemandez-la-moi si elle est toujours utile."
        case "already" if row is not None and row["state"] in TAKEN_BACK:
            return TAKEN_BACK[row["state"]]
        case "already" if row is not None:
            who = f" par <@{row['decided_by']}> le {french_time(row['decided_at'])}" if row["decided_by"] else ""
            return f"Cette proposition a déjà été {STATES.get(row['state'], 'traitée')}{who} : ce clic n'a rien changé."
        case "changed":
            return "Le contenu enregistré ne correspond plus à ce que montrait la carte : rien n'a été écrit."
        case _:
            return "Je ne connais pas cette proposition dans cet espace Slack : rien n'a été écrit."


def _name(body: dict[str, Any]) -> str:
    return str(body["user"].get("name") or body["user"].get("username") or body["user"]["id"])
