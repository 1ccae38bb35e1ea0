"""Listwise softmax: weights by which one of the right rows of each question is the likeliest."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

PENALTY: Final = 0.002
START: Final = 0.1
Floats = NDArray[np.float64]


def chances(signs: Floats, weights: Floats) -> Floats:
    """Of each row of `signs` (rows, weights), that it is meant."""
    scores = signs @ weights
    odds = np.exp(scores - scores.max())
    found: Floats = odds / odds.sum()
    return found


def least_surprise(asked: Sequence[tuple[Floats, Sequence[int]]]) -> Floats:
    """`asked`: signs, and the places of the rows that are right. Least mean surprise at that one of these was meant."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, slope = PENALTY * float(weights @ weights), 2 * PENALTY * weights
        for signs, right in asked:
            likely = chances(signs, weights)
            held = max(float(likely[list(right)].sum()), 1e-12)
            meant = np.zeros_like(likely)
            meant[list(right)] = likely[list(right)] / held
            value -= float(np.log(held)) / len(asked)
            slope = slope + signs.T @ (likely - meant) / len(asked)
        return value, slope

    found: Floats = minimize(loss, np.full(asked[0][0].shape[1], START), jac=True, method="L-BFGS-B").x
    return found
