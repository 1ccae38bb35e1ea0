"""The second look: the fused hits of all tenants, ordered by five plain signals of one question and one passage.

Fusion knows ranks of words and of vectors; it does not know whether the words stand together, or as they were typed.
The signals are weighted linearly; the weights were fitted on one half of a French question set and checked on the
other (`docs/retrieval.md`). Rarity of a word is counted among the hits at hand, so that
both indexes rank alike and nothing of one tenant's vocabulary is stored for another's question.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import indexed_text
from corpus.french import analyze, words_of
from corpus.index.fingerprints import fingerprint_of, gram_codes, held, word_codes
from corpus.index.fusion import Key
from corpus.types import Passage

Places = list[tuple[int, str]]
"""Terms of a passage with their positions, ascending."""

SPAN: Final = 10


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal counts; all but the first lie in [0, 1].

    closeness: cosine of the centred vectors · near: weight of the question's terms in the best run of `SPAN` + 1 terms
    · pairs: of its neighbouring terms, found as neighbours · words: of its words as typed, accents aside · grams: of
    their runs of four letters, which forgive spelling · fused: what the fusion gave, where no hit has a vector.
    """

    closeness: float = 24.7
    near: float = 3.2
    pairs: float = 2.5
    words: float = 3.4
    grams: float = 4.7
    fused: float = 5.0

    def total(self, signals: "Signals") -> float:
        return (
            self.closeness * signals.closeness
            + self.near * signals.near
            + self.pairs * signals.pairs
            + self.words * signals.words
            + self.grams * signals.grams
            + self.fused * signals.fused
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
    fused: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a leg found: where terms stand in it, at least those of the question; its fused score; its
    closeness where it has a vector."""

    passage: Passage
    places: Places
    score: float
    closeness: float | None = None


def places_of(terms: Sequence[str], asked: AbstractSet[str]) -> Places:
    """Those of the question, with their positions."""
    return [(at, term) for at, term in enumerate(terms) if term in asked]


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
    typed = list(dict.fromkeys(word for word in words_of(text) if len(word) > 1))
    distinct = frozenset(terms)
    places = [[place for place in hit.places if place[1] in distinct] for hit in hits.values()]
    rarity = _rarity_of(distinct, places)
    fingerprints = [fingerprint_of(indexed_text(hit.passage)) for hit in hits.values()]
    in_words = held(word_codes(typed), [found.words for found in fingerprints])
    in_grams = held(np.unique(gram_codes(typed)), [found.grams for found in fingerprints])
    columns = zip(
        (_near(place, rarity) for place in places),
        _pairs(terms, places, rarity),
        _shares(in_words),
        _shares(in_grams),
        strict=True,
    )
    known = [hit.closeness for hit in hits.values() if hit.closeness is not None]
    lowest = min(known, default=0.0)
    return {
        key: Signals(lowest if hit.closeness is None else hit.closeness, *row, 0.0 if known else hit.score)
        for (key, hit), row in zip(hits.items(), columns, strict=True)
    }


def _shares(holding: NDArray[np.bool_]) -> list[float]:
    """Of each text (column): the rarity of the pieces that it holds, as a share of all."""
    rarity = _inverse(holding.sum(axis=1), holding.shape[1])
    whole = float(rarity.sum())
    shares: list[float] = (rarity @ holding / whole).tolist() if whole else [0.0] * holding.shape[1]
    return shares


def _rarity_of(terms: Iterable[str], places: Sequence[Places]) -> dict[str, float]:
    """Inverse document frequency of each question term among the hits."""
    holding = Counter(term for place in places for term in {term for _, term in place})
    return {term: float(_inverse(np.array(holding[term]), len(places))) for term in terms}


def _inverse(holding: NDArray[np.int64], among: int) -> NDArray[np.float64]:
    rarity: NDArray[np.float64] = np.log(1 + (among - holding + 0.5) / (holding + 0.5))
    return rarity


def _pairs(terms: Sequence[str], places: Sequence[Places], rarity: Mapping[str, float]) -> list[float]:
    """Of each hit: neighbours of the question that are neighbours in it, by their rarity, as a share of all."""
    weights = {pair: rarity[pair[0]] + rarity[pair[1]] for pair in pairwise(terms)}
    whole = sum(weights.values())
    if not whole:
        return [0.0] * len(places)
    together = (
        {(first, second) for (at, first), (then, second) in pairwise(place) if then == at + 1} for place in places
    )
    return [sum(weights.get(pair, 0.0) for pair in found) / whole for found in together]


def _near(place: Places, rarity: Mapping[str, float]) -> float:
    """The best weight of distinct question terms in any run of `SPAN` + 1 terms, as a share of all."""
    whole = sum(rarity.values())
    inside: Counter[str] = Counter()
    weight, best, start = 0.0, 0.0, 0
    for at, term in place:
        weight += 0.0 if inside[term] else rarity[term]
        inside[term] += 1
        while at - place[start][0] > SPAN:
            leaving = place[start][1]
            inside[leaving] -= 1
            weight -= 0.0 if inside[leaving] else rarity[leaving]
            start += 1
        best = max(best, weight)
    return best / whole if whole else 0.0
