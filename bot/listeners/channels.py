"""`/quartier canal`: what members choose for a channel. Kept with who and when, and told to the channel."""

import asyncio
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.listeners.channel_choices import filled_from, settings_from
from bot.listeners.places import is_shared, look
from bot.listeners.visitors import CLOSED, Visitors
from bot.slack.blocks.channel_form import (
    APPROVERS,
    DEALS,
    FORM,
    Filled,
    channel_form,
    plain_view,
    read_form,
)
from bot.slack.delivery import Slack, SlackRefused, SlackUnavailable, ThreadRef, post_once, post_privately
from bot.store import channels
from bot.store.inbox import utc_now
from pipeline.section_names import OPTIONAL

log = structlog.get_logger()

LOOKING = "Je regarde ce canal…"
DIRECT = "Un message direct n'a rien à régler : vous seul lisez ce que j'y réponds."
SHARED = (
    "Une autre entreprise lit ce canal : je n'y montre ni dossier ni fichier de l'équipe et n'y propose aucune "
    "écriture, quoi qu'on règle."
)
NO_MEMBER = "Seuls des membres de cet espace approuvent : retirez les invités et les personnes d'une autre entreprise."
UNKNOWN = "Ce choix n'existe pas ou plus : rouvrez `/quartier canal`."
KEPT = "C'est réglé. `/quartier canal` le montre et le change."
TOLD = {
    "open": ":large_green_circle: <@{by}> a ouvert ce canal aux dossiers de HubSpot : qui le lit verra ceux que "
    "j'y montre.",
    "closed": ":no_entry: <@{by}> a fermé ce canal aux dossiers de HubSpot : je n'en montre plus ici.",
    "auto": ":leftwards_arrow_with_hook: <@{by}> a remis ce canal au réglage de tout l'espace pour les dossiers de "
    "HubSpot.",
}


def register(app: AsyncApp, *, services: jobs.Services, visitors: Visitors) -> None:
    @app.view(FORM)
    async def keep(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack; a wrong field says why and keeps the form open."""
        by, team, filled = await visitors.of_click(body, context), context.team_id or "", read_form(body["view"])
        wrong = {} if by.belongs_to(team) else {DEALS: CLOSED}
        wrong = wrong or await _wrong(filled, visitors, team=team)
        settings = wrong or await settings_from(filled, services, by=by.user_id, team=team)
        if not isinstance(settings, channels.ChannelSettings):
            await ack(response_action="errors", errors=settings)
            return
        place = {"team_id": team, "channel": filled.channel}

        def put(connection: Any) -> str:
            before = channels.deals_in(connection, **place)
            deals, approvers = filled.deals, filled.approvers
            channels.put(connection, **place, by=by.user_id, deals=deals, approvers=approvers, settings=settings)
            return before

        before = await services.database.write(put)
        await ack()
        log.info("channel_set", channel=filled.channel, by=by.user_id, deals=filled.deals)
        await _tell(services.slack.of(team), filled, by=by.user_id, changed=before != filled.deals)


async def _wrong(filled: Filled, visitors: Visitors, *, team: str) -> dict[str, str]:
    """What is wrong, by field: an approver has to be a member, for a name on a list makes nobody one."""
    if filled.deals not in channels.DEALS or not filled.channel:
        return {DEALS: UNKNOWN}
    known = await asyncio.gather(*(visitors.is_member(user, team_id=team) for user in filled.approvers))
    return {} if all(known) else {APPROVERS: NO_MEMBER}


async def _tell(slack: Slack, filled: Filled, *, by: str, changed: bool) -> None:
    """The channel, when what it shows changes: those who read it should know; else who set it, alone."""
    place = ThreadRef(filled.channel, None)
    try:
        if changed:
            key, text = f"channel:{filled.channel}:{utc_now()}", TOLD[filled.deals].format(by=by)
            await post_once(slack, place, key=key, text=text, blocks=None, maybe_posted=False)
        else:
            await post_privately(slack, place, user=by, text=KEPT)
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("channel_not_told", error=repr(error))


async def open_settings(
    services: jobs.Services, ack: AsyncAck, command: dict[str, Any], client: AsyncWebClient, *, team: str
) -> None:
    """The form for the channel in which the command was typed, or why there is none. It opens at once, for Slack's
    three seconds, and is filled when Slack has said what the channel is."""
    channel = command["channel_id"]
    if channel.startswith("D"):
        await ack(response_type="ephemeral", text=DIRECT)
        return
    await ack()
    opened = await client.views_open(trigger_id=command["trigger_id"], view=plain_view(LOOKING))
    view = await _view(services, channel=channel, team=team)
    await client.views_update(view_id=opened["view"]["id"], view=view)


async def _view(services: jobs.Services, *, channel: str, team: str) -> dict[str, Any]:
    info = await look(services.slack.of(team), channel)
    if isinstance(info, str):
        return plain_view(info)
    if is_shared(info):
        return plain_view(SHARED)
    row = await services.database.read(lambda c: channels.find(c, team_id=team, channel=channel))
    private = bool(info.get("is_private") or info.get("is_mpim"))
    now = filled_from(row, channels.settings_in(row), channel=channel, places=services.deps.places)
    shown = private or not services.readers.restricted
    return channel_form(row, now, channel=channel, shown_by_default=shown, sections=OPTIONAL)
