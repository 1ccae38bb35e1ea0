"""A message that changes an input of the thread's calculation in plain words, whatever it was read as: « pardon, elle a
81 ans », « et avec seulement 3 000 de charges ? », « ah non, ils sont trois »."""

from typing import Final

from pipeline.reading import CALCULATIONS, OPPOSITES, PLACE_INTENTS, WRITES, Quantity, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.acts import asks_a_rule
from pipeline.understanding.thread.frames import complete
from pipeline.understanding.thread.meant import far, role_of
from pipeline.understanding.thread.options import FAMILIES
from pipeline.understanding.thread.slots import changed, given, later

NEAR: Final = 4
"""Frames up to which the calculation lies behind."""
SHORT: Final = 16
"""Words up to which a message may merely change an input."""
LIKELY: Final = 0.6
APART: Final = ("crm_read", "datasets", "unsafe", "complaint", *WRITES, *PLACE_INTENTS)


def another_input(reading: Reading, state: ThreadState) -> Frame | None:
    """The calculation with what the message changes of it; None where it asks something else, has a number that fits
    nothing of it, or brings a calculation of its own."""
    held = _computed(state)
    low = flat(reading.text)
    if held is None or reading.has(*APART) or reading.places or reading.deal_names or reading.deal_id:
        return None
    if len(low.split()) > SHORT or cue("corrected.asks_rule").search(low) or _of_another(reading, held, state):
        return None
    if asks_a_rule(reading):
        return None
    alone = len(reading.names) == 1 and (reading.act != "new" or not reading.quantities)
    if reading.main == held.kind and (
        (held is state.focus and alone) or complete(given(reading, held.kind), held.kind)
    ):
        return None  # goes on by itself, or begins anew
    if not (reading.quantities or cue("corrected.alters").match(low)):
        return None
    frame = changed(held, reading, earlier=state.frames)
    if not all(_fits(quantity, reading, held) for quantity in reading.quantities):
        return None
    if held is not state.focus and not (_telling(reading, held) or _turns(frame, held)):
        return None
    return frame if frame.slots != held.slots or _turns(frame, held) else None


def _computed(state: ThreadState) -> Frame | None:
    """The last calculation that had a result, where nothing that was looked up since is about something else."""
    near = state.frames[-NEAR:]
    return next((frame for frame in reversed(near) if frame.calculates and frame.results), None)


def _of_another(reading: Reading, held: Frame, state: ThreadState) -> bool:
    """Whether it has all that another calculation needs, or goes back to another of the thread's."""
    main = reading.main
    if main not in CALCULATIONS or main == held.kind:
        return False
    return state.last(main) is not None or complete(given(reading, main), main)


def _telling(reading: Reading, held: Frame) -> bool:
    """Where a rule was asked about since: a number that the rule cannot be asked with again, as « et 15 ? » could."""
    known = {value.value for values in held.slots.values() for value in values}
    told = any(q.unit or q.role != "other" or q.value in known or _counts(q, reading) for q in reading.quantities)
    return told or not reading.quantities


def _counts(quantity: Quantity, reading: Reading) -> bool:
    return quantity.unit == "" and f"heirs_{quantity.value:g}" in reading.options


def _fits(quantity: Quantity, reading: Reading, held: Frame) -> bool:
    if _counts(quantity, reading) or later(quantity, held.slots, reading) is not None:
        return True
    if quantity.unit in ("years", "months") and cue("beside.after").search(flat(reading.text)[: quantity.start]):
        return False  # « si elle revend au bout de 6 ans » is no term of the loan
    role = role_of(quantity, held, held.slots, reading, set())
    return role is not None and not far(quantity, held.slots.get(role, ()))


def _turns(frame: Frame, held: Frame) -> bool:
    """Whether a switch of the calculation is the other way round now, or counts others."""
    new = frame.options - held.options
    rivals = {name for pair in OPPOSITES if set(pair) & held.options for name in pair}
    return any(name in rivals or name.startswith(FAMILIES) for name in new)
