"""Earlier calculations and questions of a thread: which of them a message goes back to, compares or works on."""

import re
from dataclasses import replace
from typing import Final

from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Period, Quantity, Reading, Role
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import NEEDS
from pipeline.understanding.thread.frames import ORDINAL, moved, started
from pipeline.understanding.thread.slots import given

OTHER: Final = re.compile(r"\bl'autre\b")
TAKEN: Final[tuple[tuple[str, Role, tuple[str, ...]], ...]] = (
    ("calc_loan", "loan_amount", ("Capacité d'emprunt", "Capital empruntable")),
    ("calc_loan", "purchase_price", ("Prix estimé", "Prix d'achat possible", "Prix d'achat pour")),
    ("calc_yield", "monthly_cap", ("Mensualité",)),
    ("calc_capacity", "monthly_cap", ("Mensualité",)),
    ("calc_yield", "purchase_price", ("Prix estimé", "Prix d'achat possible")),
)
"""(calculation, its input, the results that may stand for it): « la mensualité pour ce montant »."""
UNLESS: Final = ("loan_amount", "purchase_price", "total_cost")


def goes_back(reading: Reading, state: ThreadState) -> bool:
    """Whether the message speaks of something earlier than what the thread is about now."""
    low, focus = flat(reading.text), state.focus
    roots = {f.root for f in state.frames if f.calculates or f.kind in PLACE_INTENTS}
    if cue("corrected.back").search(low):
        return len(roots) > 1 or (not reading.quantities and len(_calculated(state)) > 1)
    if focus is None or not focus.calculates or reading.has(*WRITES):
        return False
    several = {f.root for f in _calculated(state) if f.kind == focus.kind}
    return len(several) > 1 and bool(
        cue("corrected.nth").search(low) or (cue("corrected.pointed").search(low) and _of_value(reading, state))
    )


def gone_back(reading: Reading, state: ThreadState) -> Frame | None:
    """The frame that is meant by « revenons au prêt », « le second », « celui à 145 000 », « Hyères on disait »: the
    last version of it; where there is only one, its nth version."""
    low = flat(reading.text)
    frames = [f for f in state.frames if f.kind not in WRITES]
    named = [f for f in frames if reading.communes and set(reading.communes) & set(f.communes)]
    if named and not (reading.main in CALCULATIONS and not named[-1].calculates):
        return named[-1]
    if cue("corrected.pointed").search(low) and (meant := _of_value(reading, state)):
        return meant
    kind = reading.main if state.last(reading.main) else None
    of_kind = [f for f in frames if f.kind == kind] or [f for f in frames if f.calculates] or frames
    roots = list(dict.fromkeys(frame.root for frame in of_kind))
    if OTHER.search(low) and state.focus is not None and len(roots) > 1:
        return [frame for frame in of_kind if frame.root != state.focus.root][-1]
    for pattern, index in ORDINAL:
        if pattern.search(low) and len(roots) > 1:
            root = roots[min(index, len(roots) - 1)]
            return [frame for frame in of_kind if frame.root == root][-1]
    earlier = [f for f in frames if f is not state.focus and f.kind == kind]
    found = earlier or of_kind[:-1] or of_kind
    return found[-1] if found else None


def _of_value(reading: Reading, state: ThreadState) -> Frame | None:
    """The calculation that has an amount of the message among its own inputs."""
    said = {q.value for q in reading.quantities if q.value >= 1_000}
    held = [f for f in _calculated(state) if said & {q.value for values in f.slots.values() for q in values}]
    return held[-1] if held else None


def _calculated(state: ThreadState) -> list[Frame]:
    return [f for f in state.frames if f.calculates]


def taken_up(reading: Reading, state: ThreadState, act: str) -> Frame | None:
    """The earlier calculation of this kind, when the message does not bring a new one."""
    held = state.last(reading.main)
    if held is None:
        return None
    fresh = given(reading, reading.main)
    core = any(role in fresh for role in NEEDS[reading.main][0])
    return held if act != "new" or not core else None


def comparable(reading: Reading, state: ThreadState) -> tuple[Frame, ...]:
    """The last two calculations with results, of one kind where there are, or one whose results are several; none where
    deals are asked about: « Martin ou Martinez, lequel ? », « elle voulait comparer quoi ? »."""
    if reading.main == "crm_read" and (len(reading.clients) > 1 or reading.crm.fields == {"text"}):
        return ()
    kind = reading.main if reading.main in (*CALCULATIONS, *PLACE_INTENTS) and state.last(reading.main) else None
    focus = next((f for f in reversed(state.frames) if f.results and (kind is None or f.kind == kind)), None)
    if focus is None:
        return ()
    if any(len(values) > 1 for role, values in focus.slots.items() if role in ("rate", "duration")):
        return (focus,)
    known = [f for f in state.frames if f.results and (f.slots, f.options) != (focus.slots, focus.options)]
    alike = [f for f in known if f.kind == focus.kind]
    before = alike or [f for f in known if f.calculates and focus.calculates]
    return (before[-1], focus) if before else (focus,)


def with_results(frame: Frame, state: ThreadState) -> Frame:
    """What was just computed, where the new calculation counts with it and nothing else was said."""
    for kind, role, labels in TAKEN:
        held = set(frame.slots) & ({role, "loan_amount"} if role == "monthly_cap" else set(UNLESS))
        if frame.kind != kind or held:
            continue
        found = next((f for f in reversed(state.frames) if f.calculates and f.kind != kind and f.results), None)
        value = next((f for f in (found.results if found else ()) if f.label.startswith(labels)), None)
        if value is not None:
            period: Period = "month" if role == "monthly_cap" else ""
            frame = frame.with_slots(**{role: (Quantity(value.value, "€", "", 0, period=period, role=role),)})
    return frame


def behind_a_deal(reading: Reading, state: ThreadState) -> tuple[Frame, bool]:
    """A rule asked right behind a deal, and whether it goes on with what was asked before that: the deal itself is no
    rule's subject."""
    before = state.last("rules", *CALCULATIONS) if cue("corrected.link").match(flat(reading.text)) else None
    frame = moved(replace(before, kind="rules"), reading) if before is not None else started(reading)
    return replace(frame, kind="rules"), before is not None
