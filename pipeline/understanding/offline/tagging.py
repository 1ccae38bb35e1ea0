"""Numbers of a message with what each of them is: learned roles, within what a number of that unit can be."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

import numpy as np

from corpus.places import Mention
from pipeline.reading import CALCULATIONS, Quantity, Role
from pipeline.understanding import roles
from pipeline.understanding.cues import cue
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import around, around_in_case, of_neighbours
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.offline.beside import BRACKETS, named_beside, parts
from pipeline.understanding.offline.counted import born, each_counted, elapsed, let_months
from pipeline.understanding.offline.intents import model_of
from pipeline.understanding.offline.quantities import quantities

SHARES: Final = frozenset(("rate", "tmi", "target_yield", "fees_percent"))
SURELY: Final = 0.6


def is_amount(mention: Mention, low: str, *, counts: bool) -> bool:
    """Whether digits that are some town's postcode are an amount here: « 40000 d'apport », « un bien a 90000 »."""
    if not mention.text.strip().isdigit():
        return False
    round_number = mention.text.strip().endswith("000")
    beside = cue("beside.amount_behind").match(low[mention.end :]) or cue("beside.amount_before").search(
        low[: mention.start]
    )
    return counts or bool(round_number and beside)


def tagged(
    text: str,
    low: str,
    mentions: Sequence[Mention],
    intents: Sequence[str],
    today: date,
    *,
    case: str = "",
    story: bool = False,
) -> tuple[Quantity, ...]:
    """With their roles. A postcode is a place, unless the message calculates: « avec 20000 d'apport ». `case`: kind of
    calculation that a case is told for: its roles have models of their own; `story`: whether it tells more."""
    counts = intents[0] in CALCULATIONS
    apart = [(m.start, m.end) for m in mentions if not is_amount(m, low, counts=counts)]
    found = tuple(born(low, quantities(text, apart=apart, today=today), today))
    if not found:
        return ()
    labels = model_of("case_roles" if case else "roles").labels
    shares = _in_case(found, low, intents, case) if case else _shares(found, low, intents)
    for row, quantity in enumerate(found):
        for column, label in enumerate(labels):
            cannot = quantity.unit not in roles.row_of(label).units and label != "other"
            none = case and label == "tmi" and quantity.value not in BRACKETS
            if cannot or none or (label in SHARES and quantity.value > 50):
                shares[row, column] *= 0.01
    taken: set[str] = set()
    given: dict[int, tuple[Role, float]] = {}
    for row, column in sorted(np.ndindex(*shares.shape), key=lambda at: -shares[at]):
        label = labels[column]
        if row in given or (label in taken and label in roles.having("once") and shares[row].max() < 0.995):
            continue
        given[row] = (label, round(float(shares[row, column]), 3))
        taken.add(label)
    read_as = [replace(q, role=given[row][0], confidence=given[row][1]) for row, q in enumerate(found)]
    if not story:  # it has those nouns beside numbers of other things
        read_as = named_beside(low, read_as, intents[0])
    read_as = parts(low, elapsed(low, read_as, today), intents[0])
    if intents[0] == "calc_yield":
        read_as = let_months(low, read_as)
    read_as = each_counted(low, _in_order(read_as) if intents[0] == "calc_gain" else read_as)
    return tuple(read_as)


def _shares(found: Sequence[Quantity], low: str, intents: Sequence[str]) -> Floats:
    """Shape (numbers, roles)."""
    model = model_of("roles")
    return np.stack([linear.softmax(model.scores(around(q, found, low, intents))) for q in found])


def _in_case(found: Sequence[Quantity], low: str, intents: Sequence[str], kind: str) -> Floats:
    """Read twice: what the numbers beside one are says much of what it is."""
    model, again = model_of("case_roles"), model_of("case_roles_again")
    seen = [around_in_case(q, found, low, intents, kind) for q in found]
    first = np.stack([linear.softmax(model.scores(row)) for row in seen])
    told = [row | of_neighbours(at, first, model.labels) for at, row in enumerate(seen)]
    return np.stack([linear.softmax(again.scores(row)) for row in told])


def _in_order(found: list[Quantity]) -> list[Quantity]:
    """Of two years in a sale, one buys before one sells."""
    years = sorted((q for q in found if q.unit in ("year", "date")), key=lambda q: (q.value, q.day or date.min))
    if len(years) != 2 or years[0].value == years[1].value:
        return found
    if {q.role for q in years} == {"purchase_year", "sale_year"} and min(q.confidence for q in years) >= SURELY:
        return found  # said in so many words, even if a sale cannot come first: that is for the calculator to refuse
    roles: dict[int, Role] = {years[0].start: "purchase_year", years[1].start: "sale_year"}
    return [replace(q, role=roles.get(q.start, q.role)) for q in found]
