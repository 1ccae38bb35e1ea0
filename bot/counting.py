"""An embedder that says how far it is with a long document."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.ports import Embedder

BATCH: Final = 4
"""Passages between two reports: about a second."""


class Counting:
    """Hands on to `inner` and reports `Indexation : k / total passages`."""

    def __init__(self, inner: Embedder, total: int, report: Callable[[str], None]) -> None:
        self._inner, self._total, self._report = inner, total, report

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._inner.queries(texts)

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raises `EmbedderUnavailable`."""
        rows = []
        for start in range(0, len(texts), BATCH):
            rows.append(await self._inner.passages(texts[start : start + BATCH]))
            self._report(f"Indexation : {min(start + BATCH, self._total)} / {self._total} passages")
        return np.concatenate(rows) if rows else np.empty((0, self.dimensions), np.float32)
