"""How close each sentence of a passage is to a question: cosines with vectors shipped for the built-in articles."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder, Vector
from corpus.types import Passage
from corpus.vectors import SHIPPED, content_key

SHIPPED_SENTENCES: Final[Path] = SHIPPED.with_name("sentences.npz")
_SPACES: Final = re.compile(r"\s+")


def sentence_in_place(passage: Passage, sentence: str) -> str:
    """What is embedded: the sentence under its title and heading, which carry half of what it is about."""
    return _SPACES.sub(" ", f"{passage.title} {' '.join(passage.heading[-1:])} : {sentence}").strip()


class SentenceCloseness:
    """Cosines of known sentences with a question. Sentences nobody shipped a vector for are left out: embedding them
    while somebody waits would cost about 0.1 s each."""

    def __init__(self, embedder: Embedder, known: Mapping[str, Vector]) -> None:
        self._embedder = embedder
        self._known = known

    async def of(self, question: str, said: Sequence[tuple[Passage, str]]) -> dict[tuple[str, str], float]:
        """(passage id, sentence) -> cosine in [-1, 1]. Empty when the embedder is out: words alone then decide."""
        vector = await self.vector(question)
        if vector is None:
            return {}
        found = {(passage.id, text): self._vector(passage, text) for passage, text in said}
        return {key: float(known @ vector) for key, known in found.items() if known is not None}

    async def vector(self, question: str) -> Vector | None:
        """Of a question; None when the embedder is out."""
        try:
            return (await self._embedder.queries([question]))[0]  # type: ignore[no-any-return]
        except EmbedderUnavailable:
            return None

    def _vector(self, passage: Passage, sentence: str) -> Vector | None:
        return self._known.get(content_key(sentence_in_place(passage, sentence), version=self._embedder.version))
