"""Progress bars that say their rate, and an embedder that moves one."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from corpus.ports import Embedder, is_public_only, taken_at_once


def progress_bars(console: Console) -> Progress:
    """Tasks added to it say their unit in a field: `add_task("Fichiers", total=3, unit="fichiers/s")`."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeElapsedColumn())
    return Progress(*columns, console=console)


class _Rate(ProgressColumn):
    """Since the start: rich's own rate needs two steps, and a short run has one."""

    def render(self, task: Task) -> Text:
        elapsed = task.finished_time or task.elapsed
        return Text(f"{task.completed / elapsed:.1f} {task.fields['unit']}".replace(".", ",") if elapsed else "")


class Counted:
    """An `Embedder` that tells after every few passages how many it has done: a long file must not look stuck."""

    def __init__(self, embedder: Embedder, advance: Callable[[int], None]) -> None:
        self._embedder = embedder
        self._advance = advance

    @property
    def version(self) -> str:
        return self._embedder.version

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def public_only(self) -> bool:
        return is_public_only(self._embedder)

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._embedder.queries(texts)

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found, step = [], taken_at_once(self._embedder)
        for start in range(0, len(texts), step):
            some = texts[start : start + step]
            found.append(await self._embedder.passages(some))
            self._advance(len(some))
        return np.concatenate(found) if found else np.zeros((0, self.dimensions), np.float32)
