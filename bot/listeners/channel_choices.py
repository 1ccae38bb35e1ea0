"""What was filled in for a channel's answers -> its settings, or what is wrong with each field."""

import asyncio
from typing import Final

from bot import jobs
from bot.conversations.reading_deals import as_read_by
from bot.digests.subscriptions import Refused, communes_in
from bot.slack.blocks.channel_form import COMMUNES, DEAL, Filled
from bot.slack.delivery import SlackRefused, SlackUnavailable, email_of
from bot.store.channels import ChannelSettings
from bot.store.tables import Row
from corpus.places import Gazetteer
from pipeline.errors import CrmUnavailable
from pipeline.section_names import OPTIONAL

MOST_COMMUNES: Final = 5
LOOK_SECONDS: Final = 2.0
"""Of the three within which Slack wants its answer to a form."""
TOO_MANY: Final = f"{MOST_COMMUNES} communes au plus : chaque question sans commune les demande toutes."
NO_NUMBER: Final = "Le numéro du dossier dans HubSpot, en chiffres : il est dans l'adresse de sa page."
NO_CRM: Final = "HubSpot n'est pas connecté : aucun dossier ne peut être choisi."
NO_DEAL: Final = "HubSpot ne me montre aucun dossier de ce numéro pour vous."
NO_ANSWER: Final = "HubSpot ne répond pas assez vite : réessayez dans un instant, ou videz ce champ."


async def settings_from(
    filled: Filled, services: jobs.Services, *, by: str, team: str
) -> ChannelSettings | dict[str, str]:
    """`by`: who chose, a member; a deal has to be one that they may read."""
    try:
        communes = communes_in(filled.communes, services.deps.places)
    except Refused as refused:
        return {COMMUNES: str(refused)}
    if len(communes) > MOST_COMMUNES:
        return {COMMUNES: TOO_MANY}
    if filled.deal and (wrong := await _unreadable(filled.deal, services, by=by, team=team)):
        return {DEAL: wrong}
    return ChannelSettings(
        communes=communes,
        deal_id=filled.deal,
        short=filled.short,
        hidden=tuple(name for name in OPTIONAL if name in filled.hidden),
        files=filled.files,
        model=filled.model,
    )


async def _unreadable(deal_id: str, services: jobs.Services, *, by: str, team: str) -> str:
    """Why this person may not choose that deal, or ""."""
    if not deal_id.isascii() or not deal_id.isdecimal():
        return NO_NUMBER
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            email = await email_of(services.slack.of(team), by) if services.readers.restricted else ""
            deps = as_read_by(by, email, deps=await services.deps_of(team), readers=services.readers)
            if deps.crm is None:
                return NO_CRM
            return "" if await deps.crm.deal(deal_id) is not None else NO_DEAL
    except (CrmUnavailable, SlackUnavailable, SlackRefused, TimeoutError):
        return NO_ANSWER


def filled_from(row: Row | None, settings: ChannelSettings, *, channel: str, places: Gazetteer) -> Filled:
    """The other way round, for a form that is opened again."""
    return Filled(
        channel,
        row["deals"] if row else "auto",
        tuple(row["approvers"]) if row else (),
        communes=", ".join(_named(insee, places) for insee in settings.communes),
        deal=settings.deal_id,
        short=settings.short,
        hidden=settings.hidden,
        files=settings.files,
        model=settings.model,
    )


def _named(insee: str, places: Gazetteer) -> str:
    """By its name where that says which one it is."""
    place = places.get(insee)
    try:
        return place.name if place is not None and communes_in(place.name, places) == (insee,) else insee
    except Refused:
        return insee
