"""An embedder on another machine, which never learns who the clients are: numbers masked, names under other names."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.ports import Embedder, taken_at_once
from pipeline.text.masking import mask
from pipeline.text.pseudonyms import Cover, known_in

NOBODY: Final[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Outward:
    """Any `Embedder` behind masks and pseudonyms. `secret`: what pseudonyms are made with; kept, so that a question and
    a passage have the same. `public_only`: nothing that a team added goes there. `persons`: clients of this thread."""

    inner: Embedder
    secret: bytes = field(repr=False)
    public_only: bool = True
    persons: tuple[str, ...] = field(default=NOBODY, repr=False)

    @property
    def version(self) -> str:
        return self.inner.version

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def at_once(self) -> int:
        return taken_at_once(self.inner)

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self.inner.queries([self._outward(text) for text in texts])

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self.inner.passages([self._outward(text) for text in texts])

    def _outward(self, text: str) -> str:
        """By what this text itself tells of persons: the same text leaves the same way whatever stands beside it."""
        masked = mask(text)
        return Cover(self.secret).hide(masked, known_in([masked], self.persons))


def about(embedder: Embedder | None, persons: Sequence[str]) -> Embedder | None:
    """The embedder that hides these persons too, where it is one that hides any."""
    return replace(embedder, persons=tuple(persons)) if isinstance(embedder, Outward) and persons else embedder
