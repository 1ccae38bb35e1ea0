"""What a message is for, put right by what it names: a client of the CRM, a word of the field, something to write."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline import schemes
from pipeline.crm_types import Mentioned
from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Intent
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.offline.clients import (
    OF_A_DEAL,
    Clients,
    asks_of_clients,
    clients_named,
    led_by_deal,
    other_words,
)
from pipeline.understanding.offline.deals import somebody
from pipeline.understanding.offline.fields import Field
from pipeline.understanding.offline.intents import UNSURE, WRITE, Scored
from pipeline.understanding.offline.writes import writes_nothing
from pipeline.understanding.own_words import flat

FEW: Final = 3
SURE_WRITE: Final = 0.9
"""Of a write; below, it needs a verb of writing or something to write."""
SURE: Final = 0.8
"""Of a question about rules or a place; below, a deal that it names is what it is about."""
SURE_RULES: Final = 0.95
"""The same where a colleague is named, or a deal only pointed at, in words of deals."""
CLIENTS_OWN: Final[Scored] = (("crm_read", 1.0),)
"""Of a message that says a client's name and asks what the CRM holds."""


def of_somebody(intents: Scored, text: str, places: Sequence[tuple[int, int]], *, begun: bool) -> Scored:
    """What is asked of a name, in words of a deal, is the CRM's: « quand est-ce que Lefèvre doit signer ? »."""
    (main, sure), names, low = intents[0], [name for name, _ in intents], flat(text)
    written = any(name in WRITES for name in names)
    doubtful = ("crm_read" in names or main == "out_of_field" or sure < UNSURE) and not written
    asked = doubtful and cues.said("crm_field", low) and not schemes.said_in(low)
    asked = asked or (main == "recall" and not begun and not written)  # a thread that has no past recalls none
    asked = asked or (main in CALCULATIONS and sure < UNSURE and not begun and not re.search(r"\d", low))
    return (("crm_read", SURE),) if asked and main != "crm_read" and somebody(text, places) else intents


def of_its_calculation(intents: Scored, state: ThreadState) -> Scored:
    """What may be a rule's or the thread's own calculation is that calculation's first; both are answered."""
    focus = state.focus.kind if state.focus is not None else None
    if intents[0][0] != "rules" or focus not in CALCULATIONS:
        return intents
    return tuple(sorted(intents, key=lambda pair: pair[0] != focus))


def asked_or_written(intents: Scored, low: str, cut: Sequence[Field], state: ThreadState) -> Scored:
    """A write that writes nothing is a question to the CRM; a write that is none is no question as well."""
    written = max((score for name, score in intents if name in WRITES), default=0.0)
    worded = cue("orders.verb").search(low) or cue("orders.noun").search(low) or cues.first("crm_view", low)
    if 0 < written < WRITE and not worded:
        rest = tuple(pair for pair in intents if pair[0] not in WRITES)
        return (("rules", SURE),) if schemes.said_in(low) else rest or intents
    if written and writes_nothing(low, cut, state, sure=written >= SURE_WRITE):
        return (("crm_read", 1.0), *(pair for pair in intents if pair[0] not in (*WRITES, "crm_read")))
    if written and "?" not in low and not cues.said("crm_view", low):
        return tuple(pair for pair in intents if pair[0] != "crm_read")  # « note ça sur Lefèvre » asks for nothing
    return intents


def of_the_field(intents: Scored, names: Sequence[Intent], low: str, *, counted: bool) -> Scored:
    """A word of the field that stands alone is asked about: « TMI », « le PPRI ? », « IFI » with nothing to compute."""
    words, said = len(low.split()), set(schemes.said_in(low))
    talk = names[0] in ("smalltalk", "out_of_field") and words <= FEW and said
    rule = names[0] in CALCULATIONS and not counted and (words <= 2 or "rules" in names)
    return (("rules", SURE),) if talk or (rule and said - schemes.having("facet")) else intents


def of_client(intents: Scored, text: str, mentioned: Mentioned) -> Scored:
    """What is said of a client whom the CRM knows, and of nothing else than their deal, is asked of the CRM (« Cohen,
    la nue-propriété de Nice : combien ? »); so is what was unsurely read, or for a place of which nothing is asked, and
    what names a colleague or points at a deal."""
    clients, low, (main, sure) = mentioned.clients, flat(text), intents[0]
    names = clients_named(text, clients)
    written = any(name in WRITES for name, _ in intents)
    if asks_of_clients(text, clients) and (not written or _only_asks(text, names)):
        return CLIENTS_OWN
    if written or main == "crm_read" or not (names or mentioned.surely or mentioned.colleagues):
        return intents
    doubtful = sure < UNSURE or main in ("smalltalk", "out_of_field", "recall", "complaint", "capabilities")
    ruled = schemes.said_in(flat(" ".join(other_words(text, clients) - mentioned.words)))
    placed = main in PLACE_INTENTS and not cues.said("topic", low)
    worded = sure < SURE_RULES and any(cues.said(section, low) for section in OF_A_DEAL)
    if main == "rules" and sure < SURE and led_by_deal(text, clients):
        return (("crm_read", SURE), *intents)
    if (names or mentioned.colleagues) and ((doubtful and not ruled) or placed):
        return (("crm_read", SURE),)
    elsewhere = main in (*PLACE_INTENTS, *CALCULATIONS) or re.search(r"\d{3}", low)
    if worded and not names and not ruled and (mentioned.colleagues or not elsewhere):
        return (("crm_read", SURE),)
    return intents


def of_the_crm(intents: Scored, text: str, state: ThreadState, clients: Clients) -> Scored:
    """What says nothing but what the CRM holds is asked of it: tasks and deals anywhere (« les tâches du jour, tout le
    cabinet »), what one deal holds right after one was told of (« reste à faire ? »)."""
    low, (main, sure) = flat(text), intents[0]
    told = state.focus is not None and state.focus.kind == "crm_read"
    asked = cues.first("crm_view", low) in ("tasks", "deals") or (
        told and (cues.said("crm_field", low) or cues.said("crm_view", low) or cues.said("crm_filter", low))
    )
    elsewhere = not told and (main == "capabilities" or (main == "rules" and sure >= SURE))
    if (main == "crm_read" and sure >= SURE) or not asked or elsewhere:
        return intents
    if any(name in WRITES for name, _ in intents):
        noted = cue("orders.asked_note").sub(" ", low)
        return CLIENTS_OWN if told and noted != low and not cue("orders.verb").search(noted) else intents
    doubtful = told and (sure < UNSURE or main in ("smalltalk", "recall", "complaint", "capabilities"))
    return CLIENTS_OWN if doubtful or not other_words(text, clients) else intents


def _only_asks(text: str, names: Sequence[str]) -> bool:
    """« Moreau Lyon : montant, note. », « Diallo, dernière note »: neither a verb of writing nor words to write."""
    low = flat(text)
    said = cue("orders.asked_note").sub(" ", low)
    ordered = cue("orders.verb").search(said) or cue("dictated.begins").match(low)
    return not ordered and (said != low or low.lstrip().startswith(flat(names[0])))
