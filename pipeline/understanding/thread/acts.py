"""What a message does to its thread: what was learned of such messages, put right by what the thread knows."""

import re
from typing import Final

from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import counted_in
from pipeline.understanding.thread.frames import complete, pending
from pipeline.understanding.thread.slots import given
from pipeline.understanding.thread.versions import goes_back

SURE: Final = 0.6
SURELY: Final = 0.8
SURE_RULE: Final = 0.9
LIKELY: Final = 0.45
CHANGES: Final = ("change", "fill")
SHORT: Final = 12
"""Words up to which a message may merely complete another one."""


def act_of(reading: Reading, state: ThreadState, focus: Frame) -> str:
    """What was learned of such messages, put right by what the thread knows."""
    low, act, main = flat(reading.text), reading.act, reading.main
    count = len(re.findall(r"\w+", low))
    sure = dict(reading.intents).get(main, 0.0)
    other = main != focus.kind and sure >= SURE
    if goes_back(reading, state):
        return "return"
    if asks_a_rule(reading):
        return "new"
    answers = {q.role for q in reading.quantities} <= set(focus.pending)
    another = other and main in CALCULATIONS and not answers and (count > 6 or _of_its_own(reading, focus))
    if pending(focus) and reading.quantities and count <= SHORT and not another:
        return "fill"
    if main in CALCULATIONS and main == focus.kind and complete(given(reading, main), main) and count > 5:
        goes_on = any(says(reading, focus) for says in (_adds, _supposes, _puts_right)) or _known(reading, state)
        return "change" if goes_on else "new"
    if focus.kind in PLACE_INTENTS and reading.places and not reading.quantities and _only_place(reading, count):
        return "same"
    if focus.calculates and _turns(reading, focus, other=other, count=count):
        return "change"
    if (
        act not in ("compare",)
        and cues.said("compare", low)
        and count <= 9
        and not reading.quantities
        and main not in WRITES
    ):
        return "compare"
    if (
        act in ("change", "fill", "same")
        and other
        and count > 4
        and not (focus.calculates and main in CALCULATIONS and act != "same" and count <= 8)
    ):
        linked = cue("corrected.link").search(low) is not None
        return "new" if act == "change" and not linked else "refer"
    if (
        act == "new"
        and not other
        and count <= SHORT
        and (cue("corrected.link").search(low) or _only_values(reading, count))
    ):
        return "change" if reading.quantities or reading.zeroed or reading.options or reading.places else "refer"
    said = cues.said("compare", low) or cue("corrected.versus").search(low)
    if act == "compare" and focus.calculates and (not said or len(reading.quantities) > 1):
        return "change"  # « donc net ? » compares nothing, « la différence entre 15 et 25 » names its cases
    if act == "aside" and (reading.quantities or reading.places or main in CALCULATIONS):
        return "change"
    return act


def asks_a_rule(reading: Reading) -> bool:
    """« Les prélèvements, c'est 17,2 ou 18,6 ? »: surely a rule that begins anew, and no number of it an input."""
    if reading.main != "rules" or reading.confidence < SURE_RULE or reading.act not in ("new", "aside"):
        return False
    linked = cue("corrected.link").match(flat(reading.text))  # « et en engagement 6 ans ? »
    return not linked and bool(reading.quantities) and all(q.role == "other" for q in reading.quantities)


def _turns(reading: Reading, focus: Frame, *, other: bool, count: int) -> bool:
    """Whether a message turns something of the thread's calculation: « et s'ils étaient mariés et divorçaient ? » of a
    partition, « et s'ils sont trois ? » of a gift to two children, « il est à 30 %, net-net au micro ? »."""
    turned = bool(reading.options - focus.options) and reading.main not in WRITES
    if turned and cue("corrected.supposes").match(flat(reading.text)):
        return True
    if other or count > SHORT:
        return False
    return (reading.act == "refer" and turned) or (reading.act == "new" and _of_focus(reading, focus))


def _of_its_own(reading: Reading, focus: Frame) -> bool:
    """Whether the numbers are surely those of another calculation than the one that waits for some."""
    others = set(counted_in(reading.main)) - set(counted_in(focus.kind))
    foreign = any(q.role in others and q.confidence >= SURELY for q in reading.quantities)
    return foreign or complete(given(reading, reading.main), reading.main)


def _known(reading: Reading, state: ThreadState) -> bool:
    """« Avec les 14 000 non classé, à 30 ? » points at what a calculation of the thread had."""
    if not cue("corrected.the_same").search(flat(reading.text)):
        return False
    held = {
        value.value for f in state.frames if f.kind == reading.main for values in f.slots.values() for value in values
    }
    return any(quantity.value in held and quantity.value >= 100 for quantity in reading.quantities)


def _adds(reading: Reading, focus: Frame) -> bool:
    """« Avec son conjoint qui gagne 2 100 » comes on top of what the household was told to earn."""
    roles = {quantity.role for quantity in reading.quantities}
    return cue("corrected.adds").search(flat(reading.text)) is not None and roles <= focus.slots.keys()


def _supposes(reading: Reading, focus: Frame) -> bool:
    """« Et si l'immeuble vaut 1 000 000 ? » of a fortune that was told in several amounts."""
    one = len(reading.quantities) == 1 and len(focus.slots) > 1
    return one and cue("corrected.supposes").match(flat(reading.text)) is not None


def _puts_right(reading: Reading, focus: Frame) -> bool:
    """« Non pardon, revenus 4 900 » of a capacity over 25 years: it tells some of what the thread's sum was told."""
    told = set(given(reading, focus.kind))
    return reading.act in CHANGES and told < set(focus.slots) | set(focus.pending)


def _of_focus(reading: Reading, focus: Frame) -> bool:
    """« Il est à 30 %, net-net au micro ? », read unsurely: its numbers are inputs of the thread's calculation."""
    known = [q.role in counted_in(focus.kind) and q.confidence >= LIKELY for q in reading.quantities]
    return reading.main not in CALCULATIONS and bool(known) and all(known)


def continues(reading: Reading, act: str) -> bool:
    """A few words that were read as talk, and yet go on with what was asked: « trois virgule quatre », « laquelle ? »,
    « c'est pas ça, je voulais un T4 »."""
    fresh = bool(reading.quantities or reading.places or reading.dwelling.kind or reading.dwelling.rooms)
    if reading.main == "complaint" and fresh:
        return True
    if reading.confidence >= 0.8 and not reading.quantities:
        return False
    compares = act == "compare" or bool(cues.said("compare", flat(reading.text)))
    return bool(reading.quantities or reading.deal_names or compares) or (
        act in ("change", "fill", "same") and reading.confidence < SURE
    )


def _only_place(reading: Reading, count: int) -> bool:
    """« et Vannes ? », « qu'en est-il de Vannes ? »"""
    names = sum(len(re.findall(r"\w+", place.text)) for place in reading.places)
    return count - names <= 4


def _only_values(reading: Reading, count: int) -> bool:
    return bool(reading.quantities) and count <= 3 + 3 * len(reading.quantities)
