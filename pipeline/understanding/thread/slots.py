"""The inputs of a calculation, turn after turn: which value a short message changes, and which it gives."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pipeline.reading import Period, Quantity, Reading, Role
from pipeline.thread_state import Frame, Slots
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.named_amounts import said_of_each, shares
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import SAID_OTHERWISE, counted_in, having
from pipeline.understanding.thread.meant import role_of
from pipeline.understanding.thread.options import turned

SURE: Final = 0.45
SURELY: Final = 0.8
"""Confidence from which a number that nothing was computed with is kept for later."""
PERIOD: Final = re.compile(
    r"(?:\bpar|/|\bx|\bau|\bl') ?(an|mois)\b|\b(annuel|mensuel)|\b(?:c'est )?(?:l')?(annee|mois)$"
)


def given(reading: Reading, kind: str) -> Slots:
    """The inputs that a message says by itself."""
    slots: dict[Role, tuple[Quantity, ...]] = {}
    for quantity in reading.quantities:
        role = quantity.role
        if role == "other" or role not in counted_in(kind) or quantity.value == reading.replaced:
            continue
        if quantity.change < 0 and reading.text[: quantity.start].endswith(("-", "−")):
            quantity = replace(
                quantity, value=-quantity.value
            )  # « loyer -800 »: refused in so many words, not read as 800
        before = slots.get(role, ())
        slots[role] = (*before, quantity) if role in having("many") or not before else (quantity,)
    return slots


def told(reading: Reading) -> Slots:
    """What a message that computes nothing says of the case, for a calculation that may come after it."""
    found: dict[Role, tuple[Quantity, ...]] = {}
    for quantity in reading.quantities:
        if quantity.role != "other" and quantity.confidence >= SURELY and quantity.value != reading.replaced:
            found[quantity.role] = (quantity,)
    return found


def changed(frame: Frame, reading: Reading, *, earlier: Sequence[Frame] = ()) -> Frame:
    """The frame with what the message corrects, adds, takes away or gives; `earlier`: where « remets l'assurance »
    finds what was taken away."""
    slots: dict[Role, tuple[Quantity, ...]] = dict(frame.slots)
    options = turned(frame.options, reading.options)
    for role in reading.zeroed:
        slots.pop(role, None)
        if role in counted_in(frame.kind):
            slots[role] = (Quantity(0.0, "€", "", 0, role=role),)
    slots |= _restored(frame, reading, earlier)
    settled = cues.said("settled", flat(reading.text))
    for role in settled:
        slots.pop(role, None)
    fresh: dict[Role, list[Quantity]] = {}
    taken: set[str] = set()
    for quantity in reading.quantities:
        if quantity.role in settled or _no_input(quantity, reading) or _restates(quantity, frame.slots):
            continue
        if (after := later(quantity, slots, reading)) is not None:
            slots[after.role] = (after,)
            continue
        meant = role_of(quantity, frame, slots, reading, taken)
        if meant is None:
            continue
        taken.add(meant)
        if quantity.change and meant == "sale_year" and reading.asked_on and not slots.get(meant):
            slots[meant] = (Quantity(float(reading.asked_on.year), "year", "", 0, role=meant),)
        if quantity.change and slots.get(meant):
            slots[meant] = tuple(_moved(old, quantity) for old in slots[meant])
        else:
            each = shares(options) if meant == "amount" and said_of_each(quantity, flat(reading.text)) else 1
            value = _scaled(quantity, meant, slots) * each
            fresh.setdefault(meant, []).append(replace(quantity, role=meant, value=value))
    if frame.kind == "calc_loan":
        _put_down(slots, fresh)
    for role, values in fresh.items():
        before = slots.get(role, ()) if role in having("summed") and _adds(reading, slots.get(role, ()), values) else ()
        if role == "charges":  # a share of the rents and an amount stand side by side
            before = tuple(q for q in slots.get(role, ()) if q in before or (q.unit == "%") != (values[0].unit == "%"))
        if role == "index":
            values = _indices(slots.get(role, ()), values, flat(reading.text))
        slots[role] = (*before, *values) if role in having("many") else (values[-1],)
        for other in SAID_OTHERWISE.get(role, ()):
            if other not in fresh:
                slots.pop(other, None)
    if not reading.quantities and (period := _period(reading.text)):
        _set_period(slots, period)
    moved = tuple(role for role, values in slots.items() if values != frame.slots.get(role))
    return replace(frame, slots=slots, options=options, results=(), pending=(), touched=moved or frame.touched)


def _adds(reading: Reading, held: Sequence[Quantity], values: Sequence[Quantity]) -> bool:
    """« J'ai oublié 600 de copro » comes on top; « 14 000 aussi » is the same again."""
    same = any(value.value == values[-1].value for value in held)
    return not same and cue("corrected.adds").search(flat(reading.text)) is not None


FIRST_INDEX: Final = re.compile(r"\b(?:depart|ancien|bail|initial|signature|reference)\b")


def _indices(held: Sequence[Quantity], values: list[Quantity], low: str) -> list[Quantity]:
    """One index corrected of two: the older one where it is named, else the newer one."""
    if len(held) != 2 or len(values) != 1:
        return values
    return [values[0], held[1]] if FIRST_INDEX.search(low) else [held[0], values[0]]


def _no_input(quantity: Quantity, reading: Reading) -> bool:
    """« avec 3 enfants » says who receives, « 20 au lieu de 25 » what gives way."""
    if reading.replaced is not None and quantity.value == reading.replaced and len(reading.quantities) > 1:
        return True
    return quantity.unit == "" and f"heirs_{quantity.value:g}" in reading.options


def _restates(quantity: Quantity, held: Slots) -> bool:
    """« Toujours sur 199 000 » after 185 000 of price and 14 000 of fees."""
    price, fees = held.get("purchase_price", ()), held.get("fees_amount", ())
    return bool(price and fees) and quantity.value == price[-1].value + sum(fee.value for fee in fees)


def _put_down(slots: dict[Role, tuple[Quantity, ...]], fresh: dict[Role, list[Quantity]]) -> None:
    """« Et s'il met 40 000 d'apport ? » of a loan that was told without its price: so much less is borrowed."""
    held, down = slots.get("loan_amount"), fresh.get("down_payment", [])
    known = slots.keys() & {"purchase_price", "total_cost", "down_payment"} or "loan_amount" in fresh
    if held and len(down) == 1 and not known and down[0].unit != "%" and down[0].value < held[-1].value:
        slots["loan_amount"] = (replace(held[-1], value=held[-1].value - fresh.pop("down_payment")[0].value, text=""),)


LONGEST: Final = 480
"""Instalments of the longest loan."""
TIMES: Final[tuple[Role, ...]] = ("elapsed", "holding_years")
"""What goes on while one waits."""


def later(quantity: Quantity, slots: Slots, reading: Reading) -> Quantity | None:
    """« et dans 4 ans ? », « après 10 ans ? » of a loan whose remaining capital was told, or of a home that is held."""
    role = next((role for role in TIMES if slots.get(role)), None)
    before = flat(reading.text)[: quantity.start]
    if role is None or not cue("beside.after").search(before):
        return None
    held = slots[role][-1]
    if quantity.unit == "" and quantity.value <= LONGEST:  # « et après 120 ? » in the unit that was said before
        quantity = replace(quantity, unit=held.unit)
    if quantity.unit not in ("years", "months"):
        return None
    told = quantity.value * (12 if quantity.unit == "years" else 1)
    so_far = held.value * (1 if held.unit == "months" else 12)
    whole = so_far + told if re.search(r"\bdans\s*$", before) else told
    return replace(quantity, value=whole, unit="months", role=role)


def _restored(frame: Frame, reading: Reading, earlier: Sequence[Frame]) -> Slots:
    """« remets l'assurance », « avec l'assurance »: the last value that was not nothing."""
    low = flat(reading.text)
    found: dict[Role, tuple[Quantity, ...]] = {}
    for role, pattern in cues.patterns("zeroed").items():
        again = re.search(rf"\b(?:avec|remets?|remettez|rajoute|garde) (?:l'|la |le |les )?(?:{pattern.pattern})", low)
        gone = not any(q.value for q in frame.slots.get(role, ()))
        if again and gone and not any(q.role == role for q in reading.quantities):
            held = next((f.slots[role] for f in reversed(earlier) if any(q.value for q in f.slots.get(role, ()))), None)
            found |= {role: held} if held else {}
    return found


def _scaled(quantity: Quantity, role: Role, slots: Slots) -> float:
    """« 180 » for a price of 200 000 is said in thousands."""
    held = slots.get(role, ())
    if held and quantity.unit == "" and held[0].value >= 20_000 and 10 <= quantity.value < 2_000:
        return quantity.value * 1000
    return quantity.value


APART: Final = 20
"""Times by which what is added to a number is larger where the number was said in thousands."""


def _moved(old: Quantity, by: Quantity) -> Quantity:
    """« 20 000 de moins », « un demi-point de plus », « 10 % de moins »."""
    step = by.value
    if old.unit == "" and by.value >= APART * old.value > 0:  # « 40 d'apport », then « 10 000 de plus »
        old = replace(old, value=old.value * 1000)
    if by.unit == "%" and old.unit not in ("%", ""):
        step = old.value * by.value / 100
    elif by.unit == "years" and old.unit == "months":
        step = by.value * 12
    elif by.unit == "" and old.value >= 20_000 and by.value < 500:
        step = by.value * 1000
    elif by.unit == "months" and old.unit in ("year", "years"):
        step = by.value / 12
    return replace(old, value=round(old.value + by.change * step, 4), text="")


def _period(text: str) -> Period:
    match = PERIOD.search(flat(text).strip(" .?!"))
    said = next(filter(None, match.groups()), "") if match else ""
    return "year" if said.startswith("an") else "month" if said else ""


def _set_period(slots: dict[Role, tuple[Quantity, ...]], period: Period) -> None:
    for role in ("rent", "income", "charges"):
        if role in slots:
            slots[role] = tuple(replace(value, period=period) for value in slots[role])
            return
