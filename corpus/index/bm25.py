"""BM25 over the passages of one or several tenants, as if they were one index.

Formula and constants are Weaviate's, so that both indexes rank alike: a term that most passages hold still weighs a
little (three notes about Lyon would else rank by noise). Scores of two tenants compare only under common document
frequencies, hence `pooled`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.index.fusion import Key

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True)
class Statistics:
    """Number of passages and of their terms, and in how many passages each query term occurs."""

    passages: int
    words: int
    frequencies: Mapping[str, int]


def pooled(parts: Sequence[Statistics]) -> Statistics:
    """The statistics of several tenants that one asker may read."""
    frequencies: Counter[str] = Counter()
    for part in parts:
        frequencies.update(part.frequencies)
    return Statistics(sum(part.passages for part in parts), sum(part.words for part in parts), frequencies)


def scores(
    terms: Mapping[str, float], candidates: Mapping[Key, Sequence[str]], *, over: Statistics
) -> dict[Key, float]:
    """Key -> BM25 of the candidates that hold at least one of the `terms`, each with what it counts."""
    if not over.passages or not over.words:
        return {}
    average = over.words / over.passages
    weights = {term: worth * idf(over.passages, over.frequencies.get(term, 0)) for term, worth in terms.items()}
    found: dict[Key, float] = {}
    for key, words in candidates.items():
        held = Counter(word for word in words if word in weights)
        norm = K1 * (1 - B + B * len(words) / average)
        if held:
            found[key] = sum(weights[term] * count * (K1 + 1) / (count + norm) for term, count in held.items())
    return found


def idf(passages: int, holding: int) -> float:
    """Never negative: the 1 inside keeps a term that every passage holds above zero."""
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))
