"""No personal number is searched for: not in an index, not by an embedder, not by a service that ranks."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.index.embedded import EmbeddedIndex
from pipeline.retriever import retrieve
from pipeline.types import Question, Route

NOW = datetime(2026, 11, 21, tzinfo=UTC)


class Listening:
    """An embedder that remembers what it was told."""

    version = "listening-1"
    dimensions = 2

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.heard += texts
        return np.ones((len(texts), 2), np.float32)

    passages = queries


async def test_no_personal_number_is_searched_for(tmp_path: Path) -> None:
    """Of the question and of each of its sub-queries; what else they say is looked for."""
    embedder, index = Listening(), EmbeddedIndex(tmp_path / "corpus.sqlite3")
    query, sub = "Pinel, mon RIB FR76 3000 4000 0312 3456 7890 143", "loyer 06\u200b12 34 56 78"
    try:
        route = Route("rag", "ask", query, sub_queries=(sub,))
        await retrieve(route, Question(query, "U1", NOW), index=index, embedder=embedder)
    finally:
        await index.aclose()
    assert sorted(embedder.heard) == ["Pinel, mon RIB", "loyer"]
