"""A reranker after the search: it orders what was found, and nobody waits for it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpus.errors import RerankerUnavailable
from corpus.index.embedded import EmbeddedIndex
from corpus.ports import Reranker
from corpus.types import Passage
from pipeline.retrieval import retriever
from pipeline.retrieval.retriever import NOT_RERANKED, WORDS_ONLY, Retrieval, retrieve
from pipeline.types import Question, Route

TEXTS = {
    "pinel": "Le Pinel est fermé aux acquisitions nouvelles.",
    "plafond": "Le Pinel plafonne chaque année le loyer selon la zone.",
    "loyers": "Le loyer de référence est fixé par arrêté.",
    "ppri": "Le risque d'inondation figure dans le plan de prévention.",
}


class Backwards:
    """A reranker that prefers what comes last; or is slow, or down."""

    def __init__(self, *, seconds: float = 0.0, down: bool = False) -> None:
        self.asked: list[str] = []
        self._seconds = seconds
        self._down = down

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked += texts
        await asyncio.sleep(self._seconds)
        if self._down:
            raise RerankerUnavailable
        return [float(position) for position in range(len(texts))]


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    opened = EmbeddedIndex(tmp_path / "index.sqlite")
    for name, text in TEXTS.items():
        one = Passage(f"{name}#0", name, 0, "Note", (), text, "https://example.org", "regulation")
        await opened.upsert(name, [one], None, tenant="shared", digest="1")
    yield opened
    await opened.aclose()


async def run(
    index: EmbeddedIndex, query: str, *subs: str, reranker: Reranker | None = None, limit: int = 8
) -> Retrieval:
    question = Question(query, "U1", datetime(2026, 11, 21, tzinfo=UTC))
    route = Route("rag", "ask", query, sub_queries=subs)
    return await retrieve(route, question, index=index, embedder=None, reranker=reranker, limit=limit)


async def test_a_reranker_orders_what_was_found(index: EmbeddedIndex) -> None:
    """It reads passages with their titles; nothing is added, nothing lost."""
    before = await run(index, "Pinel et loyer")
    reranker = Backwards()
    after = await run(index, "Pinel et loyer", reranker=reranker)
    assert reranker.asked[0].startswith("Note\n")
    assert len(before.passages) == 3
    assert [p.id for p in after.passages] == [p.id for p in reversed(before.passages)]
    assert after.degraded == (WORDS_ONLY,)


@pytest.mark.parametrize("reranker", [Backwards(seconds=600), Backwards(down=True)], ids=["late", "down"])
async def test_a_late_or_failing_reranker_leaves_the_fused_order(
    index: EmbeddedIndex, reranker: Backwards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer does not wait, and says so."""
    monkeypatch.setattr(retriever, "RERANK_SECONDS", 0.05)
    before = await run(index, "Pinel et loyer")
    async with asyncio.timeout(60):
        after = await run(index, "Pinel et loyer", reranker=reranker)
    assert [p.id for p in after.passages] == [p.id for p in before.passages]
    assert NOT_RERANKED in after.degraded


async def test_every_aspect_keeps_its_seat_under_a_reranker(index: EmbeddedIndex) -> None:
    """What a sub-query found stays in the evidence wherever the service puts it."""
    found = await run(index, "Pinel", "loyer de référence", "risque d'inondation", reranker=Backwards(), limit=2)
    assert {passage.document_id for passage in found.passages} == {"ppri", "loyers"}


async def test_one_passage_needs_no_order(index: EmbeddedIndex) -> None:
    """Nobody is asked, nobody is paid."""
    reranker = Backwards()
    await run(index, "inondation", reranker=reranker)
    assert reranker.asked == []


async def test_a_service_that_ranks_learns_nothing_of_persons(index: EmbeddedIndex) -> None:
    """Numbers in a file are masked, clients have other names, in the question as in the passages."""
    text = "Le loyer de Mme Roux, IBAN FR76 3000 4000 0312 3456 7890 143, suit le loyer de la zone."
    held = Passage("note#0", "note", 0, "Note", (), text, "https://example.org", "regulation")
    await index.upsert("note", [held], None, tenant="shared", digest="1")
    service = Backwards()
    found = await run(index, "loyer Pinel zone Roux", reranker=service)
    assert [told for told in service.asked if "loyer de Mme Personne-" in told]
    assert not [told for told in service.asked if "Roux" in told or "3000" in told]
    assert text in [passage.text for passage in found.passages]
