"""`/quartier digest`: the form of a channel's digest, its preview for the person alone, its pause and its end."""

from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.digests import form
from bot.digests.content import french_date
from bot.digests.due import PARIS, next_slot
from bot.digests.gathering import Sources, shows_deals
from bot.digests.subscriptions import Refused, Wanted, said
from bot.listeners.places import is_shared, look
from bot.listeners.visitors import CLOSED, Visitors
from bot.slack.blocks.digest_form import (
    COMMUNES,
    FORM,
    OTHERS,
    PAUSE,
    PREVIEW,
    RESUME,
    SHARED,
    STOP,
    digest_form,
    place_of,
    plain_view,
)
from bot.slack.blocks.digests import digest_blocks, digest_text
from bot.slack.blocks.fields import filled_in
from bot.slack.delivery import Blocks, Slack, SlackRefused, SlackUnavailable, ThreadRef, post_privately
from bot.store import subscriptions

log = structlog.get_logger()

LOOK_SECONDS = 5.0
"""How long an open form waits for HubSpot before it does without."""
READING = "Je regarde ce canal et vos dossiers ouverts…"
NOT_AWAY = "Les points hebdomadaires ne sont pas en service sur cette installation."
NOT_ACCEPTED = "Une autre entreprise lit ce canal : cochez pour publier ici, avec les seules sources publiques."


MOVED = {
    "paused": ":double_vertical_bar: Le point est en pause.",
    "active": ":large_green_circle: Le point reprend, à partir de son prochain jour.",
    "stopped": ":black_square_for_stop: Le point est arrêté.",
}


def register(app: AsyncApp, *, services: jobs.Services, visitors: Visitors) -> None:
    if (sources := services.digests) is not None:
        _register_keep(app, services, sources, visitors)
        _register_preview(app, services, sources, visitors)
        _register_moves(app, services, sources, visitors)


def _register_keep(app: AsyncApp, services: jobs.Services, sources: Sources, visitors: Visitors) -> None:
    @app.view(FORM)
    async def keep(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack; a wrong field says why and keeps the form open."""
        by, team = await visitors.of_click(body, context), context.team_id or ""
        channel, shared = place_of(body["view"])
        if not by.belongs_to(team):
            await ack(response_action="errors", errors={OTHERS: CLOSED})
            return
        try:
            wanted = _wanted(body["view"], sources, shared=shared)
        except Refused as refused:
            await ack(response_action="errors", errors={_field(refused, body["view"]): str(refused)})
            return
        moment = _moment(sources)
        await sources.database.write(
            lambda c: subscriptions.put(
                c, team_id=team, channel=channel, by=by.user_id, moment=moment, **wanted.columns()
            )
        )
        await ack()
        log.info("digest_set", channel=channel, by=by.user_id)
        await _privately(services.slack.of(team), channel, by.user_id, _confirmed(wanted, sources))


def _register_preview(app: AsyncApp, services: jobs.Services, sources: Sources, visitors: Visitors) -> None:
    @app.action(PREVIEW)
    async def preview(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """For who clicked alone; nothing is kept."""
        await ack()
        by, team = await visitors.of_click(body, context), context.team_id or ""
        channel, shared = place_of(body["view"])
        if not by.belongs_to(team):
            await _privately(services.slack.of(team), channel, by.user_id, CLOSED)
            return
        try:
            wanted = _wanted(body["view"], sources, shared=False)
        except Refused as refused:
            await _privately(services.slack.of(team), channel, by.user_id, str(refused))
            return
        with_deals = await shows_deals(sources, team_id=team, channel=channel, shared=shared)
        made = await form.preview(sources, team_id=team, channel=channel, wanted=wanted, with_deals=with_deals)
        content = {**made.frozen(), "title": f"Aperçu · {made.title}"[:150]}
        record = form.preview_record(content)
        text, blocks = digest_text(content, record), digest_blocks(content, record)
        await _privately(services.slack.of(team), channel, by.user_id, text, blocks)


def _register_moves(app: AsyncApp, services: jobs.Services, sources: Sources, visitors: Visitors) -> None:
    async def move(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        to = str(body["actions"][0].get("value") or "")
        by, team = await visitors.of_click(body, context), context.team_id or ""
        channel, shared = place_of(body["view"])
        sentence = CLOSED
        if by.belongs_to(team) and to in subscriptions.STATES:
            moment = _moment(sources)
            moved = await sources.database.write(
                lambda c: subscriptions.move(c, team_id=team, channel=channel, to=to, by=by.user_id, moment=moment)
            )
            sentence = MOVED[to] if moved else "C'était déjà fait : ce clic n'a rien changé."
        await ack()
        view = await _view(services, sources, team=team, channel=channel, shared=shared, told=sentence)
        await client.views_update(view_id=body["view"]["id"], view=view)

    for action_id in (PAUSE, RESUME, STOP):
        app.action(action_id)(move)


async def _privately(slack: Slack, channel: str, user: str, text: str, blocks: Blocks | None = None) -> None:
    try:
        await post_privately(slack, ThreadRef(channel, None), user=user, text=text, blocks=blocks)
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("digest_not_shown", error=repr(error))


async def open_form(
    services: jobs.Services,
    ack: AsyncAck,
    command: dict[str, Any],
    client: AsyncWebClient,
    *,
    team: str,
    insee: str = "",
) -> None:
    """The form for the channel in which the command was typed; a sentence where there cannot be a digest. It opens at
    once, for Slack's three seconds, and is filled when Slack and HubSpot have answered. `insee`: a commune to begin
    with, besides those that stand."""
    sources, channel = services.digests, command["channel_id"]
    if sources is None:
        await ack(response_type="ephemeral", text=NOT_AWAY)
        return
    await ack()
    opened = await client.views_open(trigger_id=command["trigger_id"], view=plain_view(READING))
    info = await look(services.slack.of(team), channel)
    if isinstance(info, str):
        view = plain_view(info)
    else:
        view = await _view(services, sources, team=team, channel=channel, shared=is_shared(info), insee=insee)
    await client.views_update(view_id=opened["view"]["id"], view=view)


async def _view(
    services: jobs.Services, sources: Sources, *, team: str, channel: str, shared: bool, told: str = "", insee: str = ""
) -> dict[str, Any]:
    row = await services.database.read(lambda c: subscriptions.find(c, team_id=team, channel=channel))
    shown = row or {"state": "", **Wanted().columns()}
    if insee and sources.deps.places.get(insee) is not None:
        shown = {**shown, "communes": list(dict.fromkeys((*shown["communes"], insee)))}
    with_deals = await shows_deals(sources, team_id=team, channel=channel, shared=shared)
    offered = {"chosen": shown["communes"], "seconds": LOOK_SECONDS, "with_deals": with_deals}
    choices, gap = await form.choices(sources, team_id=team, **offered)
    return digest_form(shown, choices, channel=channel, shared=shared, stored=row is not None, said=told, gap=gap)


def _wanted(view: dict[str, Any], sources: Sources, *, shared: bool) -> Wanted:
    """Raises `Refused` at the field that is wrong."""
    filled = filled_in(view)
    wanted = form.wanted_from(filled, sources.deps.places)
    if shared and not wanted.shared_allowed:
        raise Refused(SHARED, NOT_ACCEPTED)
    return wanted


def _field(refused: Refused, view: dict[str, Any]) -> str:
    """The block that the error stands under: communes are named in two of them."""
    blocks = {block.get("block_id") for block in view.get("blocks") or ()}
    if refused.field == COMMUNES or refused.field not in blocks:
        return OTHERS
    return refused.field


def _confirmed(wanted: Wanted, sources: Sources) -> str:
    places, slot = sources.deps.places, next_slot(sources.clock(), weekday=wanted.weekday, at=wanted.at)
    about = said(wanted, places) or "tout le champ, sans commune"
    return (
        f":calendar: Point réglé : {about}. Prochain : {french_date(slot)} à {slot.astimezone(PARIS):%H h %M}. "
        "`/quartier digest` le change, le met en pause ou l'arrête."
    )


def _moment(sources: Sources) -> str:
    return sources.clock().isoformat(timespec="milliseconds")
