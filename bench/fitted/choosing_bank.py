"""What the signs of the question bank are worth together.

Fitted on its own ways of asking, each left out in turn, and on questions by other hands. The first alone would say that
ways of asking are worth nothing: whoever writes three down takes care that they are not alike.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.fitted.choosing_other import others
from bench.fitted.fitting import Floats, Hits, Part, fitted, halves
from bench.ranking.known_vectors import Known
from corpus.questions.bank import QuestionBank, Signs
from corpus.questions.prepared import Entry, prepare
from corpus.vectors import content_key

CANDIDATES: Final = 80
"""Entries that a question is fitted among: those that share most with it."""
ROUGHLY: Final = Signs(2.5, 21.0, 2.5, 5.3)
"""By which these are chosen; no weight of the fit stays."""


OTHERS: Final = 2.0
"""How much the questions by other hands count, however few they are, where all of the bank's own count 1."""


def fit_bank(entries: Sequence[Entry], vectors: Known) -> tuple[Signs, Mapping[str, Mapping[str, float]]]:
    """Weights of all questions, and two-fold figures: all questions about one article fall into the same half."""
    held = prepare(entries, asked=vectors.asked, told=vectors.said, version=vectors.version)
    bank = QuestionBank(held, weights=ROUGHLY)
    kinds = {
        "bank, left out": (_left_out(bank, vectors), 1.0),
        "bank, other hands": (_by_others(bank, vectors), OTHERS),
    }

    def weights_of(part: int | None) -> Floats:
        parts = [Part(hits, half != part, share) for (hits, half), share in kinds.values()]
        return fitted(parts, columns=range(4), legs=())

    figures = {}
    for name, ((hits, half), _) in kinds.items():
        ranks = np.zeros(len(half))
        for part in (0, 1):
            scores = np.where(hits.real, hits.signals @ weights_of(part), -np.inf)
            own = np.where(hits.right, scores, -np.inf).max(axis=1)
            ranks = np.where(half == part, 1 + (scores > own[:, None]).sum(axis=1), ranks)
        shares = {f"among {n}": round(100 * float((ranks <= n).mean()), 1) for n in (1, 3, 8)}
        figures[name] = {"rows": len(half), **shares}
    return Signs(*(round(float(weight), 4) for weight in weights_of(None))), figures


def _left_out(bank: QuestionBank, vectors: Known) -> tuple[Hits, NDArray[np.int64]]:
    rows, about = [], []
    for place, entry in enumerate(bank.entries):
        for way in entry.ways[1:]:
            vector = vectors.asked[content_key(way, version=vectors.version)]
            rows.append(_row(bank.without(way, vector).signs(way, vector), {place}))
            about.append(entry.passage.document_id)
    return _hits(rows), halves(about)


def _by_others(bank: QuestionBank, vectors: Known) -> tuple[Hits, NDArray[np.int64]]:
    rows, about = [], []
    for other in others():
        if right := {place for place, entry in enumerate(bank.entries) if other.answered_by(entry.passage)}:
            vector = vectors.asked[content_key(other.text, version=vectors.version)]
            rows.append(_row(bank.signs(other.text, vector), right))
            about.append(other.sections[0][0])
    return _hits(rows), halves(about)


def _row(signs: NDArray[np.float64], right: Collection[int]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Of the best candidates, those that are right among them in any case."""
    scores = signs @ np.array(astuple(ROUGHLY))
    scores[list(right)] += 1e6
    taken = np.argsort(-scores, kind="stable")[:CANDIDATES]
    return signs[taken], np.isin(taken, list(right))


def _hits(rows: Sequence[tuple[NDArray[np.float64], NDArray[np.bool_]]]) -> Hits:
    signals, right = np.stack([signs for signs, _ in rows]), np.stack([right for _, right in rows])
    return Hits(signals, np.ones(right.shape, np.bool_), right)
