"""How close each sentence of a passage is to a question: cosines with vectors shipped for the built-in articles."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from corpus.chunking import indexed_text
from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder, Vector
from corpus.types import Passage, is_built_in
from corpus.vectors import SHIPPED, content_key

SHIPPED_SENTENCES: Final[Path] = SHIPPED.with_name("sentences.npz")
READ: Final = 2
"""Of what a team added, embedded while somebody waits: a tenth to a fifth of a second each, and kept."""
REMEMBERED: Final = 512
_SPACES: Final = re.compile(r"\s+")


def sentence_in_place(passage: Passage, sentence: str) -> str:
    """What is embedded: the sentence under its title and heading, which carry half of what it is about."""
    return _SPACES.sub(" ", f"{passage.title} {' '.join(passage.heading[-1:])} : {sentence}").strip()


class LocalSense:
    """The local embedder beside a remote one that searches: the bank of questions and the floors were fitted on its
    cosines, and those of another model are not on their scale."""

    def __init__(self, embedder: Embedder, known: Mapping[str, Vector]) -> None:
        self.embedder = embedder
        self._known = known
        self._read: dict[str, Vector] = {}

    async def told(self, found: Sequence[Passage], vector: Vector | None) -> tuple[Passage, ...]:
        """The passages with its own cosines: of our articles from the vectors that are shipped, and of the first
        `READ` others; None for the rest, which are then judged by their words."""
        if vector is None:
            return tuple(replace(passage, similarity=None) for passage in found)
        keys = [content_key(indexed_text(passage), version=self.embedder.version) for passage in found]
        added = [at for at, passage in enumerate(found) if not is_built_in(passage.document_id)][:READ]
        fresh = [at for at in added if keys[at] not in self._read and keys[at] not in self._known]
        with suppress(EmbedderUnavailable):
            vectors = await self.embedder.passages([indexed_text(found[at]) for at in fresh])
            self._read |= {keys[at]: row for at, row in zip(fresh, vectors, strict=True)}
        known = [self._read[key] if key in self._read else self._known.get(key) for key in keys]
        for oldest in list(self._read)[:-REMEMBERED]:
            del self._read[oldest]
        pairs = zip(found, known, strict=True)
        return tuple(replace(p, similarity=None if row is None else float(row @ vector)) for p, row in pairs)


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
