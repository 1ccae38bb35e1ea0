"""No personal number is searched for: not in an index, not by an embedder, not by a service that ranks."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.documents.progress import Counted
from corpus.embedders import CachedEmbedder
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.reindex import reindex
from corpus.types import SHARED_TENANT, Document, Filters
from pipeline.retrieval.retriever import retrieve
from pipeline.text.outward import Outward, about
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


async def test_no_name_leaves_with_a_question_or_a_passage(tmp_path: Path) -> None:
    """Numbers masked, names under one pseudonym on both sides, the thread's clients too; what is public stays."""
    heard = Listening()
    outward = Outward(heard, b"s" * 32, public_only=False)
    await outward.passages(["Mme Roux achète à Lyon, RIB FR76 3000 4000 0312 3456 7890 143."])
    await about(outward, ["Benali"]).queries(["Mme Roux et Benali au Pinel"])  # type: ignore[union-attr]
    passage, question = heard.heard
    assert not {"Roux", "Benali", "7890"} & set(re.findall(r"\w+", f"{passage} {question}"))
    (known,) = set(re.findall(r"Personne-\w+", passage))
    assert known in question
    assert "Lyon" in passage
    assert "Pinel" in question


async def test_a_teams_texts_never_reach_an_embedder_for_public_ones(tmp_path: Path) -> None:
    """By whatever way: added, re-indexed, counted on the way. They are found by their words all the same."""
    heard, index = Listening(), EmbeddedIndex(tmp_path / "corpus.sqlite3")
    outward = Counted(CachedEmbedder(Outward(heard, b"s" * 32), {}), lambda _count: None)
    secret = Document("file:1", "Note", "", "Le lot A203 est à 312 000 euros.", "methodology")
    try:
        await ingest([secret], index=index, embedder=outward, tenant="T1")
        await reindex(index, embedder=outward)
        assert heard.heard == []
        found = await index.search("lot A203", vector=None, tenants=("T1",), filters=Filters(), limit=1)
        assert found[0].document_id == "file:1"
        await ingest([secret], index=index, embedder=outward, tenant=SHARED_TENANT)
        assert len(heard.heard) == 1
    finally:
        await index.aclose()
