"""Logistic regression by Newton's steps, in numpy: a few dozen features need nothing bigger."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.grounding.alignment import FEATURES

PENALTY: Final = 2.0
STEPS: Final = 30
NEVER_HURTS: Final = frozenset({"cover_near", "pairs", "told", "margin"})
EITHER_WAY: Final = frozenset({"derived", "figures", "length"})
"""All others contradict, miss or belong to another: they only count against a claim, whatever chance says."""
Floats = NDArray[np.float64]


def fitted(rows: Floats, labels: Floats) -> Floats:
    """(features + 1,): a weight a feature, the bias last. Both labels weigh the same in all."""
    data = np.hstack([rows, np.ones((len(rows), 1))])
    balance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    free = np.ones(data.shape[1], bool)
    while True:
        found = _newton(data[:, free], labels, balance)
        whole = np.zeros(data.shape[1])
        whole[free] = found
        wrong = [i for i, name in enumerate(FEATURES) if _against_sense(name, whole[i])]
        if not wrong:
            return whole
        free[max(wrong, key=lambda i: abs(whole[i]) * rows[:, i].std())] = False


def _against_sense(name: str, weight: float) -> bool:
    if name in EITHER_WAY:
        return False
    return weight < 0 if name in NEVER_HURTS else weight > 0


def _newton(data: Floats, labels: Floats, balance: Floats) -> Floats:
    found = np.zeros(data.shape[1])
    ridge = PENALTY * np.eye(len(found))
    ridge[-1, -1] = 1e-6
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-data @ found))
        slope = data.T @ (balance * (chance - labels)) + ridge @ found
        curve = (data * (balance * chance * (1 - chance))[:, None]).T @ data + ridge
        step = np.linalg.solve(curve, slope)
        found = found - step
        if np.abs(step).max() < 1e-6:
            break
    return found


def chances(rows: Floats, weights: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))
    return found
