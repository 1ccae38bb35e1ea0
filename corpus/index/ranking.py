"""The second look: the fused hits of all tenants, ordered by a few plain signals of one question and one passage.

Two are the legs of the hybrid themselves, so that what they agree on stands; the others say how close the vectors are
about the mean, how near a passage is to what the leading ones say together, and whether the question's words stand
together, or as they were spelt. What a long passage gets for its length alone is divided by that length. A title has
weights of its own; both were fitted on several kinds of question at once (`docs/retrieval.md`). Rarity of a word is
counted among the hits at hand, so that both indexes rank alike and nothing of one tenant's vocabulary is stored for
another's question.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import indexed_text
from corpus.everyday import searched
from corpus.french import analyze, distinct, is_title, words_of
from corpus.index.bm25 import B
from corpus.index.feedback import feedback
from corpus.index.fingerprints import fingerprint_of, gram_codes, held
from corpus.index.fusion import Key
from corpus.ports import Vector
from corpus.types import Passage

Places = list[tuple[int, str]]
"""Terms of a passage with their positions, ascending."""

SPAN: Final = 10


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal counts. All but the cosines are of the order of [0, 1].

    lexical: BM25 as the fusion takes it · similarity: cosine of the vectors · closeness: the same about the mean
    vector · feedback: cosine expected with the right hit (`feedback.py`) · near: weight of the question's
    terms in the best run of `SPAN` + 1 terms · pairs: of its neighbouring terms, found as neighbours · grams: of its
    runs of four letters, which forgive spelling. The last three are divided by length, as BM25 is.
    """

    lexical: float
    similarity: float
    closeness: float
    feedback: float
    near: float
    pairs: float
    grams: float

    @property
    def spread(self) -> float:
        """About how far the first of a hundred hits is from the last; cosines among them differ by about .1."""
        cosines = self.similarity + self.closeness + self.feedback
        return self.lexical + self.near + self.pairs + self.grams + cosines / 10

    def total(self, signals: "Signals") -> float:
        return (
            self.lexical * signals.lexical
            + self.similarity * signals.similarity
            + self.closeness * signals.closeness
            + self.feedback * signals.feedback
            + self.near * signals.near
            + self.pairs * signals.pairs
            + self.grams * signals.grams
        )


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Weights for questions, for titles, and where words alone were searched."""

    questions: Weights
    titles: Weights
    words: Weights

    def of(self, text: str, *, vectors: bool) -> Weights:
        if not vectors:
            return self.words
        return self.titles if is_title(text) else self.questions


FITTED: Final = SecondLook(
    questions=Weights(lexical=1.32, similarity=29.1, closeness=9.40, feedback=8.75, near=1.34, pairs=1.17, grams=4.12),
    titles=Weights(lexical=1.45, similarity=87.1, closeness=0.0, feedback=21.2, near=0.0, pairs=1.58, grams=0.0),
    words=Weights(lexical=4.86, similarity=0.0, closeness=0.0, feedback=0.0, near=0.0, pairs=1.76, grams=5.89),
)
"""By `python -m bench fit`."""


@dataclass(frozen=True, slots=True)
class Signals:
    """See `Weights`."""

    lexical: float
    similarity: float
    closeness: float
    feedback: float
    near: float
    pairs: float
    grams: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a leg found: where terms stand in it, at least those searched; how many terms it has; its fused
    score; its share of the lexical leg in [0, 1], 0 where that did not find it; its cosines and the vector as the
    embedder gave it, where it has one and the question too."""

    passage: Passage
    places: Places
    length: int
    score: float
    lexical: float
    similarity: float | None = None
    closeness: float | None = None
    vector: Vector | None = None


def asked(text: str, *, weights: SecondLook | None) -> dict[str, float]:
    """What is searched for a question, with what each term counts; without the second look, the typed words alone."""
    return dict.fromkeys(distinct(text), 1.0) if weights is None else searched(text)


def places_of(terms: Sequence[str], asked: AbstractSet[str]) -> Places:
    """Those of the question, with their positions."""
    return [(at, term) for at, term in enumerate(terms) if term in asked]


def reordered(text: str, hits: Mapping[Key, Hit], *, weights: SecondLook | None) -> list[tuple[Key, float]]:
    """Best first; the best scores 1, others less by what they lack, never below 0. Ties: fused score, then key.

    Without weights the fused order stands.
    """
    if weights is None:
        return [(key, hit.score) for key, hit in hits.items()]
    used = weights.of(text, vectors=any(hit.similarity is not None for hit in hits.values()))
    totals = {key: used.total(found) for key, found in signals(text, hits).items()}
    best = max(totals.values(), default=0.0)
    scored = {key: max(0.0, 1 - (best - total) / used.spread) for key, total in totals.items()}
    return sorted(scored.items(), key=lambda hit: (-round(totals[hit[0]], 6), -hits[hit[0]].score, hit[0]))


def signals(text: str, hits: Mapping[Key, Hit]) -> dict[Key, Signals]:
    """Of each hit, for this question."""
    wanted = searched(text)
    own = analyze(text)
    typed = list(dict.fromkeys(word for word in words_of(text) if len(word) > 1))
    places = [[place for place in hit.places if place[1] in wanted] for hit in hits.values()]
    rarity = _rarity_of(wanted, places)
    worth = {term: weight * rarity[term] for term, weight in wanted.items()}
    spelt = [fingerprint_of(indexed_text(hit.passage)) for hit in hits.values()]
    in_grams = held(np.unique(gram_codes(typed)), spelt)
    shares = np.array(
        [
            [_near(place, worth) for place in places],
            _pairs(own, places, rarity),
            _shares(in_grams),
        ]
    )
    columns = (shares * _brevity(hits.values())).T.tolist()
    lexical = [hit.lexical for hit in hits.values()]
    similarity = _known([hit.similarity for hit in hits.values()])
    closeness = _known([hit.closeness for hit in hits.values()])
    led = _known(feedback(lexical, similarity, [hit.vector for hit in hits.values()]))
    rows = zip(hits, lexical, similarity, closeness, led, columns, strict=True)
    return {key: Signals(*figures, *shared) for key, *figures, shared in rows}


def _known(cosines: Sequence[float | None]) -> list[float]:
    """A hit without a vector is as far as the farthest; without any vector, cosines say nothing."""
    lowest = min((cosine for cosine in cosines if cosine is not None), default=0.0)
    return [lowest if cosine is None else cosine for cosine in cosines]


def _brevity(hits: Collection[Hit]) -> NDArray[np.float64]:
    """What each hit's shares are multiplied by: 1 at the mean length of these hits, more for shorter ones."""
    lengths = np.array([hit.length for hit in hits], np.float64)
    mean = lengths.mean() if len(lengths) else 0.0
    brevity: NDArray[np.float64] = 1 / (1 - B + B * lengths / mean) if mean else np.ones(len(lengths))
    return brevity


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
