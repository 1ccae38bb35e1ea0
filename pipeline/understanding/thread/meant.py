"""Which input of a calculation a number of a short message is."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from pipeline.reading import Quantity, Reading, Role
from pipeline.thread_state import Frame, Slots
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.named_amounts import debts, earlier_gifts
from pipeline.understanding.named_calculations import BY_KIND, KINDS, OLDEST, YOUNGEST, ages, indices, larger, taken_by
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import core_of, counted_in, having, row_of

SURE: Final = 0.45
SURELY: Final = 0.8
"""Of an input that the thread's calculation has no use for; below, the one input that the message names is surer than
what its one number was read as."""


def role_of(quantity: Quantity, frame: Frame, slots: Slots, reading: Reading, taken: set[str]) -> Role | None:
    """What a value of a short message is: the one it stands instead of, the one asked for, what it was read as, or the
    slot of the same type and about the same size; None where it is larger than such an input, and not read as it."""
    meant = _role_of(quantity, frame, slots, reading, taken)
    return meant if meant is None or meant == quantity.role or within(quantity, meant) else None


def within(quantity: Quantity, role: Role) -> bool:
    """Whether a number is no larger than such an input may be: « les 35 % assurance comprise » insures nothing."""
    row = row_of(role)
    return quantity.value <= (row.most_percent if quantity.unit == "%" else row.most)


def _role_of(quantity: Quantity, frame: Frame, slots: Slots, reading: Reading, taken: set[str]) -> Role | None:
    takes = taken_by(frame)
    allowed = (*takes, *larger(frame)) if KINDS & frame.options else counted_in(frame.kind)
    if reading.replaced is not None:
        for role, values in slots.items():
            if any(_same(value.value, reading.replaced) for value in values) and within(quantity, role):
                return role
    if (meant := _told_beside(quantity, takes, slots, reading)) is not None:
        return meant
    unsure = quantity.confidence < SURELY or quantity.role == "other"
    if unsure or _precise(quantity):  # « 14 000 aussi », « charges pareil, 1 450 » say again what they are
        again = [role for role in takes if any(held.value == quantity.value for held in slots.get(role, ()))]
        if again and quantity.value >= TELLING:
            return quantity.role if quantity.role in again else again[0]
    surely = quantity.role != "other" and quantity.confidence >= SURELY
    if quantity.change and surely and quantity.role in takes and quantity.role in ADDED | slots.keys():
        return quantity.role  # « 10 000 d'apport en plus »
    anew = quantity.role in ADDED - slots.keys() and quantity.confidence >= SURE  # « 35 par mois d'assurance en plus »
    if quantity.change and not anew and (meant := _moves(quantity, frame, slots, reading)):
        return meant
    if quantity.confidence < SURELY and (meant := _named_alone(quantity, slots, reading)):
        return meant
    if quantity.role in WORTHS - slots.keys() and (meant := _named_amount(quantity, frame, slots)) is not None:
        return meant
    if (
        quantity.role in allowed
        and quantity.confidence >= (SURE if quantity.role in takes else SURELY)
        and (quantity.role not in taken or quantity.role in having("many"))
    ):
        return quantity.role
    for asked in () if reading.options else frame.pending:  # « et en non classé, avec 12 000 ? » is another case
        if asked in allowed and _fits(quantity, asked) and not _is_price(quantity, asked, slots):
            return asked
    named = [role for role in cues.said("roles", flat(reading.text)) if role in allowed and _fits(quantity, role)]
    if named:
        return named[0]
    if (meant := _named_amount(quantity, frame, slots)) is not None:
        return meant
    if quantity.role in takes:
        return quantity.role
    if surely:  # « idem avec 4 000 d'amortissement » of a yield: nothing that it counts
        return None
    near = [role for role in slots if role in takes and _fits(quantity, role)]
    alike = [role for role in near if not far(quantity, slots[role])]
    return min(alike, key=lambda role: _distance(quantity.value, slots[role][-1].value), default=None)


TELLING: Final = 100
"""From which a number that was told before is no coincidence."""
PRECISE: Final = 3
"""Digits that tell something; with fewer a number may be of two things: « loyer 800, charges 800 »."""
FAR: Final = 12
"""Times which a number may be larger or smaller than the one in whose place it comes."""


def _named_alone(quantity: Quantity, slots: Slots, reading: Reading) -> Role | None:
    """« TF sans la teom c'est 890 »: the only input of the sum that the message names, of its only number."""
    named = [role for role in cues.said("roles", flat(reading.text)) if role in slots and _fits(quantity, role)]
    return named[0] if len(named) == len(reading.quantities) == 1 else None


def _precise(quantity: Quantity) -> bool:
    return len(f"{quantity.value:.12g}".replace(".", "").strip("0")) >= PRECISE


def _told_beside(quantity: Quantity, takes: Collection[Role], slots: Slots, reading: Reading) -> Role | None:
    """What the words right beside it say for sure: a debt, an earlier gift, the day of a sale or of a purchase."""
    low = flat(reading.text)
    one_of_several = quantity.role == "amount" and "asset" in slots and not cue("beside.whole").search(low)
    if one_of_several and "amount" not in slots and cue("dwelling_word.home").search(low):
        return "asset"
    if "existing_debt" in takes and quantity in debts(reading.quantities, low):
        return "existing_debt"
    if "company_shares" in slots and quantity.unit == "" and quantity.value <= slots["company_shares"][-1].value:
        sold = cue("beside.shares").match(low[quantity.end :]) or cue("beside.sells").search(low[: quantity.start])
        return "sold_shares" if sold else None
    if "earlier_gift" in takes and quantity in earlier_gifts(reading.quantities, low):
        return "earlier_gift"
    if "down_payment" in takes and cue("beside.brings").search(low[: quantity.start]):
        return "down_payment"
    if quantity.unit in ("date", "year") and "sale_year" in takes:
        clause = re.split(r"[,;.?!]", low[: quantity.start])[-1]
        said = [role for role in ("sale_year", "purchase_year") if cue(f"dated.{role}").search(clause)]
        ahead = reading.asked_on is not None and quantity.value > reading.asked_on.year
        return said[0] if len(said) == 1 else "sale_year" if ahead else None
    return None


ADDED: Final[frozenset[Role]] = frozenset(
    ("insurance", "existing_debt", "charges", "property_tax", "works", "vacancy", "fees_amount", "down_payment")
)
WORTHS: Final = frozenset(("purchase_price", "total_cost", "sale_price", "loan_amount", "amount", "holding_years"))
"""What a home is worth, and years: a small calculation knows them under a name of its own."""


def _named_amount(quantity: Quantity, frame: Frame, slots: Slots) -> Role | None:
    """« et pour 300 000 ? » after a small calculation is its one amount again."""
    for kind in KINDS & frame.options:
        named = BY_KIND[kind]
        if named.indices and indices([quantity]):
            return "index"
        if "age" in slots and (ages([quantity], "") or _aged(quantity)):
            return "age"
        if quantity.confidence == 1 and quantity.role not in (*WORTHS, "other", named.amount):
            return None  # « dont 10 000 de meubles » says what it is
        if named.amount in slots and quantity.unit in ("", "€") and quantity.value >= named.least:
            return named.amount
    return None


def far(quantity: Quantity, held: Sequence[Quantity]) -> bool:
    """Whether it is of another size than what it would stand instead of: « un don de 10 000 » beside a fortune."""
    return bool(held) and held[-1].value > 0 and _distance(quantity.value, held[-1].value) > FAR


def _aged(quantity: Quantity) -> bool:
    """« Erreur, elle en a 83 », where an age was told."""
    return quantity.unit == "" and YOUNGEST <= quantity.value <= OLDEST and quantity.value == int(quantity.value)


def _is_price(quantity: Quantity, asked: Role, slots: Slots) -> bool:
    """Fees or charges are asked for, and another price comes: « et 110 000 ? »"""
    price = next((slots[role][-1].value for role in ("purchase_price", "total_cost") if slots.get(role)), None)
    beside = asked in ("fees_amount", "charges", "property_tax", "works", "insurance")
    return beside and price is not None and quantity.value > price / 2


def _moves(quantity: Quantity, frame: Frame, slots: Slots, reading: Reading) -> Role | None:
    """What a difference moves: what is named, what was changed last, what such a step is in proportion to."""
    named = [role for role in cues.said("roles", flat(reading.text)) if role in slots]
    if quantity.unit == "%" and named:
        return named[0]
    if frame.kind == "calc_gain" and quantity.unit in ("years", "months") and "holding_years" not in slots:
        return "sale_year"
    order = dict.fromkeys((*named, *frame.touched, *core_of(frame.kind)))
    fitting = [role for role in order if role in slots and slots[role] and _fits(quantity, role)]
    sized = [role for role in fitting if 0.004 <= quantity.value / max(slots[role][0].value, 0.01) <= 0.7]
    return next(iter(sized or fitting), None)


def _fits(quantity: Quantity, role: Role) -> bool:
    """Whether a number of this unit and size can be that."""
    row, value = row_of(role), quantity.value
    if role == "rate" and quantity.unit in ("%", ""):
        return 0 <= value < HIGHEST_RATE
    if quantity.unit not in row.units or quantity.unit:
        return quantity.unit in row.units
    if "years" in row.units:
        return 1 <= value <= 40 and value == int(value)
    return "year" not in row.units and value <= row.most


THOUSANDS: Final = 2_000
"""Below which a number may be said in thousands."""
HIGHEST_RATE: Final = 15
"""Percent."""


def _distance(value: float, held: float) -> float:
    """How far in size; « 180 » is near to 200 000 as well, in thousands."""
    low, high = sorted((max(value, 0.01), max(held, 0.01)))
    direct = high / low
    if value >= THOUSANDS:
        return direct
    thousands = max(value * 1000, held) / max(min(value * 1000, held), 0.01)
    return min(direct, thousands * 1.5)


def _same(first: float, second: float) -> bool:
    return abs(first - second) < 1e-6 or abs(first - second * 1000) < 1e-6 or abs(first * 1000 - second) < 1e-6
