"""What a message is for, put right by what it names: a client of the CRM, a word of the field, something to write."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline import schemes
from pipeline.crm_types import Mentioned
from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, CrmAsked, Intent
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.offline.clients import asks_of_clients, clients_named
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
LIKELY_NAMED, LIKELY_TOLD, LIKELY_ALONE = 0.2, 0.25, 0.9
"""Likelihoods of a question to the CRM from which it is one: where somebody is named, right behind a deal, and where
neither is. By hands that were not learned from nine in ten of what asks something of the CRM behind a deal are above
the second, six in seven of what asks nothing below."""
TALK: Final = ("smalltalk", "recall", "complaint", "capabilities", "out_of_field")
SURE_TALK: Final = 0.9
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


def as_asked(intents: Scored, text: str, asked: CrmAsked, state: ThreadState, mentioned: Mentioned) -> Scored:
    """With what was learned of questions to the CRM, where a deal was told of right before, or the message names a
    client or a colleague or points at a deal: « qu'est-ce qui le bloquait ? », « la dernière note dessus ». What asks
    for a rule too stays both; what gives amounts to compute with, asks of a place, or talks, stays what it was."""
    told, begun = state.focus is not None and state.focus.kind.startswith("crm"), bool(state.frames)
    named = bool(clients_named(text, mentioned.clients) or mentioned.colleagues)
    alone = asks_of_clients(text, mentioned.clients)
    (main, sure), written = intents[0], any(name in WRITES for name, _ in intents)
    least = LIKELY_NAMED if named or mentioned.surely else LIKELY_TOLD if told else LIKELY_ALONE
    elsewhere = least == LIKELY_ALONE and begun and main != "crm_read"  # in a thread about something else
    if (asked.likely < least and not alone) or elsewhere or main == "unsafe":
        return intents
    if written:
        return intents if _ordered(text) or (sure >= SURE_WRITE and not named) else CLIENTS_OWN
    if main == "crm_read":
        return (("crm_read", max(sure, SURE)), *(pair for pair in intents[1:] if pair[0] not in TALK))
    if _of_its_own(intents, text, asked, named=named) or (least == LIKELY_ALONE and sure >= SURE):
        return intents
    return (("crm_read", SURE), *(pair for pair in intents if pair[0] == "rules" and pair[1] >= SURE and not alone))


def _ordered(text: str) -> bool:
    """« Diallo, dernière note » has neither a verb of writing nor words to write."""
    said = cue("orders.asked_note").sub(" ", flat(text))
    return bool(cue("orders.verb").search(said) or cue("dictated.begins").match(said))


def _of_its_own(intents: Scored, text: str, asked: CrmAsked, *, named: bool) -> bool:
    (main, sure), low = intents[0], flat(text)
    summed = main in CALCULATIONS and (asked.view == "sum" or re.search(r"\d{3}", low) is not None)
    placed = main in PLACE_INTENTS and bool(cues.said("topic", low)) and not named
    return summed or placed or (main in TALK and sure >= SURE_TALK and not named)
