"""What the tool "crm" answers of one deal, and why it answers nothing: a deal that is chosen, unknown, or one of
several that a name fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder
from pipeline.crm_types import Deal, DealBrief
from pipeline.ports import CrmReader
from pipeline.text.persons import whose
from pipeline.tools.crm.arguments import message_said
from pipeline.tools.crm.asked import asked_text
from pipeline.tools.crm.deal import deal_figures
from pipeline.tools.crm.said_of import nearest_to, said_of, says_most, things_of
from pipeline.tools.crm.wording import FORECASTS, deal_label, lines, lowered, quoted
from pipeline.types import ToolCall, ToolResult

MISSING: Final = "Précisez le dossier, par exemple « dossier 1234 » ou « dossier Martin »."
WHICH_CONTACT: Final = "Dites-moi quel contact chercher : un nom, une ville ou un dossier."
READABLE: Final = (
    "j'y lis les dossiers, leurs contacts, leurs notes et leurs tâches. Dites-moi de quel dossier vous parlez."
)
UNSAID: Final = "ne le dit pas : rien dans ses champs, ses notes ni ses tâches"
MOST_TOLD: Final = 3
"""Deals of one name that are all told of; of more, one has to be chosen."""
LONGEST: Final = 65
"""Words of a sentence that tells of all of them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The deal that was meant, and the closed ones that its name fits too."""

    id: str
    closed: tuple[Deal, ...] = ()

    @property
    def others(self) -> str:
        return f"\n- Clos au même nom : {', '.join(map(deal_label, self.closed))}." if self.closed else ""


NO_CALL: Final = ToolCall("crm", {})
ANSWERED: Final = ToolCall("crm", {"answered": True})
"""Of a result whose own notes or tasks answer what no field holds."""


def about(deal: Deal, text: str) -> ToolResult:
    return ToolResult(
        call=NO_CALL,
        title=f"HubSpot : {quoted(deal.name)}",
        text=text,
        figures=deal_figures(deal),
        url=deal.url,
        as_of=deal.updated_at.date() if deal.updated_at else None,
        persons=(whose(deal.name), *deal.contacts),
    )


def without(absent: str, found: ToolResult) -> ToolResult:
    """What the CRM has instead, after what it has not, in one sentence so that neither is read without the other."""
    if found.call == ANSWERED:
        return found
    if found.error in (MISSING, WHICH_CONTACT):
        return replace(found, error=f"{absent} ; {READABLE}")
    if found.error is not None:
        return found if found.outage else replace(found, error=f"{absent} ; {lowered(found.error)}")
    return replace(found, text=f"{absent} ; {lowered(found.text)}")


def unsaid(brief: DealBrief, arguments: Mapping[str, Any]) -> ToolResult | None:
    """Why a question about one thing of a deal has no answer: it asks for no field, and no text of the deal shares a
    word with it. None where it is answered, or where the deal is asked for as a whole."""
    words = message_said(arguments)
    if arguments.get("sure"):
        return None if says_most(brief, words) else failed(UNSAID)
    absent = arguments.get("absent")
    if absent not in FORECASTS:
        one_thing = (
            absent or arguments.get("text_asked") or (arguments.get("view") == "deal" and things_of(brief, words))
        )
        if not one_thing or arguments.get("fields") or said_of(brief, words):
            return None
    return failed(f"Le dossier « {quoted(brief.deal.name)} » (n° {brief.deal.id}) {UNSAID}.")


async def nearest(
    brief: DealBrief, why: ToolResult, arguments: Mapping[str, Any], embedder: Embedder | None
) -> ToolResult:
    """Why a deal does not answer, with what of its texts comes nearest to the question; without that where the CRM has
    no field for what is asked, or a surer answer is wanted."""
    if embedder is None or arguments.get("sure") or arguments.get("absent"):
        return why
    try:
        told = await nearest_to(brief, message_said(arguments), embedder)
    except EmbedderUnavailable:
        return why
    return replace(why, error=f"{str(why.error).rstrip('.')}. Au plus près, {told}.") if told else why


async def told_first(brief: DealBrief, arguments: Mapping[str, Any], reader: CrmReader, *, today: date) -> str:
    """What is told of a deal first. Raises `CrmUnavailable`."""
    at = brief.deal.properties.get("dealstage", "")
    stage = next((stage for stage in await reader.stages() if stage.id == at), None)
    fields, words = arguments.get("fields", ()), message_said(arguments)
    whole = arguments.get("view") == "brief"
    return asked_text(brief, fields, today=today, question=words, stage=stage, whole=whole)


def listed(what: str, text: str, *, as_of: date) -> ToolResult:
    return ToolResult(call=NO_CALL, title=f"HubSpot : {what}", text=text, as_of=as_of)


def failed(reason: str, choices: tuple[tuple[str, str], ...] = ()) -> ToolResult:
    return ToolResult(call=NO_CALL, error=reason, choices=choices)


def unknown(deal_id: str) -> ToolResult:
    return failed(f"Le dossier {quoted(deal_id)} est introuvable dans HubSpot.")


def ambiguous(name: str, found: tuple[Deal, ...], total: int) -> ToolResult:
    listed = ", ".join(deal_label(deal) for deal in found)
    more = f" et {total - len(found)} autres" if total > len(found) else ""
    reason = f"Plusieurs dossiers correspondent à « {quoted(name)} » : {listed}{more}. Précisez le numéro."
    return failed(reason, choices_of(found))


def nobody(name: str, near: tuple[Deal, ...]) -> ToolResult:
    closest = f" Les plus proches : {', '.join(deal_label(deal) for deal in near)}." if near else ""
    return failed(f"Aucun dossier ne correspond à « {quoted(name)} » dans HubSpot.{closest}", choices_of(near))


def choices_of(deals: tuple[Deal, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((deal.id, deal_label(deal)) for deal in deals)


def several(name: str, told: Sequence[tuple[DealBrief, str]]) -> ToolResult:
    """Of each of the few deals that a name fits, what was asked: (deal, its sentence)."""
    deals = tuple(brief.deal for brief, _ in told)
    head = f"{len(deals)} dossiers correspondent à « {quoted(name)} »"
    rows = [sentence for _, sentence in told]
    opening = f"{head} : {' ; '.join(row.rstrip('.') for row in rows)}."
    return ToolResult(
        call=NO_CALL,
        title="HubSpot : dossiers",
        text=opening if len(opening.split()) <= LONGEST else lines([f"{head}.", *rows]),
        figures=tuple(figure for deal in deals for figure in deal_figures(deal)),
        as_of=max((deal.updated_at.date() for deal in deals if deal.updated_at), default=None),
        choices=choices_of(deals),
        persons=tuple(dict.fromkeys((*(whose(deal.name) for deal in deals), *(c for d in deals for c in d.contacts)))),
    )
