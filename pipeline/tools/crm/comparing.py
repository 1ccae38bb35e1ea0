"""Deals of several names beside each other: what was asked of each, and which of them holds it or is the larger."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from pipeline.crm_types import Deal
from pipeline.ports import CrmReader
from pipeline.proposal_targets import deals_meant
from pipeline.text.persons import whose
from pipeline.tools.crm.arguments import message_said
from pipeline.tools.crm.choosing import LONGEST, MISSING, NO_CALL, choices_of, failed, nobody, told_first
from pipeline.tools.crm.deal import deal_figures
from pipeline.tools.crm.said_of import shared_with
from pipeline.tools.crm.wording import amount_of, deal_label, euros, lines, quoted
from pipeline.types import Computed, Figure, ToolResult

MOST_NAMES: Final = 3
MOST_OF_A_NAME: Final = 3
_OPEN_FIELDS: Final = ("stage", "amount", "owner")
"""Told where no field is asked for."""


async def compared(arguments: Mapping[str, Any], reader: CrmReader, *, today: date) -> ToolResult:
    """`names` or `deal_ids`, `fields` (keys of `TOLD`), `words`. Where the words say something that one deal alone
    holds, that one comes first; else the one of the larger amount. Raises `CrmUnavailable`."""
    found = await _deals(arguments, reader)
    if isinstance(found, ToolResult):
        return found
    read = await asyncio.gather(*(reader.brief(deal.id) for deal in found))
    briefs = [brief for brief in read if brief is not None]
    if not briefs:
        return failed(MISSING)
    words = message_said(arguments)
    shared = {brief.deal.id: shared_with(brief, words) for brief in briefs}
    most = max(shared.values(), default=0)
    holding = [brief for brief in briefs if most and shared[brief.deal.id] == most]
    fields = tuple(arguments.get("fields") or _OPEN_FIELDS)
    asked = {**arguments, "fields": fields}
    one = len(holding) == 1 and not arguments.get("fields")
    order = sorted(briefs, key=lambda b: (one and b is not holding[0], -(amount_of(b.deal) or 0.0)))
    rows = [await told_first(brief, asked, reader, today=today) for brief in order]
    head = "" if one else _larger([brief.deal for brief in order], fields)
    said = f"{head}{' ; '.join(row.rstrip('.') for row in rows)}."
    listed = rows if one else [f"{head.rstrip(' :') or f'{len(rows)} dossiers'}.", *rows]
    deals = tuple(brief.deal for brief in order)
    return ToolResult(
        call=NO_CALL,
        title="HubSpot : dossiers",
        text=said if len(said.split()) <= LONGEST else lines(listed),
        figures=tuple(figure for deal in deals for figure in deal_figures(deal)),
        computed=_computed(deals) if "amount" in fields else (),
        as_of=max((deal.updated_at.date() for deal in deals if deal.updated_at), default=None),
        choices=choices_of(deals),
        persons=tuple(dict.fromkeys((*map(whose, (d.name for d in deals)), *(c for d in deals for c in d.contacts)))),
    )


async def _deals(arguments: Mapping[str, Any], reader: CrmReader) -> list[Deal] | ToolResult:
    """Of each name those still open, or all where none is; whoever is not known is said."""
    ids = tuple(arguments.get("deal_ids") or ())
    if ids:
        return [deal for deal in await asyncio.gather(*map(reader.deal, ids)) if deal is not None]
    closed = {stage.id for stage in await reader.stages() if stage.closed}
    words, found = message_said(arguments), []
    for name in tuple(arguments.get("names") or ())[:MOST_NAMES]:
        matches = await deals_meant(name, message=words, crm=reader)
        if not matches.found:
            return nobody(name, matches.near)
        still = [deal for deal in matches.found if deal.properties.get("dealstage") not in closed]
        found += (still or list(matches.found))[:MOST_OF_A_NAME]
    return list({deal.id: deal for deal in found}.values())


def _larger(deals: Sequence[Deal], fields: Sequence[str]) -> str:
    amounts = [amount for deal in deals if (amount := amount_of(deal)) is not None]
    if "amount" not in fields or len(amounts) < len(deals) or len(deals) < 2 or amounts[0] == amounts[1]:
        return ""
    gap = f", {euros(amounts[0] - amounts[1])} de plus" if len(deals) == 2 else ""
    return f"Le plus gros montant est celui de « {quoted(deal_label(deals[0]))} », {euros(amounts[0])}{gap} : "


def _computed(deals: Sequence[Deal]) -> tuple[Computed, ...]:
    amounts = [amount for deal in deals if (amount := amount_of(deal)) is not None]
    if len(amounts) != 2:
        return ()
    gap = Figure("Écart des montants", abs(amounts[0] - amounts[1]), "€")
    return (Computed(gap, "différence de deux montants de HubSpot"),)
