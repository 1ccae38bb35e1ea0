"""Relevance feedback without a reader: how near a hit is to what the leading hits say together.

A question has few words, and its vector says little more than they do. The leading hits' vectors, each by its chance to
be the right one under a first look, say what the answer is like: a hit's cosine with their sum is what its cosine with
the right one is expected to be (`docs/retrieval.md`).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from corpus.ports import Vector

LEXICAL: Final = 6.0
SIMILARITY: Final = 100.0
"""What BM25 in [0, 1] and a cosine count in the first look, as log-odds: cosines of leading hits differ by a few
hundredths, so that both have their say, as in the plain hybrid."""
LEADING: Final = 10


def feedback(
    lexical: Sequence[float], similarity: Sequence[float], vectors: Sequence[Vector | None]
) -> list[float | None]:
    """Of each hit; None without a vector. `similarity`: cosines with the question; vectors of length 1."""
    known = [at for at, vector in enumerate(vectors) if vector is not None]
    found: list[float | None] = [None] * len(vectors)
    if not known:
        return found
    matrix = np.stack([vector for vector in vectors if vector is not None])
    odds = LEXICAL * np.array(lexical)[known] + SIMILARITY * np.array(similarity)[known]
    leading = np.argsort(-odds, kind="stable")[:LEADING]
    chances = np.exp(odds[leading] - odds[leading[0]])
    expected = matrix @ (chances @ matrix[leading] / chances.sum())
    for at, cosine in zip(known, expected.tolist(), strict=True):
        found[at] = cosine
    return found
