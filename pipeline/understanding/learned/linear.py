"""Linear models read from one small file: named features (and a vector) in, a score a label out. numpy alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).with_name("weights")
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Linear:
    """`weights`: (features, labels), `dense`: (vector's dimensions, labels), `bias`: (labels)."""

    labels: tuple[str, ...]
    vocabulary: Mapping[str, int]
    idf: Floats
    weights: Floats
    dense: Floats
    bias: Floats

    def scores(self, features: Mapping[str, float], vector: Floats | None = None, *, unit: bool = False) -> Floats:
        """One score a label. `unit`: the known features are weighed by rarity and scaled to length one."""
        known = [(self.vocabulary[name], value) for name, value in features.items() if name in self.vocabulary]
        total: Floats = self.bias.copy()
        if known:
            rows = np.fromiter((row for row, _ in known), np.int64, len(known))
            values = np.fromiter((value for _, value in known), np.float32, len(known))
            if unit:
                values = values * self.idf[rows]
                values = values / (float(np.linalg.norm(values)) or 1.0)
            total = total + values @ self.weights[rows]
        if vector is not None and len(self.dense):
            total = total + vector @ self.dense
        return total


def load(name: str, folder: Path = WEIGHTS) -> Linear:
    """The model of that name. Raises `FileNotFoundError` where it was never trained."""
    with np.load(folder / f"{name}.npz", allow_pickle=False) as held:
        words = bytes(held["vocabulary"]).decode("utf-8").split("\n")
        return Linear(
            labels=tuple(bytes(held["labels"]).decode("utf-8").split("\n")),
            vocabulary={word: row for row, word in enumerate(words)} if words != [""] else {},
            idf=held["idf"].astype(np.float32),
            weights=held["weights"].astype(np.float32),
            dense=held["dense"].astype(np.float32),
            bias=held["bias"].astype(np.float32),
        )


@cache
def mean_vector(folder: Path = WEIGHTS) -> Floats:
    """Of the messages that were learned from: it stands for the vector of a message that has none, as in training."""
    with np.load(folder / "mean.npz", allow_pickle=False) as held:
        mean: Floats = held["mean"].astype(np.float32)
        return mean


def softmax(scores: Floats) -> Floats:
    exponents = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = exponents / exponents.sum(axis=-1, keepdims=True)
    return shares


def sigmoid(scores: Floats) -> Floats:
    shares: Floats = (1.0 / (1.0 + np.exp(-scores))).astype(np.float32)
    return shares
