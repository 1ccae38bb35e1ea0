"""A measuring set in memory: every question against every passage at once, with the constants of the indexes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.fitted.fitting import Hits, halves
from bench.ranking.retrieval import Questions, Vectors
from corpus.chunking import indexed_text
from corpus.everyday import searched
from corpus.french import analyze, distinct
from corpus.index.bm25 import K1, B, idf
from corpus.index.centering import SHARE, Centering, load_mean_vector
from corpus.index.fusion import ALPHA, DEPTH
from corpus.index.ranking import Hit, Weights, places_of, signals

Scores = NDArray[np.float32]
NAMES: Final = tuple(Weights.__slots__)


@dataclass(frozen=True, slots=True)
class Bench:
    """A set in memory: analysed texts, the place of each question's first right passage, and which are right (question,
    passage)."""

    data: Questions
    vectors: Vectors
    questions: tuple[str, ...]
    names: tuple[str, ...]
    right: NDArray[np.int64]
    rights: NDArray[np.bool_]
    terms: tuple[list[str], ...]

    @property
    def matrix(self) -> Scores:
        return self.vectors.passages_matrix

    def asked(self) -> Scores:
        return np.stack([self.vectors.by_query[text] for text in self.questions])

    def centred(self, share: float = SHARE) -> Scores:
        """Cosines of every question with every passage, about this share of the shipped mean."""
        mean_vector = load_mean_vector(self.vectors.version)
        centering = Centering(None if mean_vector is None else mean_vector * np.float32(share / SHARE))
        found: Scores = centering.centred(self.asked()) @ centering.centred(self.matrix).T
        return found

    def plain_legs(self) -> tuple[Scores, Scores]:
        """BM25, and cosines of the vectors as they are."""
        return bm25([distinct(text) for text in self.questions], self.terms), self.centred(0.0)

    def words(self) -> Scores:
        """The lexical leg as the product searches it: everyday words by those of the texts, too."""
        return bm25([searched(text) for text in self.questions], self.terms)

    def halves(self) -> NDArray[np.int64]:
        return halves([self.data.passages[at].title for at in self.right])


def bm25(
    questions: Iterable[Sequence[str] | Mapping[str, float]],
    texts: Sequence[Sequence[str]],
    *,
    k1: float = K1,
    b: float = B,
) -> Scores:
    """Of every question's distinct terms, each with its weight where one is given, with every text."""
    postings: dict[str, list[tuple[int, int]]] = {}
    for at, text in enumerate(texts):
        for term, count in Counter(text).items():
            postings.setdefault(term, []).append((at, count))
    lengths = np.array([len(text) for text in texts], np.float64)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    rows = []
    for terms in questions:
        row = np.zeros(len(texts))
        for term, weight in (terms if isinstance(terms, Mapping) else dict.fromkeys(terms, 1.0)).items():
            if held := postings.get(term):
                at, count = np.array(held).T
                row[at] += weight * idf(len(texts), len(at)) * count * (k1 + 1) / (count + norm[at])
        rows.append(row.astype(np.float32))
    return np.stack(rows)


def leg(scores: Scores, *, words: bool) -> Scores:
    """Min-max over the best `DEPTH` of each question, the rest zero, as the fusion does it."""
    depth = min(DEPTH, scores.shape[1] - 1)
    best = np.argpartition(-scores, depth, axis=1)[:, :depth]
    taken = np.take_along_axis(scores, best, 1)
    real = taken > 0 if words else np.ones_like(taken, np.bool_)
    low = np.where(real, taken, np.inf).min(axis=1, keepdims=True)
    high = np.where(real, taken, -np.inf).max(axis=1, keepdims=True)
    span = high - low
    scaled = np.where(real, np.where(span > 1e-9, (taken - low) / np.where(span > 1e-9, span, 1), 1.0), 0.0)
    out = np.zeros_like(scores)
    np.put_along_axis(out, best, scaled.astype(np.float32), 1)
    return out


def hybrid(lexical: Scores, dense: Scores, alpha: float | NDArray[np.float64] = ALPHA) -> Scores:
    fused = (1 - alpha) * leg(lexical, words=True) + alpha * leg(dense, words=False)
    return np.asarray(fused, np.float32)


def measured(scores: Scores, right: NDArray[np.int64], chosen: NDArray[np.bool_] | None = None) -> dict[str, float]:
    """Ties count at their mean rank: they must not fall to whoever was loaded first."""
    if chosen is not None:
        scores, right = scores[chosen], right[chosen]
    own = scores[np.arange(len(right)), right][:, None]
    rank = (scores > own).sum(axis=1) + ((scores == own).sum(axis=1) + 1) / 2
    rank = np.where(own[:, 0] <= 0, np.inf, rank)
    hit = rank <= 10
    gains = {"ndcg@10": 1 / np.log2(rank + 1), "r@5": rank <= 5, "r@10": hit, "mrr": 1 / rank}
    return {name: round(float(np.where(hit, gain, 0).mean()), 4) for name, gain in gains.items()}


def in_memory(data: Questions, vectors: Vectors) -> Bench:
    """Questions whose passages are not in the set do not count."""
    told = [data.sections[passage.id] if data.sections else frozenset({passage.id}) for passage in data.passages]
    asked = {query: np.array([bool(names & data.relevant[query]) for names in told]) for query in data.queries}
    asked = {query: right for query, right in asked.items() if right.any()}
    rights = np.stack(list(asked.values()))
    terms = tuple(analyze(indexed_text(passage)) for passage in data.passages)
    questions = tuple(data.queries[query] for query in asked)
    return Bench(data, vectors, questions, tuple(asked), rights.argmax(axis=1), rights, terms)


def hits_of(bench: Bench, lexical: Scores, close: Scores | None) -> tuple[Hits, NDArray[np.int64]]:
    """The first `DEPTH` of each question with their signals, and which passages they are. `lexical`: BM25; `close`:
    cosines about the mean, None for a search by words alone."""
    shares = leg(lexical, words=True)
    fused = shares if close is None else hybrid(lexical, close)
    similar = None if close is None else bench.centred(0.0)
    places = (-fused).argsort(axis=1, kind="stable")[:, :DEPTH]
    found = np.zeros((*places.shape, len(NAMES)))
    real = np.take_along_axis(fused, places, 1) > 0
    for row, question in enumerate(bench.questions):
        wanted = searched(question).keys()
        hits = {
            (f"{order:03}", ""): Hit(
                bench.data.passages[at],
                places_of(bench.terms[at], wanted),
                len(bench.terms[at]),
                float(fused[row, at]),
                float(shares[row, at]),
                None if similar is None else float(similar[row, at]),
                None if close is None else float(close[row, at]),
                None if close is None else bench.matrix[at],
            )
            for order, at in enumerate(places[row])
            if real[row, order]
        }
        for (order, _), signal in signals(question, hits).items():
            found[row, int(order)] = [getattr(signal, name) for name in NAMES]
    return Hits(found, real, np.take_along_axis(bench.rights, places, 1) & real), places


def reordered(
    hits: Hits, places: NDArray[np.int64], bench: Bench, scores: NDArray[np.float64], chosen: NDArray[np.bool_]
) -> dict[str, float]:
    whole = np.zeros((len(places), len(bench.terms)), np.float32)
    above = np.where(hits.real, scores - scores.min() + 1, 0)
    np.put_along_axis(whole, places, above.astype(np.float32), 1)
    return measured(whole, bench.right, chosen)
