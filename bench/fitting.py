"""A linear order of hits fitted by listwise softmax, on one half of the questions, for a report on the other."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

STEPS: Final = 600
BATCH: Final = 400
PENALTY: Final = 1e-3
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Hits:
    """Signals of each question's hits (question, hit, signal), which of them are real, and where the right one is.

    `right` is -1 for a question whose passage no leg found.
    """

    signals: Floats
    real: NDArray[np.bool_]
    right: NDArray[np.int64]


def halves(titles: Sequence[str]) -> NDArray[np.int64]:
    """0 or 1 a question: all questions about one title fall into the same half, so that nothing leaks."""
    return np.array([random.Random(title).randint(0, 1) for title in titles])


def fitted(hits: Hits, chosen: NDArray[np.bool_], *, columns: Sequence[int]) -> Floats:
    """Weights of these signals that make the right hits of the chosen questions most likely."""
    usable = np.flatnonzero(chosen & (hits.right >= 0))
    # Signals of one scale take steps of one size.
    scale = hits.signals[usable][hits.real[usable]][:, list(columns)].std(axis=0) + 1e-9
    weights = np.ones(len(columns))
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    generator = np.random.default_rng(0)
    for step in range(1, STEPS + 1):
        batch = generator.choice(usable, BATCH)
        slope = _slope(hits, batch, columns, weights, scale) + PENALTY * weights
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        pace = 0.1 * (1 - step / STEPS)
        weights = weights - pace * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    found: Floats = weights / scale
    return found


def _slope(hits: Hits, batch: NDArray[np.int64], columns: Sequence[int], weights: Floats, scale: Floats) -> Floats:
    signals = hits.signals[batch][:, :, list(columns)] / scale
    scores = np.where(hits.real[batch], signals @ weights, -np.inf)
    chance = np.exp(scores - scores.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    chance[np.arange(len(batch)), hits.right[batch]] -= 1
    slope: Floats = np.einsum("qh,qhs->s", chance, signals) / len(batch)
    return slope
