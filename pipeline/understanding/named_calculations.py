"""Small calculations that a few words name: fees, a ceiling, a price beside the market. Their amounts say the rest
(`named_amounts.py`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.reading import CALCULATIONS, Intent, Quantity, Role
from pipeline.thread_state import Frame, Slots, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import counted_in

LEAST_PRICE: Final = 20_000
OTHER_SUMS: Final[frozenset[Role]] = frozenset(("rent", "income", "sale_price"))
LEANS: Final = re.compile(r"\W*(?:et|donc|si|avec|alors|pour|ok|du coup|bon)\b")
"""How a message begins that goes on with what was told."""
SURE: Final = 0.45
"""Confidence from which a number is an amount of a larger calculation."""
YOUNGEST, OLDEST = 18, 115
INDEX: Final = (90.0, 300.0)
"""Between which a quarter's index of rents lies."""


@dataclass(frozen=True, slots=True)
class Named:
    """`kind`: its words in `cues.toml`, its option in a frame and the calculator's name for it. `amount`: what its
    largest amount of at least `least` euros is; `area`: whether it needs one; `alone`: whether any second number makes
    it something else; `against`: amounts beside which the same words are an input of a larger calculation; `age`,
    `indices`, `years`: whether it needs an age (or the term of a usufruct), two values of an index, or years; `takes`:
    what may be changed of it, `needs`: what else it cannot do without."""

    kind: str
    intent: Intent
    amount: Role | None = None
    area: bool = False
    alone: bool = False
    least: float = LEAST_PRICE
    against: frozenset[Role] = OTHER_SUMS
    age: bool = False
    indices: bool = False
    years: bool = False
    takes: tuple[Role, ...] = ()
    needs: tuple[Role, ...] = ()


BOUGHT: Final[frozenset[Role]] = frozenset(("purchase_price", "total_cost", "sale_price"))
FEES: Final[tuple[Role, ...]] = ("fees_amount", "fees_percent", "works")
NAMED: Final = (
    Named("malraux", "calc_regime", "works", against=frozenset(), least=2_000, takes=("works",)),
    Named("letting", "calc_regime", "rent", against=frozenset(), least=50, takes=("rent",)),
    Named("deposit", "calc_yield", "rent", least=50, against=frozenset(("purchase_price", "income")), takes=("rent",)),
    Named(
        "carrez", "calc_gain", "sale_price", area=True, against=frozenset(("rent", "income")),
        takes=("sale_price", "area"),
    ),
    Named(
        "allowance", "calc_gain", years=True, against=frozenset(("purchase_price", "sale_price", "gain")),
        takes=("holding_years",),
    ),
    Named("early_repayment", "calc_loan", "loan_amount", takes=("loan_amount", "rate", "duration", "elapsed")),
    Named("rent_ceiling", "calc_yield", area=True, takes=("area",)),
    Named("reduction", "calc_yield", "purchase_price", takes=("purchase_price", *FEES, "duration", "area")),
    Named("works_share", "calc_yield", "purchase_price", takes=("purchase_price", *FEES)),
    Named("relance", "calc_yield", "purchase_price", takes=("purchase_price", "works")),
    Named(
        "fees", "calc_yield", "purchase_price", alone=True, against=frozenset(("rent", "income")),
        takes=("purchase_price", "rate", "works", "fees_percent"),
    ),
    Named("rent_area", "calc_yield", "rent", area=True, least=50, against=BOUGHT, takes=("rent", "area", "per_area")),
    Named(
        "market", "calc_yield", "purchase_price", area=True, against=frozenset(("rent", "income", "holding_years")),
        takes=("purchase_price", "area", "per_area"),
    ),
    Named(
        "share_value", "calc_regime", "amount", against=frozenset(), least=10_000,
        takes=("amount", "existing_debt", "cash", "company_shares", "sold_shares"),
    ),
    Named(
        "partition", "calc_regime", "amount", against=frozenset(), least=10_000,
        takes=("amount", "existing_debt", "share"),
    ),
    Named("shares_duty", "calc_regime", "amount", against=frozenset(), least=1_000, takes=("amount",)),
    Named(
        "duties", "calc_gain", "amount", against=frozenset(), least=1_000,
        takes=("amount", "age", "holding_years", "existing_debt", "earlier_gift"),
    ),
    Named("usufruct", "calc_gain", "amount", against=frozenset(), age=True, takes=("amount", "age", "holding_years")),
    Named(
        "wealth_tax", "calc_regime", "amount", against=frozenset(), least=100_000,
        takes=("amount", "asset", "main_home", "existing_debt"),
    ),
    Named("deficit", "calc_regime", "amount", against=frozenset(), least=500, takes=("amount", "tmi", "income")),
    Named("income_tax", "calc_regime", "income", against=frozenset(), least=5_000, takes=("income",)),
    Named(
        "quota", "calc_regime", "amount", against=frozenset(), least=20, takes=("amount", "share"),
        needs=("amount", "share"),
    ),
    Named(
        "charges_balance", "calc_regime", against=frozenset(), takes=("amount", "charges", "elapsed"),
        needs=("amount", "charges"),
    ),
    Named("late_deposit", "calc_yield", against=frozenset(), takes=("rent", "elapsed"), needs=("rent", "elapsed")),
    Named(
        "completion_call", "calc_yield", against=frozenset(), takes=("purchase_price",), needs=("purchase_price",),
    ),
    Named("annuity", "calc_gain", against=frozenset(), takes=("amount", "age"), needs=("amount", "age")),
    Named("home_in_estate", "calc_gain", "amount", against=frozenset(), takes=("amount",)),
    Named(
        "rent_revision", "calc_yield", "rent", against=frozenset(), least=50, indices=True, takes=("rent", "index"),
    ),
)  # fmt: skip
OWN: Final[frozenset[Role]] = frozenset(
    (
        "amount",
        "asset",
        "main_home",
        "age",
        "per_area",
        "index",
        "earlier_gift",
        "cash",
        "company_shares",
        "sold_shares",
    )
)
"""Inputs of named calculations alone."""
BY_KIND: Final = {named.kind: named for named in NAMED}
FROM: Final = frozenset((*CALCULATIONS, "rules", "prices", "rents", "status", "smalltalk", "out_of_field", "datasets"))
"""What such a message may have been read as."""
KINDS: Final = frozenset(named.kind for named in NAMED)


def named_calculation(low: str, found: Sequence[Quantity], main: Intent, state: ThreadState) -> Named | None:
    """The one that the message asks for with its amounts, or that goes on. The schemes of the thread count as words of
    the message; so does the rule before it, which « et pour 240 000 ? » asks to be worked out."""
    focus = state.focus
    schemes = next((frame.schemes for frame in reversed(state.frames) if frame.schemes), ())
    said = cues.said("calculation", " ".join((low, *schemes)))
    if not said and focus is not None and focus.kind == "rules" and main != "rules" and LEANS.match(low):
        said = cues.said("calculation", " ".join((low, flat(focus.query), *schemes)))
    if not said or main not in FROM:
        return None
    goes_on = focus is not None and focus.calculates and not KINDS & focus.options  # « frais de notaire 12 000 »
    for named in NAMED:
        another = len(found) > 1 and any(q.role in named.against and q.confidence >= SURE for q in found)
        if named.kind not in said or another:
            continue
        given = gives(named, found, low, priced=named.kind == "market" and _priced(state))
        complete = given or (focus is not None and not found and _held(named, focus))
        rented = named.kind == "market" and main == "rents"  # a rent by m² is the place's own
        counted = (
            [q for q in found if q not in rates(found, low) and q.role != "works"] if named.kind == "fees" else found
        )
        if complete and not rented and not (named.alone and (len(counted) > 1 or goes_on)):
            return named
    return None


def gives(named: Named, found: Sequence[Quantity], low: str, *, priced: bool = False) -> bool:
    """Whether the message has all that this calculation needs; `priced`: where the thread knows its price."""
    sized = not named.area or any(q.unit == "m²" for q in found)
    priced = priced or named.amount is None or worth(found, named)
    priced = priced or (named.kind in AREAL and bool(per_area(found, low)))
    aged = not named.age or bool(ages(found, low) or term(found, low))
    told = aged and (not named.indices or len(indices(found)) == 2)
    return sized and priced and told and (not named.years or any(q.unit == "years" for q in found))


AREAL: Final = frozenset(("market", "rent_area"))
PER_AREA: Final = re.compile(r"^ ?(?:€|euros?)? ?(?:/|par |du |le |au )(?:m[2²]|metre carre)")


def per_area(found: Sequence[Quantity], low: str) -> list[Quantity]:
    """« 3 150 €/m² », « 11,2 € du m² »: of a price or of a rent."""
    return [q for q in found if q.unit in ("€", "") and PER_AREA.match(low[q.end :])][:1]


def _held(named: Named, focus: Frame) -> bool:
    """Whether a calculation of the thread is this one, or has the amount of which this is asked now: the usufruct of a
    home, then the duties on it."""
    other = KINDS & focus.options or named.kind == "early_repayment"
    return named.kind in focus.options or (named.amount in focus.slots and bool(other) and not named.age)


def _priced(state: ThreadState) -> bool:
    return any(figure.label.startswith("Prix médian") for frame in state.frames for figure in frame.results)


def taken_by(frame: Frame) -> tuple[Role, ...]:
    """What may be changed of the frame's calculation: a named one takes less than its kind counts."""
    named = next((BY_KIND[kind] for kind in sorted(KINDS & frame.options) if applies(kind, frame.slots)), None)
    if named is not None:
        return named.takes
    return tuple(role for role in counted_in(frame.kind) if role not in OWN or role in frame.slots)


def larger(frame: Frame) -> frozenset[Role]:
    """Amounts that make an input of a larger calculation of the frame's named one."""
    return frozenset().union(*(BY_KIND[kind].against for kind in KINDS & frame.options))


def applies(kind: str, slots: Slots) -> bool:
    """Whether no amount of the frame makes the named calculation an input of a larger one."""
    return not BY_KIND[kind].against & slots.keys()


def worth(found: Sequence[Quantity], named: Named) -> bool:
    """Whether an amount of the message can be what it is worked out from."""
    return largest(found, named) is not None or (
        named.kind == "wealth_tax" and any(q.role == "main_home" for q in found)
    )


def largest(found: Sequence[Quantity], named: Named) -> Quantity | None:
    apart = {q.start for q in indices(found)} if named.indices else set()
    apart |= {q.start for q in found if q.role == "main_home"}
    amounts = [q for q in found if q.unit in ("€", "") and q.value >= named.least and q.start not in apart]
    return max(amounts, key=lambda q: q.value, default=None)


NO_AGE: Final = re.compile(
    r"(?:\b(?:il y a|depuis|dans|pendant|pour|sur|tous les|apres|moins de|plus de|en)|"
    r"\b(?:fils|filles?|enfants?|neveux?|nieces?)(?: unique| aine| ainee)?(?: ?[,(]| de| ages? de| agee?s? de)?) ?$"
)
"""Before a number of years: a span, or the age of who receives."""


def ages(found: Sequence[Quantity], low: str) -> list[Quantity]:
    def told(q: Quantity) -> bool:
        before = low[: q.start]
        return cue("beside.born").search(before) is not None or not NO_AGE.search(before)

    return [q for q in found if q.unit == "years" and YOUNGEST <= q.value <= OLDEST and told(q)]


def term(found: Sequence[Quantity], low: str) -> list[Quantity]:
    """The years for which a usufruct is given, where it is one for a time."""
    return [q for q in found if q.unit == "years"][:1] if cue("options.temporary").search(low) else []


TRANSFER_RATES: Final = (3.0, 7.0)


def rates(found: Sequence[Quantity], low: str) -> list[Quantity]:
    """The rate of the transfer taxes, where those are asked for or a department is said to have it."""
    asked = cue("options.wants_transfer").search(low) is not None
    return [
        q
        for q in found
        if (asked and q.unit in ("%", "") and TRANSFER_RATES[0] < q.value < TRANSFER_RATES[1])
        or cue("beside.department").search(low[: q.start])
    ]


def indices(found: Sequence[Quantity]) -> list[Quantity]:
    """Values as the Insee publishes them: « 143,46 »."""
    return [q for q in found if q.unit == "" and INDEX[0] < q.value < INDEX[1] and q.value % 1]
