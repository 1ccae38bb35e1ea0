"""Passages put into an index, and what one route brings back of them, over an embedder that knows a few topics."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from corpus.index.embedded import EmbeddedIndex
from corpus.ports import Embedder, PassageIndex
from corpus.types import Passage
from pipeline.retrieval.retriever import Retrieval, retrieve
from pipeline.types import Question, Route

TOPICS = ("pinel", "inondation", "loyer", "dvf")


class Topics:
    """An embedder of five dimensions: one a topic, one for all the rest. It counts its calls."""

    version = "topics-1"
    dimensions = 5

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        rows = [[float(topic in text.lower()) for topic in TOPICS] for text in texts]
        filled = np.array([[*row, float(not any(row))] for row in rows], np.float32)
        return np.asarray(filled / np.linalg.norm(filled, axis=1, keepdims=True), np.float32)

    passages = queries


async def put(
    index: EmbeddedIndex, name: str, texts: Sequence[str], *, tenant: str = "shared", audience: str = "public"
) -> None:
    passages = [
        Passage(
            f"{name}#{n}",
            name,
            n,
            "Note",
            (),
            text,
            "https://example.org",
            "regulation",
            entities=(name,),
            audience=audience,
        )
        for n, text in enumerate(texts)
    ]
    await index.upsert(name, passages, await Topics().passages(texts), tenant=tenant, digest="1")


async def run(
    index: PassageIndex,
    query: str,
    *subs: str,
    embedder: Embedder | None = None,
    schemes: tuple[str, ...] = (),
    limit: int = 8,
    audience: frozenset[str] = frozenset({"public"}),
    tenants: tuple[str, ...] = ("shared",),
) -> Retrieval:
    question = Question(query, "U1", datetime(2026, 11, 21, tzinfo=UTC), audience=audience, tenants=tenants)
    route = Route("rag", "ask", query, sub_queries=subs, schemes=schemes)
    return await retrieve(route, question, index=index, embedder=embedder, limit=limit)
