"""The parts of an answer as one person may use them: all deals of the CRM, or their own alone."""

from dataclasses import replace
from typing import Final

from bot.crm.own_deals import OwnDeals
from bot.ports import Crm
from bot.rights import DealReaders
from pipeline.ports import Deps
from pipeline.tools.crm.tool import CrmTool
from pipeline.trust import asks_for_crm
from pipeline.types import Answer

OWN_ALONE: Final = (
    "Je ne vous lis que les dossiers dont vous êtes le conseiller dans HubSpot ; d'autres peuvent y exister."
)
NOT_AN_OWNER: Final = (
    "Je ne vous lis que les dossiers dont vous êtes le conseiller, et aucun utilisateur de HubSpot n'a votre adresse "
    "e-mail de Slack."
)


NO_CRM: Final = "HubSpot non connecté : aucune écriture proposée"


def with_portal(deps: Deps, crm: Crm | None) -> Deps:
    """The parts of an answer in a team: its own HubSpot, or none."""
    if crm is None:
        return deps
    tools = {**deps.tools, CrmTool.name: CrmTool(crm.reader, now=deps.now, embedder=deps.own_embedder)}
    missing = tuple(said for said in deps.missing if said != NO_CRM)
    return replace(deps, crm=crm.reader, tools=tools, missing=missing)


def as_read_by(user_id: str, email: str, *, deps: Deps, readers: DealReaders) -> Deps:
    """The same parts, with every way to the CRM narrowed where deals are restricted."""
    if deps.crm is None or readers.reads_all(user_id, email):
        return deps
    own = OwnDeals(deps.crm, email)
    return replace(
        deps, crm=own, tools={**deps.tools, CrmTool.name: CrmTool(own, now=deps.now, embedder=deps.own_embedder)}
    )


def told_narrowed(found: Answer, *, deps: Deps) -> Answer:
    """With the sentence that says so, where the CRM was asked for and might have told somebody else more."""
    if not isinstance(deps.crm, OwnDeals) or not deps.crm.narrowed or not asks_for_crm(found.route):
        return found
    return replace(found, remarks=(*found.remarks, NOT_AN_OWNER if deps.crm.nobody else OWN_ALONE))
