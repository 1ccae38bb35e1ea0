"""Frames made and changed: a new one from a message, the same with another value, place, deal or day."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pipeline.reading import CALCULATIONS, PLACE_INTENTS, Intent, Quantity, Reading, Role
from pipeline.schemes import having
from pipeline.thread_state import Frame, Slots, ThreadState
from pipeline.understanding import cues, roles
from pipeline.understanding.cues import cue
from pipeline.understanding.named_calculations import KINDS
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.options import turned
from pipeline.understanding.thread.rules import with_class, with_number, without_schemes
from pipeline.understanding.thread.slots import given, told

IDLE: Final = frozenset(
    ["la", "le", "les", "celui", "celle", "de", "du", "dans", "en", "sur", "est", "et", "plutot", "saint", "sainte"]
)
ORDINAL: Final = (
    (re.compile(r"\b(?:le|la|les) (?:tout )?premie?re?s?\b|\b(?:au|du|le) 1er\b|\bpremier\b|\binitial"), 0),
    (re.compile(r"\b(?:le|la) (?:2e|2eme|deuxieme|second|seconde)\b"), 1),
    (re.compile(r"\b(?:le|la) (?:3e|3eme|troisieme)\b"), 2),
)


def started(reading: Reading) -> Frame:
    """A frame of what the message says by itself."""
    kind = reading.main
    slots = given(reading, kind) if kind in CALCULATIONS else told(reading)
    return Frame(
        kind=kind,
        query=reading.query,
        also=tuple(reading.names[1:]),
        communes=reading.communes,
        schemes=reading.schemes,
        dwelling=reading.dwelling,
        address=reading.address,
        slots=slots,
        options=reading.options,
        candidates=_candidates(reading),
        candidate_labels=_labels(reading),
        writes=reading.writes,
    )


def _labels(reading: Reading) -> tuple[str, ...]:
    return next((place.labels for place in reading.places if place.ambiguous), ())


def _candidates(reading: Reading) -> tuple[str, ...]:
    unclear = [place for place in reading.places if place.ambiguous]
    return unclear[0].insee if unclear and not reading.communes else ()


def complete(slots: Slots, kind: str) -> bool:
    return all(any(role in slots for role in group) for group in roles.NEEDS[kind])


def pending(frame: Frame) -> bool:
    """Whether something was asked back, or is plainly missing."""
    return bool(frame.pending) or (frame.calculates and not complete(frame.slots, frame.kind))


def completed(frame: Frame, state: ThreadState, *, linked: bool) -> tuple[Frame, tuple[Role, ...]]:
    """A calculation that lacks an input takes it over from the thread: the price, the loan that was spoken of."""
    if frame.kind in PLACE_INTENTS and not frame.communes and not frame.candidates:
        return replace(frame, communes=state.communes), ()
    frame = _under_rule(frame, state)
    if not frame.calculates or (complete(frame.slots, frame.kind) and not linked and not _owes_nothing(frame)):
        return frame, ()
    slots, carried = dict(frame.slots), []
    if frame.kind == "calc_yield" and not {"purchase_price", "total_cost"} & set(slots):
        loan = next((f for f in reversed(state.frames) if f.kind == "calc_loan" and f.slots.get("loan_amount")), None)
        known = any(f.slots.get("purchase_price") or f.slots.get("total_cost") for f in state.frames)
        if (
            loan is not None and not known
        ):  # a loan was spoken of, no price: what is borrowed stands for it, and is said
            slots["purchase_price"] = tuple(replace(q, role="purchase_price") for q in loan.slots["loan_amount"])
            carried.append("purchase_price")
    for role in ("purchase_price", "area") if KINDS & frame.options else roles.having("shared"):
        if role in slots or role not in roles.counted_in(frame.kind) or _said_otherwise(role, slots):
            continue
        if held := _last_told(role, state):
            slots[role] = held
            carried.append(role)
    for role, values in () if KINDS & frame.options else _needed(frame.kind, slots, state):
        slots[role] = values
        carried.append(role)
    options = frame.options | (_of_the_home(frame, state) if carried else frozenset())
    return replace(frame, slots=slots, options=options, communes=frame.communes or state.communes), tuple(carried)


def _owes_nothing(frame: Frame) -> bool:
    """Whether the share of an income is asked that nothing takes: the thread's loan does."""
    return bool(RATIO & frame.options) and frame.slots.keys().isdisjoint(PAID)


RATIO: Final = frozenset(("wants_ratio", "left_to_live"))
PAID: Final = frozenset(("loan_amount", "monthly_cap", "existing_debt"))


def _last_told(role: Role, state: ThreadState) -> tuple[Quantity, ...]:
    """What the thread said last of such an input, with whatever it was asked."""
    return next((frame.slots[role] for frame in reversed(state.frames) if frame.slots.get(role)), ())


def _needed(kind: Intent, slots: Slots, state: ThreadState) -> list[tuple[Role, tuple[Quantity, ...]]]:
    """What a calculation cannot do without and the thread has told, whatever it was told for."""
    found = []
    for group in roles.NEEDS[kind]:
        if set(group) & set(slots):
            continue
        told_of = ((role, _last_told(role, state)) for role in group if role not in ASKED_AGAIN.get(kind, ()))
        found += [(role, values) for role, values in told_of if values][:1]
    return found


ASKED_AGAIN: Final[Mapping[Intent, tuple[Role, ...]]] = {"calc_regime": ("income", "amount"), "calc_gain": ("amount",)}
"""What another calculation of the thread was told, and is something else in this one."""


def _of_the_home(frame: Frame, state: ThreadState) -> frozenset[str]:
    """« et à TMI 30, au réel ? » after what a bare letting brings in is of that letting still."""
    held = state.last(frame.kind)
    return turned(held.options, frame.options) & LETTING if held is not None else frozenset()


LETTING: Final = frozenset(("furnished", "bare", "tourist", "classified", "not_classified"))
REGIMES: Final = frozenset(("furnished", "bare", "micro", "real", "tourist", "classified"))


def _under_rule(frame: Frame, state: ThreadState) -> Frame:
    """« 9 000 de loyers, à 30 ? » after a rule of the micro-foncier is asked of that regime."""
    about = state.focus
    if frame.kind != "calc_regime" or about is None or about.kind != "rules" or frame.options & REGIMES:
        return frame
    told = REGIMES & set(cues.said("options", flat(about.query)))
    return replace(frame, options=frame.options | told)


def _said_otherwise(role: Role, slots: Slots) -> bool:
    prices = {"purchase_price", "total_cost"}
    others = prices - {role} if role in prices else roles.SAID_OTHERWISE.get(role, ())
    return any(other in slots for other in others)


def moved(frame: Frame, reading: Reading) -> Frame:
    """The same question of another place, home, deal or scheme."""
    both = re.search(r"\bles deux\b|\btous les deux\b", flat(reading.text)) is not None
    own = reading.dwelling
    home = replace(
        frame.dwelling,
        kind=own.kind or (None if own.rooms else frame.dwelling.kind),
        rooms=own.rooms if own.kind or own.rooms else frame.dwelling.rooms,
        year=own.year or frame.dwelling.year,
        since=own.since if own.since is not None else frame.dwelling.since,
    )
    places = reading.communes or frame.communes
    if both and reading.communes:
        places = tuple(dict.fromkeys((*frame.communes, *reading.communes)))
    kept = _still(frame.schemes, reading)
    return replace(
        frame,
        communes=() if _candidates(reading) else places,
        candidates=_candidates(reading),
        candidate_labels=_labels(reading),
        dwelling=home,
        schemes=tuple(dict.fromkeys((*kept, *reading.schemes))),
        address=reading.address or ("" if reading.places else frame.address),
        query=joined(frame, reading),
        slots=frame.slots if frame.calculates else {**frame.slots, **told(reading)},
        results=(),
        crm={name: value for name, value in frame.crm.items() if name != "told"},
    )


def _still(held: tuple[str, ...], reading: Reading) -> tuple[str, ...]:
    """What the thread stays about: « et en meublé ? » takes the place of the bare letting, not of the deposit."""
    said = set(reading.schemes) - having("facet")
    if not said:
        return held
    regimes = having("rival") | having("regime")
    return tuple(name for name in held if name not in regimes) if said <= regimes else ()


def joined(frame: Frame, reading: Reading) -> str:
    """One line that stands alone: the earlier subject, and what this message adds to it, unless a model wrote it."""
    if reading.query not in ("", reading.text):
        return reading.query
    low = flat(reading.text)
    focus = cue("corrected.link").sub("", low, count=1).strip(" ,?.!")
    base, whole = with_class(re.split(r"\s*[:?]\s*", frame.query.strip(" ?.!"))[0][:160], reading.text)
    if frame.kind == "rules" and not whole:
        base, whole = with_number(base, reading.text)
    if frame.kind == "rules" and (rivals := set(reading.schemes) & having("rival")) and not rivals & set(frame.schemes):
        base = without_schemes(base, set(frame.schemes) - set(_still(frame.schemes, reading)))
    return f"{base} : {reading.text.strip()}" if focus and base and not whole else base or reading.text


def chosen(reading: Reading, focus: Frame) -> bool:
    """Whether a short message answers which commune was meant."""
    return bool(focus.candidates) and len(reading.text.split()) <= 6


def with_choice(focus: Frame, reading: Reading) -> Frame:
    """The frame of the commune that is picked by department, name or rank; the same when none is."""
    low = flat(reading.text)
    named = [code for code in reading.communes if code in focus.candidates]
    by_department = [c for c in focus.candidates if re.search(rf"\b{c[:2].lower()}\b|\b{c[:3].lower()}\b", low)]
    first = [focus.candidates[min(i, len(focus.candidates) - 1)] for p, i in ORDINAL if p.search(low)]
    words = set(re.findall(r"[a-z0-9]{2,}", low)) - IDLE
    held = [words & set(re.findall(r"[a-z0-9]{2,}", flat(label))) for label in focus.candidate_labels]
    by_name = [
        code for code, common in zip(focus.candidates, held, strict=False) if common and common == max(held, key=len)
    ]
    by_name = by_name if len(by_name) == 1 else []
    found = (named or by_department or by_name or first or list(reading.communes))[:1]
    if not found:
        return replace(focus, query=f"{focus.query} {reading.text}")
    return replace(focus, communes=tuple(found), candidates=(), pending=())
