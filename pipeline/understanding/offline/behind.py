"""A message of a thread that is a sum only behind what was asked before it: « donc la nue-propriété d'un bien de
380 000 ? » after « un usufruitier de 67 ans, quel pourcentage ? »."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from corpus.places import Gazetteer
from pipeline.reading import CALCULATIONS, OPPOSITES, Reading
from pipeline.thread_state import ThreadState
from pipeline.understanding.cues import cue
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.offline.cases import case_of, computable, with_case
from pipeline.understanding.own_words import flat
from pipeline.understanding.situations import FEWEST_WORDS
from pipeline.understanding.thread.options import FAMILIES

BEFORE: Final = (1, 2)
"""Messages of the thread behind which one is read."""
LONGEST: Final = 20
"""Words of a message that leans on those before it."""
SURE: Final = 0.8
"""How likely both together must ask for a sum."""
SURELY: Final = 0.95
"""The same where the message only turns one of its switches."""


def lines_behind(reading: Reading, state: ThreadState) -> Iterator[str]:
    """The message behind what was said before it, where it may belong to a sum, and is none by itself nor changes the
    thread's."""
    if reading.main not in (*CALCULATIONS, "rules") or reading.places or reading.deal_id or reading.deal_names:
        return
    if computable(reading) or len(reading.text.split()) > LONGEST or not (_part_of_sum(reading) or _turns(reading)):
        return
    if state.focus is None or state.focus.calculates:
        return
    for count in BEFORE:
        line = " ".join((*state.said[-count:], reading.text))
        if (
            len(state.said) < count
            or len(line.split()) >= FEWEST_WORDS
            or not set(state.intents[-count:]).isdisjoint(CALCULATIONS)
        ):
            return
        yield line


def asks_behind(whole: Reading, alone: Reading, line: str) -> bool:
    """Whether both together surely ask for a sum that has all it needs, and the message has its part in it."""
    begins = len(line) - len(alone.text)
    adds = any(q.start >= begins and q.role != "other" for q in whole.quantities)
    if adds or alone.main in CALCULATIONS:
        return computable(whole) and whole.confidence >= SURE
    return _turns(alone) and computable(whole) and whole.confidence >= SURELY and _of_one_mind(whole)


def hardly_a_sum(reading: Reading, state: ThreadState) -> bool:
    """A calculation that nothing in a thread about a rule prepares, and that it is not surely: « un budget de 48 000 et
    un lot de 85/1 000, elle paie combien ? » is no yield."""
    after_rule = state.focus is not None and state.focus.kind == "rules" and state.last(reading.main) is None
    return after_rule and reading.main in CALCULATIONS and computable(reading) and reading.confidence < SURE


def surest(read: Sequence[tuple[Reading, Floats | None]], *, places: Gazetteer) -> Reading:
    """Of several lines the one that is surest of what it asks, read so."""
    found = []
    for reading, vector in read:
        mentions = places.find(reading.text)
        spans = [(mention.start, mention.end) for mention in mentions]
        case = case_of(reading.text, reading.text, (vector, vector), places=spans, short=reading)
        found.append((case.sure, reading, case, mentions))
    _, reading, case, mentions = max(found, key=lambda one: one[0])
    doubted = replace(reading, intents=tuple((name, 0.0) for name, _ in reading.intents))
    return with_case(doubted, case, mentions)


def _part_of_sum(reading: Reading) -> bool:
    asks_rule = reading.main == "rules" and cue("corrected.asks_rule").search(flat(reading.text))
    return not asks_rule and (bool(reading.quantities) or reading.main in CALCULATIONS)


def _turns(reading: Reading) -> bool:
    """« et si c'était un divorce ? » says who, or what, and asks nothing else."""
    low = flat(reading.text)
    asks = cue("corrected.asks_rule").search(low) or not cue("corrected.link").match(low)
    return not asks and reading.act in ("change", "same") and bool(reading.options)


def _of_one_mind(whole: Reading) -> bool:
    """Whether no two of its switches exclude each other: those of the message come behind others then."""
    held = whole.options
    several = any(sum(name.startswith(family) for name in held) > 1 for family in FAMILIES)
    return not several and not any(len(held & set(pair)) > 1 for pair in OPPOSITES)
