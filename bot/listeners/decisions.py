"""Clicks on a proposal's card: decided in one transaction before the ack, always answered."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.engine import Engine
from bot.listeners.clicks import settle, tell
from bot.listeners.verdicts import sentence
from bot.listeners.visitors import Visitors
from bot.proposals import deciding, lifecycle
from bot.proposals.lifecycle import Decision
from bot.proposals.showing import show_card
from bot.slack.blocks.cards import ABSENT, APPROVE, READ, REJECT, SEEN, UNDO, reading_view
from bot.store.tables import Row

Body = dict[str, Any]
SHOWN_WITHIN = timedelta(seconds=10)
"""How long a card may lag behind its row before a click that changed nothing brings it up to date."""


@dataclass(frozen=True, slots=True)
class Clicks:
    """Who clicked on which proposal; what is decided is committed, then acked, then shown."""

    services: jobs.Services
    visitors: Visitors

    async def clicked(self, body: Body, context: AsyncBoltContext) -> dict[str, Any]:
        card, by = str(body["actions"][0].get("value") or ""), await self.visitors.of_click(body, context)
        return {"proposal_id": card, "team_id": context.team_id or "", "by": by}

    async def decided(self, ack: AsyncAck, body: Body, decide: Callable[[Any], Decision]) -> None:
        await settle(self.services, ack, body, decide, show=self._show, sentence=sentence)

    async def _show(self, decision: Decision) -> None:
        """Not what somebody else has just changed: they show it themselves, and fifty clicks at once would be fifty
        updates of one message. A card that is behind for longer is mended."""
        if decision.row is not None and not (decision.verdict == "already" and _just_decided(decision.row)):
            await show_card(self.services.database, self.services.slack, decision.row["proposal_id"])


def _just_decided(row: Row) -> bool:
    latest = max(row["decided_at"] or "", row["undone_at"] or "")
    return bool(latest) and abs(datetime.now(UTC) - datetime.fromisoformat(latest)) < SHOWN_WITHIN


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    clicks = Clicks(services, visitors)
    _register_deciding(app, clicks, engine)
    _register_resolving(app, clicks, engine)

    @app.action(READ)
    async def read(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """What a note would say in full, or a private sentence for who may not read it."""
        await ack()
        click = await clicks.clicked(body, context)
        seen = await services.database.read(lambda c: lifecycle.look(c, **click))
        if seen.verdict == "accepted" and seen.row is not None:
            await client.views_open(trigger_id=body["trigger_id"], view=reading_view(seen.row))
        else:
            await tell(services, body, sentence(seen))


def _register_deciding(app: AsyncApp, clicks: Clicks, engine: Engine) -> None:
    terms, queued = clicks.services.terms, engine.enqueue

    @app.action(APPROVE)
    async def approve(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        click = await clicks.clicked(body, context) | {"name": name_of(body)}
        await clicks.decided(ack, body, lambda c: deciding.approve(c, **click, terms=terms, enqueue=queued))

    @app.action(REJECT)
    async def reject(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        click = await clicks.clicked(body, context) | {"name": name_of(body)}
        await clicks.decided(ack, body, lambda c: deciding.reject(c, **click, terms=terms))

    @app.action(UNDO)
    async def undo(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        click = await clicks.clicked(body, context)
        await clicks.decided(ack, body, lambda c: deciding.undo(c, **click, terms=terms, enqueue=queued))


def _register_resolving(app: AsyncApp, clicks: Clicks, engine: Engine) -> None:
    terms = clicks.services.terms

    async def resolve(ack: AsyncAck, body: Body, context: AsyncBoltContext, *, there: bool) -> None:
        click = await clicks.clicked(body, context) | {"name": name_of(body)}
        kept: dict[str, Any] = {"terms": terms, "enqueue": engine.enqueue, "seen_there": there}
        await clicks.decided(ack, body, lambda c: deciding.resolve(c, **click, **kept))

    @app.action(SEEN)
    async def seen(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        await resolve(ack, body, context, there=True)

    @app.action(ABSENT)
    async def absent(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        await resolve(ack, body, context, there=False)


def name_of(body: dict[str, Any]) -> str:
    return str(body["user"].get("name") or body["user"].get("username") or body["user"]["id"])
