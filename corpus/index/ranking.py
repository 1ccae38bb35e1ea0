"""The second look: the fused hits of all tenants, ordered by five plain signals of one question and one passage.

Fusion knows ranks of words and of vectors; it does not know whether the words stand together, or as they were typed.
The signals are weighted linearly; the weights were fitted on one half of a French question set and checked on the
other (`docs/retrieval.md`, `python -m bench ranking`). Rarity of a word is counted among the hits at hand, so that
both indexes rank alike and nothing of one tenant's vocabulary is stored for another's question.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import indexed_text
from corpus.french import analyze, words_of
from corpus.index.fusion import Key
from corpus.types import Passage

Weight = NDArray[np.float64]

SPAN: Final = 10
GRAM: Final = 4


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal counts; all but the first lie in [0, 1].

    closeness: cosine of the centred vectors · near: weight of the question's terms in the best run of `SPAN` + 1 terms
    · pairs: of its neighbouring terms, found as neighbours · words: of its words as typed, accents aside · grams: of
    their runs of four letters, which forgive spelling.
    """

    closeness: float = 24.7
    near: float = 3.2
    pairs: float = 2.5
    words: float = 3.4
    grams: float = 4.7

    def total(self, signals: "Signals") -> float:
        return (
            self.closeness * signals.closeness
            + self.near * signals.near
            + self.pairs * signals.pairs
            + self.words * signals.words
            + self.grams * signals.grams
        )


FITTED: Final = Weights()
SPREAD: Final = FITTED.near + FITTED.pairs + FITTED.words + FITTED.grams


@dataclass(frozen=True, slots=True)
class Signals:
    """See `Weights`."""

    closeness: float
    near: float
    pairs: float
    words: float
    grams: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a leg found: its analysed terms in order, its fused score, its closeness where it has a vector."""

    passage: Passage
    terms: Sequence[str]
    score: float
    closeness: float | None = None


def reordered(text: str, hits: Mapping[Key, Hit], *, weights: Weights | None) -> list[tuple[Key, float]]:
    """Best first; the best scores 1, others less by what they lack, never below 0. Ties: fused score, then key.

    Without weights the fused order stands.
    """
    if weights is None:
        return [(key, hit.score) for key, hit in hits.items()]
    totals = {key: weights.total(found) for key, found in signals(text, hits).items()}
    best = max(totals.values(), default=0.0)
    scored = {key: max(0.0, 1 - (best - total) / SPREAD) for key, total in totals.items()}
    return sorted(scored.items(), key=lambda hit: (-round(totals[hit[0]], 6), -hits[hit[0]].score, hit[0]))


def signals(text: str, hits: Mapping[Key, Hit]) -> dict[Key, Signals]:
    """Of each hit, for this question."""
    terms = analyze(text)
    typed = [word for word in words_of(text) if len(word) > 1]
    surfaces = [_folded(indexed_text(hit.passage)) for hit in hits.values()]
    analysed = [f" {' '.join(hit.terms)} " for hit in hits.values()]
    in_terms, in_words = _held(_spaced(terms), analysed), _held(_spaced(typed), surfaces)
    rare_terms, rare_words = _rarity(in_terms), _rarity(in_words)
    rarity = dict(zip(dict.fromkeys(terms), rare_terms, strict=True))
    in_grams = _held(_grams(typed), surfaces)
    columns = zip(
        (_near(hit.terms, rarity) for hit in hits.values()),
        _shares(_held(_pairs(terms), analysed), _together(terms, rarity)),
        _shares(in_words, rare_words),
        _shares(in_grams, _rarity(in_grams)),
        strict=True,
    )
    lowest = min((hit.closeness for hit in hits.values() if hit.closeness is not None), default=0.0)
    return {
        key: Signals(lowest if hit.closeness is None else hit.closeness, *row)
        for (key, hit), row in zip(hits.items(), columns, strict=True)
    }


@lru_cache(maxsize=8_192)
def _folded(text: str) -> str:
    """Its words as they are, between spaces: a word, a pair or a run of letters is then found by `in`."""
    return f" {' '.join(words_of(text))} "


def _spaced(words: Iterable[str]) -> list[str]:
    return [f" {word} " for word in dict.fromkeys(words)]


def _grams(words: Sequence[str]) -> list[str]:
    line = f" {' '.join(dict.fromkeys(words))} "
    return list(dict.fromkeys(line[at : at + GRAM] for at in range(len(line) - GRAM + 1)))


def _pairs(words: Sequence[str]) -> list[str]:
    return [f" {first} {second} " for first, second in _neighbours(words)]


def _together(words: Sequence[str], rarity: Mapping[str, float]) -> Weight:
    return np.array([rarity[first] + rarity[second] for first, second in _neighbours(words)])


def _neighbours(words: Sequence[str]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(pairwise(words)))


def _held(pieces: Sequence[str], texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which piece (row) stands in which text (column)."""
    held = [piece in text for piece in pieces for text in texts]
    return np.array(held, np.bool_).reshape(len(pieces), len(texts))


def _rarity(held: NDArray[np.bool_]) -> Weight:
    """Inverse document frequency of each piece among the texts."""
    holding = held.sum(axis=1)
    rarity: Weight = np.log(1 + (held.shape[1] - holding + 0.5) / (holding + 0.5))
    return rarity


def _shares(held: NDArray[np.bool_], weights: Weight) -> list[float]:
    """Of each text: the weight of the pieces that it holds, as a share of all."""
    whole = float(weights.sum())
    shares: list[float] = (weights @ held / whole).tolist() if whole else [0.0] * held.shape[1]
    return shares


def _near(terms: Sequence[str], rarity: Mapping[str, float]) -> float:
    """The best weight of distinct question terms in any run of `SPAN` + 1 terms, as a share of all."""
    whole = sum(rarity.values())
    held = [(at, term) for at, term in enumerate(terms) if term in rarity]
    best, start = 0.0, 0
    for end, (at, _) in enumerate(held):
        while at - held[start][0] > SPAN:
            start += 1
        best = max(best, sum(rarity[term] for term in {term for _, term in held[start : end + 1]}))
    return best / whole if whole else 0.0
