"""Weights as the product reads them: `pipeline.understanding.learned.linear`."""

from pathlib import Path

import numpy as np

from pipeline.understanding.learned.linear import WEIGHTS, Floats, Linear


def save_mean(mean: Floats, folder: Path = WEIGHTS) -> None:
    np.savez_compressed(folder / "mean.npz", mean=mean.astype(np.float16))


def save(model: Linear, name: str, folder: Path = WEIGHTS) -> None:
    """In half precision: 1,000 weights take 2 kB and the best label stays the same."""
    folder.mkdir(exist_ok=True)
    np.savez_compressed(
        folder / f"{name}.npz",
        labels=np.frombuffer("\n".join(model.labels).encode(), np.uint8),
        vocabulary=np.frombuffer("\n".join(model.vocabulary).encode(), np.uint8),
        idf=model.idf.astype(np.float16),
        weights=model.weights.astype(np.float16),
        dense=model.dense.astype(np.float16),
        bias=model.bias.astype(np.float32),
    )
