"""Told cases -> what each of their numbers is, read twice: the second time beside what the first made of the others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.training.cases import CASES, SHORT_SUMS, rows_of
from bench.training.fitting import fit_one
from bench.training.marked import Labelled, labelled, messages
from bench.training.noise import variants
from bench.training.saving import save
from pipeline.reading import CALCULATIONS, ROLES
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import around_in_case, of_neighbours
from pipeline.understanding.learned.linear import Linear
from pipeline.understanding.offline.cases import NONE, intent_of
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.own_words import flat

STRENGTH: Final = 2.0
MOST: Final = 40_000
LEAST: Final = 0.08
APART: Final = 3
"""Groups of hands: a case is read the first time by what the hands of the other groups taught, as in use it is read by
models that never saw it."""
Seen = dict[str, float]


@dataclass(frozen=True, slots=True)
class Told:
    """A case's numbers: what is seen around each, and what it is."""

    hand: int
    seen: tuple[Seen, ...]
    roles: tuple[str, ...]


def train_case_roles(*, seed: int) -> None:
    """Each case as it is, and once with noise."""
    known = list(_told(seed))
    first = _fit(known, [one.seen for one in known])
    shares: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * len(known)
    for group in range(APART):
        others = [one for one in known if one.hand % APART != group]
        model = _fit(others, [one.seen for one in others])
        for at, one in enumerate(known):
            if one.hand % APART == group:
                shares[at] = _shares(model, one.seen, first.labels)
    again = [
        tuple(row | of_neighbours(at, read, first.labels) for at, row in enumerate(one.seen))
        for one, read in zip(known, shares, strict=True)
    ]
    save(first, "case_roles")
    save(_fit(known, again), "case_roles_again")


def _told(seed: int) -> list[Told]:
    found = []
    for hand, row in (*rows_of(CASES), *rows_of(SHORT_SUMS)):
        intent = "calc_regime" if row["kind"] == NONE else intent_of(row["kind"])
        as_written = next(messages({"intents": [intent], **row}))
        for message in (as_written, *variants([as_written], each=1, seed=seed)):
            found.append(_numbers(message, row["kind"], hand))
    for at, message in enumerate(_short_ones()):
        found.append(_numbers(message, message.intents[0].removeprefix("calc_"), at))
    return [one for one in found if one.seen]


def _short_ones() -> Iterator[Labelled]:
    """First messages that calculate, by those who marked more than sums: their kind is what they are for."""
    for message in labelled():
        if message.intents[0] in CALCULATIONS and not message.previous:
            yield message


def _numbers(message: Labelled, kind: str, hand: int) -> Told:
    low, all_of_them = flat(message.text), quantities(message.text)
    seen, roles = [], []
    for quantity in all_of_them:
        marked = [s for s in message.spans if s.start < quantity.end and s.end > quantity.start]
        if not marked or marked[0].label in ROLES:
            seen.append(around_in_case(quantity, all_of_them, low, message.intents[:1], kind))
            roles.append(marked[0].label if marked else "other")
    return Told(hand, tuple(seen), tuple(roles))


def _fit(known: Sequence[Told], seen: Sequence[Sequence[Mapping[str, float]]]) -> Linear:
    rows = [row for rows in seen for row in rows]
    return fit_one(rows, [role for one in known for role in one.roles], strength=STRENGTH, most=MOST, least=LEAST)


def _shares(model: Linear, seen: Sequence[Mapping[str, float]], labels: Sequence[str]) -> NDArray[np.float32]:
    """In the order of `labels`; one that the model never met has none."""
    found = np.zeros((len(seen), len(labels)), np.float32)
    columns = [labels.index(label) for label in model.labels]
    found[:, columns] = np.stack([linear.softmax(model.scores(row)) for row in seen])
    return found
