"""A linear order of hits fitted by listwise softmax over several kinds of question at once, near the plain hybrid."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

PENALTY: Final = 3e-3
"""Of a weight's distance from the plain hybrid's, in standard deviations of its signal."""
PLAIN: Final = 2.0
"""What each leg of the plain hybrid counts, per standard deviation of its signal among the hits."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Hits:
    """Signals of each question's hits (question, hit, signal), which of them are real, and which are right."""

    signals: Floats
    real: NDArray[np.bool_]
    right: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Part:
    """Some questions of one kind, and how much the kind counts, however many questions it has."""

    hits: Hits
    chosen: NDArray[np.bool_]
    share: float = 1.0

    def usable(self) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """(signals, real, right) of the questions whose right passage a leg found."""
        kept = self.chosen & self.hits.right.any(axis=1)
        return self.hits.signals[kept], self.hits.real[kept], self.hits.right[kept]


def halves(titles: Sequence[str]) -> NDArray[np.int64]:
    """0 or 1 a question: all questions about one title fall into the same half, so that nothing leaks."""
    return np.array([random.Random(title).randint(0, 1) for title in titles])


def fitted(parts: Sequence[Part], *, columns: Sequence[int], legs: Sequence[int] = (0, 1)) -> Floats:
    """Weights >= 0 of these signals that make the right hits of the chosen questions most likely. `legs`: the signals
    that are the plain hybrid's own."""
    taken = list(columns)
    sets = [(signals[:, :, taken], real, right) for signals, real, right in (part.usable() for part in parts)]
    spreads = [np.where(real[:, :, None], signals, np.nan) for signals, real, _ in sets]
    scale = np.mean([np.nanmean(np.nanstd(spread, axis=1), axis=0) for spread in spreads], axis=0) + 1e-9
    plain = np.array([PLAIN if column in legs else 0.0 for column in taken])
    shares = np.array([part.share for part in parts]) / sum(part.share for part in parts)

    def loss(weights: Floats) -> tuple[float, Floats]:
        distance = weights - plain
        total, slope = PENALTY * float(distance @ distance), 2 * PENALTY * distance
        for share, (signals, real, right) in zip(shares, sets, strict=True):
            lost, steep = _softmax_loss(signals / scale, real, right, weights)
            total, slope = total + share * lost, slope + share * steep
        return total, slope

    found = minimize(loss, plain, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(taken))
    weights: Floats = found.x / scale
    return weights


def _softmax_loss(
    signals: Floats, real: NDArray[np.bool_], right: NDArray[np.bool_], weights: Floats
) -> tuple[float, Floats]:
    """-log of the chance that a right hit comes first, as a mean over questions, and its slope."""
    scores = np.where(real, signals @ weights, -np.inf)
    chance = np.exp(scores - scores.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    hit = chance * right
    whole = hit.sum(axis=1, keepdims=True) + 1e-12
    slope: Floats = np.einsum("qh,qhs->s", chance - hit / whole, signals) / len(signals)
    return float(-np.log(whole).mean()), slope
