"""How many of a question's words an entry holds: BM25 over bags of weighted terms, as a share of the whole question."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.index.bm25 import K1, idf

B: Final = 0.5
"""Less than in the search: how long an entry is says how many ways of asking it somebody wrote down."""
Bag = Mapping[str, float]
Floats = NDArray[np.float64]


class EntryWords:
    """Bags of terms with their weights, one an entry."""

    def __init__(self, bags: Sequence[Bag]) -> None:
        self._count = len(bags)
        held: dict[str, list[tuple[int, float]]] = {}
        for at, bag in enumerate(bags):
            for term, weight in bag.items():
                held.setdefault(term, []).append((at, weight))
        self._held = {
            term: (np.array([at for at, _ in rows]), np.array([w for _, w in rows])) for term, rows in held.items()
        }
        self._lengths: Floats = np.array([sum(bag.values()) for bag in bags], np.float64)
        self._less: tuple[int, Bag] = (0, {})

    def of(self, asked: Bag) -> Floats:
        """Of each entry, for a question's terms with their weights: 0 where it holds none, about 1 where all."""
        found, whole = np.zeros(self._count), 0.0
        norm = K1 * (1 - B + B * self._lengths / max(self._lengths.mean(), 1e-9))
        less_at, less = self._less
        for term, weight in asked.items():
            if term not in self._held:
                whole += weight * idf(self._count, 0)
                continue
            places, counts = self._held[term]
            if term in less:
                counts = np.where(places == less_at, np.maximum(counts - less[term], 0.0), counts)
            worth = weight * idf(self._count, len(places))
            whole += worth
            found[places] += worth * counts * (K1 + 1) / (counts + norm[places])
        return found / whole if whole else found

    def holders(self, term: str) -> frozenset[int]:
        """Places of the entries that hold a term."""
        return frozenset(map(int, self._held[term][0])) if term in self._held else frozenset()

    def without(self, place: int, bag: Bag) -> "EntryWords":
        """The same, one entry less these terms."""
        other = copy(self)
        other._less = (place, bag)
        other._lengths = self._lengths.copy()
        other._lengths[place] = max(1.0, self._lengths[place] - sum(bag.values()))
        return other
