"""The Home tab, its buttons, and the opening of a direct message."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.conversations.desk import Room, desk_of
from bot.conversations.reading_deals import NO_CRM
from bot.engine import Engine
from bot.listeners.commands import sources_page
from bot.listeners.decisions import name_of
from bot.listeners.digests import open_form
from bot.listeners.uploads import clicker_of
from bot.listeners.verdicts import sentence
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import Visitor
from bot.proposals import deciding
from bot.proposals.lifecycle import Decision
from bot.proposals.showing import show_card
from bot.slack.blocks.help import PROMPTS, closed_view, suggested_prompts
from bot.slack.blocks.home import APPROVE, DIGEST, OPEN, REJECT, SOURCES, STOP, TRY, dm_of, home_view
from bot.slack.delivery import SlackRefused, SlackUnavailable, ThreadRef, post_once
from bot.store import crm_accounts, inbox, watches
from bot.store.crm_accounts import Ticket
from bot.store.inbox import Inbound

log = structlog.get_logger()
Body = dict[str, Any]
APPROVED = ":white_check_mark: Validé : l'écriture part, sa carte dans le fil le dit."
REJECTED = ":no_entry_sign: Rejeté : rien n'est écrit."
STOPPED, NO_WATCH = ":black_square_for_stop: Veille arrêtée.", "Cette veille est déjà arrêtée."
TRIED = ":speech_balloon: Question posée : la réponse arrive dans l'onglet Messages."
TRYING = "Un exemple, depuis l'accueil."


@dataclass(frozen=True, slots=True)
class Pages:
    """Each person's Home tab."""

    services: jobs.Services
    visitors: Visitors
    parts: tuple[str, ...]

    async def publish(self, by: Visitor, client: AsyncWebClient, *, team: str, dm: str, said: str = "") -> None:
        services = self.services
        if by.belongs_to(team):
            room = Room(
                services.database,
                services.slack,
                services.deps.index,
                services.news,
                services.budgets,
                (*self.parts, NO_CRM),
            )
            desk = replace(
                await desk_of(room, team_id=team, person=by.user_id), connect_crm=await self._connect(by, team)
            )
            view = home_view(desk, self.parts, dm=dm, said=said)
        else:
            view = closed_view(CLOSED)
        await client.views_publish(user_id=by.user_id, view=view)

    async def _connect(self, by: Visitor, team: str) -> str:
        """A link of their own for a member of a team that has no HubSpot yet."""
        services = self.services
        if services.installing is None or services.installing.portals is None:
            return ""
        if await services.database.read(lambda c: crm_accounts.find(c, team)) is not None:
            return ""
        shown = await services.database.write(lambda c: crm_accounts.issue(c, Ticket(team, by.user_id)))
        return f"{services.installing.portals.oauth.redirect_uri.rpartition('/')[0]}/connect?ticket={shown}"

    async def again(self, body: Body, context: AsyncBoltContext, client: AsyncWebClient, said: str) -> None:
        """After a click on it."""
        by = await self.visitors.of_click(body, context)
        await self.publish(by, client, team=context.team_id or "", dm=dm_of(body.get("view") or {}), said=said)


def register(
    app: AsyncApp, *, services: jobs.Services, engine: Engine, parts: tuple[str, ...], visitors: Visitors
) -> None:
    pages = Pages(services, visitors, parts)
    _register_deciding(app, pages, engine)
    _register_following(app, pages)
    _register_trying(app, pages, engine)

    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        if event.get("tab") == "messages":
            await _suggest(client, event["channel"])
            return
        by = await visitors.of_home(event["user"], context)
        await pages.publish(by, client, team=context.team_id or "", dm=str(event.get("channel") or ""))

    @app.action(OPEN)
    async def followed(ack: AsyncAck) -> None:
        """A link: Slack opens it, and tells us."""
        await ack()


def _register_deciding(app: AsyncApp, pages: Pages, engine: Engine) -> None:
    services = pages.services

    async def decide(
        ack: AsyncAck,
        body: Body,
        context: AsyncBoltContext,
        client: AsyncWebClient,
        rule: Callable[..., Decision],
        done: str,
        **more: Any,
    ) -> None:
        """As on the card: committed, then acked, then shown on the card and here."""
        by = await pages.visitors.of_click(body, context)
        click = {"proposal_id": str(body["actions"][0].get("value") or ""), "team_id": context.team_id or "", "by": by}
        decision = await services.database.write(lambda c: rule(c, **click, name=name_of(body), **more))
        await ack()
        log.info("click", verdict=decision.verdict, by=by.user_id, action=body["actions"][0]["action_id"])
        if decision.row is not None:
            try:
                await show_card(services.database, services.slack, decision.row["proposal_id"])
            except (SlackUnavailable, SlackRefused) as error:
                log.warning("click_not_shown", error=repr(error))
        await pages.again(body, context, client, sentence(decision) or done)

    @app.action(APPROVE)
    async def approve(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        more = {"terms": services.terms, "enqueue": engine.enqueue}
        await decide(ack, body, context, client, deciding.approve, APPROVED, **more)

    @app.action(REJECT)
    async def reject(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await decide(ack, body, context, client, deciding.reject, REJECTED, terms=services.terms)


def _register_following(app: AsyncApp, pages: Pages) -> None:
    services = pages.services

    @app.action(re.compile(rf"^{DIGEST}:"))
    async def adjust(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        by, team = await pages.visitors.of_click(body, context), context.team_id or ""
        if not by.belongs_to(team):
            await ack()
            return
        asked = {"channel_id": str(body["actions"][0].get("value") or ""), "trigger_id": body["trigger_id"]}
        await open_form(services, ack, asked, client, team=team)

    @app.action(re.compile(rf"^{STOP}:"))
    async def stop(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        by, team = await pages.visitors.of_click(body, context), context.team_id or ""
        watch_id = str(body["actions"][0].get("value") or "")

        def ended(connection: Any) -> bool:
            row = watches.find(connection, watch_id, team_id=team)
            return by.belongs_to(team) and row is not None and watches.stop(connection, row, by=by.user_id)

        done = await services.database.write(ended)
        await ack()
        await pages.again(body, context, client, STOPPED if done else NO_WATCH)

    @app.action(SOURCES)
    async def sources(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ack()
        by = clicker_of(await pages.visitors.of_click(body, context), context, services)
        view = await sources_page(services, by, channel=dm_of(body.get("view") or {}), words="")
        await client.views_open(trigger_id=body["trigger_id"], view=view)


def _register_trying(app: AsyncApp, pages: Pages, engine: Engine) -> None:
    services = pages.services

    @app.action(re.compile(rf"^{TRY}:"))
    async def ask(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """An example, asked in the direct conversation by who clicked: our line is what its thread hangs from."""
        await ack()
        by, team = await pages.visitors.of_click(body, context), context.team_id or ""
        dm, number = dm_of(body.get("view") or {}), str(body["actions"][0].get("value") or "")
        if not by.belongs_to(team) or not dm or not number.isdecimal() or int(number) >= len(PROMPTS):
            return
        key = f"{TRY}:{body['actions'][0].get('action_ts')}"
        root = await post_once(
            services.slack.of(team), ThreadRef(dm, None), key=key, text=TRYING, blocks=None, maybe_posted=False
        )
        message = Inbound(
            team_id=team,
            event_id=f"{TRY}:{root}",
            channel=dm,
            channel_type="im",
            ts=f"try:{root}",
            thread_ts=root,
            user_id=by.user_id,
            text=PROMPTS[int(number)][1],
            visitor=by,
        )
        await services.database.write(lambda c: inbox.accept(c, message, enqueue=engine.enqueue))
        await pages.again(body, context, client, TRIED)


async def _suggest(client: AsyncWebClient, channel: str) -> None:
    """Prompts to begin with; a workspace without agent features refuses them, and nothing else is missing there."""
    try:
        await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=suggested_prompts())
    except SlackApiError as refusal:
        log.info("no_prompts_here", code=refusal.response.get("error"))
