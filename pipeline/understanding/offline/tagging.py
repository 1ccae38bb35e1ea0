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
from pipeline.understanding.learned.features import around, around_in_case
from pipeline.understanding.offline.beside import named_beside, parts
from pipeline.understanding.offline.counted import born, each_counted, elapsed
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
    text: str, low: str, mentions: Sequence[Mention], intents: Sequence[str], today: date, *, case: bool = False
) -> tuple[Quantity, ...]:
    """With their roles. A postcode is a place, unless the message calculates: « avec 20000 d'apport ». `case`: whether
    the message tells one, whose roles have a model of their own."""
    counts = intents[0] in CALCULATIONS
    apart = [(m.start, m.end) for m in mentions if not is_amount(m, low, counts=counts)]
    found = tuple(born(low, quantities(text, apart=apart, today=today), today))
    if not found:
        return ()
    model, seen = (model_of("case_roles"), around_in_case) if case else (model_of("roles"), around)
    shares = np.stack([linear.softmax(model.scores(seen(q, found, low, intents))) for q in found])
    for row, quantity in enumerate(found):
        for column, label in enumerate(model.labels):
            cannot = quantity.unit not in roles.row_of(label).units and label != "other"
            if cannot or (label in SHARES and quantity.value > 50):
                shares[row, column] *= 0.01
    taken: set[str] = set()
    given: dict[int, tuple[Role, float]] = {}
    for row, column in sorted(np.ndindex(*shares.shape), key=lambda at: -shares[at]):
        label = model.labels[column]
        if row in given or (label in taken and label in roles.having("once") and shares[row].max() < 0.995):
            continue
        given[row] = (label, round(float(shares[row, column]), 3))
        taken.add(label)
    read_as = [replace(q, role=given[row][0], confidence=given[row][1]) for row, q in enumerate(found)]
    if not case:  # a case's story has those nouns beside numbers of other things
        read_as = named_beside(low, read_as, intents[0])
    read_as = parts(low, elapsed(low, read_as, today), intents[0])
    read_as = each_counted(low, _in_order(read_as) if intents[0] == "calc_gain" else read_as)
    return tuple(read_as)


def _in_order(found: list[Quantity]) -> list[Quantity]:
    """Of two years in a sale, one buys before one sells."""
    years = sorted((q for q in found if q.unit in ("year", "date")), key=lambda q: (q.value, q.day or date.min))
    if len(years) != 2 or years[0].value == years[1].value:
        return found
    if {q.role for q in years} == {"purchase_year", "sale_year"} and min(q.confidence for q in years) >= SURELY:
        return found  # said in so many words, even if a sale cannot come first: that is for the calculator to refuse
    roles: dict[int, Role] = {years[0].start: "purchase_year", years[1].start: "sale_year"}
    return [replace(q, role=roles.get(q.start, q.role)) for q in found]
