"""« Modifier » and « Préciser le motif »: a modal on a proposal, and what is made of what was filled in."""

import asyncio
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot import jobs
from bot.listeners.clicks import tell
from bot.listeners.verdicts import sentence
from bot.listeners.visitors import Visitors
from bot.ports import Visitor
from bot.proposals import deciding, versions
from bot.proposals.form import filled, first_field, form_of
from bot.proposals.lifecycle import Decision, action_from_json
from bot.proposals.showing import show_card, where
from bot.slack.blocks.cards import EDIT, REASON
from bot.slack.blocks.proposal_form import (
    EDIT_FORM,
    REASON_FORM,
    SAID,
    edit_view,
    reading_hubspot,
    reason_in,
    reason_view,
    values_of,
)
from bot.slack.delivery import SlackRefused, SlackUnavailable, post_privately
from pipeline.errors import CrmUnavailable
from pipeline.proposing.revising import Revised, revised
from pipeline.text.masking import mask

log = structlog.get_logger()

FORM_SECONDS = 8.0
"""How long an open modal waits for HubSpot."""
ACK_SECONDS = 2.3
"""Within which a submitted one has its answer: Slack wants it in three. Who submits is asked first, HubSpot then."""
LATER = "HubSpot ne répond pas assez vite pour vérifier cette valeur : enregistrez à nouveau dans un instant."


Body = dict[str, Any]


def register(app: AsyncApp, *, services: jobs.Services, visitors: Visitors) -> None:
    _register_edit(app, services, visitors)
    _register_keep(app, services, visitors)
    _register_reason(app, services, visitors)


async def _who(services: jobs.Services, visitors: Visitors, body: Body, context: AsyncBoltContext) -> dict[str, Any]:
    """Who clicked or submitted, on which proposal."""
    view = body.get("view") or {}
    proposal_id = view.get("private_metadata") if view else body["actions"][0].get("value")
    by = await visitors.of_click(body, context)
    return {"proposal_id": str(proposal_id or ""), "team_id": context.team_id or "", "by": by, "terms": services.terms}


def _register_edit(app: AsyncApp, services: jobs.Services, visitors: Visitors) -> None:
    @app.action(EDIT)
    async def edit(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Opens at once, for Slack's three seconds, and is filled when HubSpot has answered."""
        await ack()
        click = await _who(services, visitors, body, context)
        seen = await services.database.write(lambda c: versions.may_edit(c, **click))
        log.info("click", verdict=seen.verdict, by=click["by"].user_id, action=EDIT)
        if seen.verdict != "accepted" or seen.row is None:
            await _refused(services, body, seen)
            return
        proposal_id = click["proposal_id"]
        opened = await client.views_open(trigger_id=body["trigger_id"], view=reading_hubspot(proposal_id))
        crm = (await services.deps_of(seen.row["team_id"])).crm
        form = await form_of(seen.row["action"], crm=crm, seconds=FORM_SECONDS)
        try:
            await client.views_update(view_id=opened["view"]["id"], view=edit_view(proposal_id, form))
        except SlackApiError as refusal:  # somebody who does not wait closes it
            log.info("form_closed", code=refusal.response.get("error"))


def _register_keep(app: AsyncApp, services: jobs.Services, visitors: Visitors) -> None:
    @app.view(EDIT_FORM)
    async def keep(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        """Committed before the ack; what is wrong is said under its field and the form stays open."""
        deadline = asyncio.get_running_loop().time() + ACK_SECONDS
        click, values = await _who(services, visitors, body, context), values_of(body["view"])
        seen = await services.database.write(lambda c: versions.may_edit(c, **click))
        remarks: tuple[str, ...] = ()
        if seen.verdict == "accepted" and seen.row is not None:
            made = await _made(services, seen.row, filled(values), deadline=deadline)
            if made.action is None:
                await _wrong(ack, values, made.field, made.refused)
                return
            action, now, remarks = made.action, services.deps.now(), made.remarks
            seen = await services.database.write(lambda c: versions.revise(c, **click, action=action, now=now))
        log.info("proposal_edited", verdict=seen.verdict, by=click["by"].user_id)
        if seen.verdict == "accepted":
            await ack()
        else:
            await _wrong(ack, values, "", sentence(seen))
        await _shown(services, seen)
        if seen.verdict == "accepted" and remarks:
            await _tell(services, click["by"], seen, " ".join(remarks))


def _register_reason(app: AsyncApp, services: jobs.Services, visitors: Visitors) -> None:
    @app.action(REASON)
    async def ask_why(ack: AsyncAck, body: Body, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ack()
        click = await _who(services, visitors, body, context)
        seen = await services.database.read(lambda c: deciding.may_explain(c, **click))
        if seen.verdict != "accepted":
            await _refused(services, body, seen)
            return
        await client.views_open(trigger_id=body["trigger_id"], view=reason_view(click["proposal_id"]))

    @app.view(REASON_FORM)
    async def keep_why(ack: AsyncAck, body: Body, context: AsyncBoltContext) -> None:
        click, values = await _who(services, visitors, body, context), values_of(body["view"])
        reason = mask(reason_in(values))
        if not reason:
            await ack()
            return
        kept = await services.database.write(lambda c: deciding.explain(c, **click, reason=reason))
        if kept.verdict != "accepted":
            await _wrong(ack, values, SAID, sentence(kept))
            return
        await ack()
        await _shown(services, kept)


async def _made(services: jobs.Services, row: Body, values: dict[str, str], *, deadline: float) -> Revised:
    action = action_from_json(row["action"])
    try:
        async with asyncio.timeout_at(deadline):
            made = await revised(
                action, values, crm=(await services.deps_of(row["team_id"])).crm, now=services.deps.now()
            )
    except (CrmUnavailable, TimeoutError) as error:
        log.warning("edit_not_checked", error=repr(error))
        return Revised(refused=LATER)
    return made


async def _wrong(ack: AsyncAck, values: dict[str, str], field: str, said: str) -> None:
    await ack(response_action="errors", errors={first_field(list(values), field): said})


async def _refused(services: jobs.Services, body: dict[str, Any], seen: Decision) -> None:
    await tell(services, body, sentence(seen))
    await _shown(services, seen)


async def _shown(services: jobs.Services, seen: Decision) -> None:
    if seen.row is None:
        return
    try:
        await show_card(services.database, services.slack, seen.row["proposal_id"])
    except (SlackUnavailable, SlackRefused) as error:
        log.warning("click_not_shown", error=repr(error))


async def _tell(services: jobs.Services, by: Visitor, seen: Decision, said: str) -> None:
    if seen.row is None:
        return
    try:
        await post_privately(services.slack.of(seen.row["team_id"]), where(seen.row), user=by.user_id, text=said)
    except (SlackUnavailable, SlackRefused) as error:
        log.warning("click_not_answered", error=repr(error))
