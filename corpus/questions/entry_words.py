"""How many of a question's words an entry holds: BM25 over bags of weighted terms, as a share of the whole question."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.index.bm25 import K1, idf

B: Final = 0.5
"""Less than in the search: how long an entry is says how many ways of asking it somebody wrote down."""
Bag = Mapping[str, float]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Bags turned round: the rows of `terms[at]` are `starts[at]` to `starts[at + 1]` of `places` (of entries) and
    `counts`; `lengths`: what each bag weighs."""

    terms: tuple[str, ...]
    starts: NDArray[np.int32]
    places: NDArray[np.uint16]
    counts: NDArray[np.float32]
    lengths: Floats


def postings_of(bags: Sequence[Bag]) -> Postings:
    """Of one bag an entry, 65,535 at most."""
    held: dict[str, list[tuple[int, float]]] = {}
    for at, bag in enumerate(bags):
        for term, weight in bag.items():
            held.setdefault(term, []).append((at, weight))
    rows = [row for found in held.values() for row in found]
    return Postings(
        terms=tuple(held),
        starts=np.cumsum([0, *map(len, held.values())]).astype(np.int32),
        places=np.array([at for at, _ in rows], np.uint16),
        counts=np.array([weight for _, weight in rows], np.float32),
        lengths=np.array([sum(bag.values()) for bag in bags], np.float64),
    )


class EntryWords:
    """Bags of terms with their weights, one an entry."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings
        self._at = {term: at for at, term in enumerate(postings.terms)}
        self._lengths = postings.lengths
        self._less: tuple[int, Bag] = (0, {})

    def of(self, asked: Bag) -> Floats:
        """Of each entry, for a question's terms with their weights: 0 where it holds none, about 1 where all."""
        among = len(self._lengths)
        found, whole = np.zeros(among), 0.0
        norm = K1 * (1 - B + B * self._lengths / max(self._lengths.mean(), 1e-9)) if among else self._lengths
        less_at, less = self._less
        for term, weight in asked.items():
            places, counts = self._rows(term)
            if not len(places):
                whole += weight * idf(among, 0)
                continue
            if term in less:
                counts = np.where(places == less_at, np.maximum(counts - less[term], 0.0), counts)
            worth = weight * idf(among, len(places))
            whole += worth
            found[places] += worth * counts * (K1 + 1) / (counts + norm[places])
        return found / whole if whole else found

    def holders(self, term: str) -> frozenset[int]:
        """Places of the entries that hold a term."""
        return frozenset(self._rows(term)[0].tolist())

    def without(self, place: int, bag: Bag) -> "EntryWords":
        """The same, one entry less these terms."""
        other = copy(self)
        other._less = (place, bag)
        other._lengths = self._lengths.copy()
        other._lengths[place] = max(1.0, self._lengths[place] - sum(bag.values()))
        return other

    def _rows(self, term: str) -> tuple[NDArray[np.uint16], Floats]:
        held = self._postings
        at = self._at.get(term)
        rows = slice(0, 0) if at is None else slice(held.starts[at], held.starts[at + 1])
        return held.places[rows], held.counts[rows].astype(np.float64)
