"""A sum on the amount of a deal: « montant du dossier Martin, et les frais de notaire dessus »."""

import re
from dataclasses import replace
from typing import Final

from pipeline.crm_types import Deal
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader, Deps
from pipeline.proposal_targets import deals_meant
from pipeline.reading import CALCULATIONS
from pipeline.thread_state import ThreadState, from_json
from pipeline.types import Question
from pipeline.understanding.cues import cue
from pipeline.understanding.offline.clients import clients_named
from pipeline.understanding.own_words import flat, own_words

TAKEN: Final = "Montant repris du dossier « {name} » : {amount}."
BEFORE: Final = {"au": "à", "du": "de", "dessus": "sur", "la-dessus": "sur"}
"""What stands before an amount where these words pointed at it."""
BARE: Final = "pour"


async def with_deals_amount(question: Question, *, deps: Deps) -> tuple[Question, str]:
    """The message with the amount of the deal that it points at in the place of those words, where it then asks for a
    sum, and the sentence that says so: the deal of the client whom it names, else the one told of right before."""
    own, state = own_words(question.text).text, from_json(question.memory)
    pointed = cue("deal_amount.pointed").search(flat(own))
    told = state.focus is not None and state.focus.kind == "crm_read"
    if deps.crm is None or pointed is None or not (told or question.mentioned.clients or "dossier" in pointed[0]):
        return question, ""
    deal = await _deal(question, own, state, deps.crm)
    amount = _euros(deal) if deal is not None else ""
    if deal is None or not amount:
        return question, ""
    text = with_amount(own, pointed, amount)
    reading = await deps.reader.read(replace(question, text=text), state)
    if reading.main not in CALCULATIONS:
        return question, ""
    return replace(question, text=text), TAKEN.format(name=deal.name, amount=amount)


def with_amount(own: str, pointed: re.Match[str], amount: str) -> str:
    """The message with the amount where these words of it point at one."""
    before = BEFORE.get(flat(pointed[0]).split()[0], pointed["before"] or BARE)
    return f"{own[: pointed.start()].rstrip()} {before} {amount}{own[pointed.end() :]}".strip()


async def _deal(question: Question, own: str, state: ThreadState, crm: CrmReader) -> Deal | None:
    """Of a client with several deals none, unless the message tells them apart."""
    try:
        if names := clients_named(own, question.mentioned.clients):
            matches = await deals_meant(names[0], message=own, crm=crm)
            return matches.found[0] if matches.total == 1 else None
        number = question.deal_id or state.deal_id
        return await crm.deal(number) if number else None
    except CrmUnavailable:
        return None


def _euros(deal: Deal) -> str:
    try:
        amount = float(deal.amount)
    except ValueError:
        return ""
    return f"{amount:,.0f} €".replace(",", " ") if amount > 0 else ""
