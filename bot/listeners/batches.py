"""Clicks that decide on all proposals of one answer."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot import jobs
from bot.engine import Engine
from bot.listeners.clicks import settle
from bot.listeners.decisions import name_of
from bot.listeners.verdicts import batch_sentence
from bot.listeners.visitors import Visitors
from bot.proposals import deciding
from bot.proposals.batches import BatchDecision, decide_all
from bot.proposals.lifecycle import Decision
from bot.proposals.showing import show_batch, show_card
from bot.slack.blocks.batches import APPROVE_ALL, REJECT_ALL


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    """« Tout valider » and « Tout rejeter »: each proposal on its own merits, all in one transaction."""
    terms = services.terms

    async def show(decision: BatchDecision) -> None:
        for one in decision.each:
            if one.verdict == "accepted" and one.row is not None:
                await show_card(services.database, services.slack, one.row["proposal_id"], alone=True)
        if decision.row is not None:
            await show_batch(services.database, services.slack, decision.row["answer_id"])

    async def all_of(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, *, write: bool) -> None:
        key, team_id = str(body["actions"][0].get("value") or ""), context.team_id or ""
        who: dict[str, Any] = {"team_id": team_id, "by": await visitors.of_click(body, context)}
        who |= {"name": name_of(body), "terms": terms}

        def decide(connection: Any, proposal_id: str) -> Decision:
            if write:
                return deciding.approve(connection, proposal_id, **who, enqueue=engine.enqueue)
            return deciding.reject(connection, proposal_id, **who)

        await settle(
            services,
            ack,
            body,
            lambda c: decide_all(c, key, team_id=team_id, decide=decide),
            show=show,
            sentence=batch_sentence,
        )

    @app.action(APPROVE_ALL)
    async def approve_all(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        await all_of(ack, body, context, write=True)

    @app.action(REJECT_ALL)
    async def reject_all(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        await all_of(ack, body, context, write=False)
