"""Small calculations that a few words name: fees, a ceiling, a price beside the market. Their amounts say the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pipeline.reading import CALCULATIONS, Intent, Quantity, Role
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues

LEAST_PRICE: Final = 20_000
OTHER_SUMS: Final = frozenset(("rent", "income", "sale_price"))
"""Amounts beside which the same words are an input of a larger calculation."""


@dataclass(frozen=True, slots=True)
class Named:
    """`kind`: its words in `cues.toml`, its option in a frame and the calculator's name for it. `amount`: what its
    largest amount is; `area`: whether it needs one; `alone`: whether any second number makes it something else."""

    kind: str
    intent: Intent
    amount: Role | None = None
    area: bool = False
    alone: bool = False


NAMED: Final = (
    Named("early_repayment", "calc_loan", "loan_amount"),
    Named("rent_ceiling", "calc_yield", area=True),
    Named("works_share", "calc_yield", "purchase_price"),
    Named("relance", "calc_yield", "purchase_price"),
    Named("fees", "calc_yield", "purchase_price", alone=True),
    Named("market", "calc_yield", "purchase_price", area=True),
)
FROM: Final = frozenset((*CALCULATIONS, "rules", "prices", "rents", "status", "smalltalk", "out_of_field", "datasets"))
"""What such a message may have been read as."""
KINDS: Final = frozenset(named.kind for named in NAMED)


def named_calculation(low: str, found: Sequence[Quantity], main: Intent, state: ThreadState) -> Named | None:
    """The one that the message asks for with its amounts, or that goes on. The schemes of the thread count as words of
    the message."""
    focus = state.focus
    schemes = next((frame.schemes for frame in reversed(state.frames) if frame.schemes), ())
    said = cues.said("calculation", " ".join((low, *schemes)))
    if not said or main not in FROM or (len(found) > 1 and any(q.role in OTHER_SUMS for q in found)):
        return None
    goes_on = focus is not None and focus.calculates and not KINDS & focus.options  # « frais de notaire 12 000 »
    for named in NAMED:
        sized = not named.area or any(q.unit == "m²" for q in found)
        priced = named.amount is None or _largest(found) or (named.kind == "market" and _priced(state))
        complete = (sized and priced) or (focus is not None and named.kind in focus.options and not found)
        rented = named.kind == "market" and main == "rents"  # a rent by m² is the place's own
        if named.kind in said and complete and not rented and not (named.alone and (len(found) > 1 or goes_on)):
            return named
    return None


def _priced(state: ThreadState) -> bool:
    return any(figure.label.startswith("Prix médian") for frame in state.frames for figure in frame.results)


def with_amounts(found: Sequence[Quantity], named: Named) -> tuple[Quantity, ...]:
    """The same quantities, the largest amount and the area as this calculation takes them."""
    largest = _largest(found) if named.amount else None
    roles: dict[int, Role] = {q.start: "area" for q in found if q.unit == "m²"}
    if largest is not None and named.amount:
        roles[largest.start] = named.amount
    return tuple(replace(q, role=roles[q.start], confidence=1.0) if q.start in roles else q for q in found)


def _largest(found: Sequence[Quantity]) -> Quantity | None:
    amounts = [q for q in found if q.unit in ("€", "") and q.value >= LEAST_PRICE]
    return max(amounts, key=lambda q: q.value, default=None)
