"""The slash command `/quartier`: help, why the last answers say what they say, the digest, the channel's settings, and
the list of sources as a modal that searches and removes."""

from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.conversations import judging
from bot.documents import cards, ingestion, uploads
from bot.documents.listing import listing
from bot.documents.uploads import Clicker
from bot.engine import Engine
from bot.errors import CorpusAway
from bot.listeners.channels import open_settings
from bot.listeners.digests import open_form
from bot.listeners.uploads import clicker_of, refusal_sentence
from bot.listeners.visitors import CLOSED, Visitors
from bot.listeners.watches import said_of_watches
from bot.news.standing import standing
from bot.slack.blocks.help import HELP
from bot.slack.blocks.sources import LIST, WITHDRAW, read_metadata, read_words, sources_view
from bot.slack.blocks.text import escape, verbatim
from bot.slack.blocks.why import recent_blocks
from bot.slack.delivery import SlackRefused, SlackUnavailable

log = structlog.get_logger()
HELPING = {"", "aide", "help"}
RECENT = "Mes dernières réponses ici"


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    _register_list(app, services=services, engine=engine, visitors=visitors)

    @app.command("/quartier")
    async def quartier(
        ack: AsyncAck, command: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        asked = str(command.get("text") or "").strip()
        verb, _, words = asked.partition(" ")
        by = clicker_of(await visitors.of_click(command, context), context, services)
        if not by.is_member:
            await ack(response_type="ephemeral", text=CLOSED)
            return
        if verb.lower() == "digest":
            await open_form(services, ack, command, client, team=by.team)
            return
        if verb.lower() == "canal":
            await open_settings(services, ack, command, client, team=by.team)
            return
        if verb.lower() == "veille":
            await ack(response_type="ephemeral", text=await said_of_watches(services, command, words, by))
            return
        if verb.lower() == "sources":
            await ack()
            view = await sources_page(services, by, channel=command["channel_id"], words=words)
            await client.views_open(trigger_id=command["trigger_id"], view=view)
            return
        if verb.lower() == "pourquoi":
            here = {"channel": command["channel_id"], "team_id": by.team, "by": by.visitor}
            rows = await services.database.read(lambda c: judging.recent(c, **here))
            await ack(response_type="ephemeral", text=RECENT, blocks=verbatim(recent_blocks(rows)))
            return
        unknown = f"Je ne connais pas la commande « {asked[:80]} ».\n\n" if asked.lower() not in HELPING else ""
        await ack(response_type="ephemeral", text=unknown.replace("<", "‹") + HELP)


def _register_list(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    async def clicker(body: dict[str, Any], context: AsyncBoltContext) -> Clicker:
        return clicker_of(await visitors.of_click(body, context), context, services)

    @app.view(LIST)
    async def search(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """The list again, for other words; the place that it was opened in decides what it may show."""
        channel, _ = read_metadata(body["view"])
        by = await clicker(body, context)
        view = await sources_page(services, by, channel=channel, words=read_words(body["view"]))
        await ack(response_action="update", view=view)

    @app.action(WITHDRAW)
    async def withdraw(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Removed at once, and by a job if this process does not get that far."""
        source_id, by = str(body["actions"][0].get("value") or ""), await clicker(body, context)
        decision = await services.database.write(lambda c: uploads.remove(c, source_id, by=by, enqueue=engine.enqueue))
        await ack()
        log.info("click", verdict=decision.verdict, by=by.user_id, action=WITHDRAW)
        said = refusal_sentence(decision)
        if decision.verdict == "accepted" and decision.row is not None:
            said = await _withdrawn(services, uploads.subject_of(by.team, source_id), decision.row["name"])
        channel, words = read_metadata(body["view"])
        view = await sources_page(services, by, channel=channel, words=words, said=said)
        await client.views_update(view_id=body["view"]["id"], view=view)


async def _withdrawn(services: jobs.Services, subject: str, name: str) -> str:
    """The job does the same: whoever comes second finds nothing left to do."""
    try:
        await ingestion.remove_file(services.file_ingestion, subject)
        await cards.show_card(services.file_ingestion, subject)
    except CorpusAway:
        return f":hourglass_flowing_sand: « {escape(name)} » sera retiré dès que la base documentaire répondra."
    except (SlackUnavailable, SlackRefused) as error:
        log.warning("card_not_updated", error=repr(error))
    return f":wastebasket: « {escape(name)} » est retiré : aucun de ses passages ne peut plus être cité."


async def sources_page(
    services: jobs.Services, by: Clicker, *, channel: str, words: str, said: str = ""
) -> dict[str, Any]:
    """The list as a modal: what the whole team sees, and what that channel does."""
    if not by.is_member:
        nothing = frozenset[str]()
        return sources_view((), channel=channel, words="", total=0, built_in=None, removable=nothing, said=CLOSED)
    found = await listing(services.database, services.deps.index, team_id=by.team, channel=channel, words=words)
    removable = frozenset(row["source_id"] for row in found.rows if uploads.may_decide(row, by))
    return sources_view(
        found.rows,
        channel=channel,
        words=found.words,
        total=found.total,
        built_in=found.built_in,
        by_command=found.by_command,
        removable=removable,
        news=await standing(services.news) if services.news else (),
        said=said,
    )
