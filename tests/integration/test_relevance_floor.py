"""The relevance floor, measured on our own questions with the shipped corpus and the real embedder."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from corpus.embedders import CachedEmbedder
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.ports import Embedder
from corpus.questions.bank import QuestionBank, Signs, built_in_bank, load_bank
from corpus.questions.prepared import load_prepared, source_digest
from corpus.vectors import load_vectors
from pipeline.retrieval.retriever import retrieve
from pipeline.thread_state import ThreadState, to_json
from pipeline.types import Question, Route
from tests.asking import ask
from tests.beginnings import indexed
from tests.kept_vectors import kept_vectors

DATA = Path(__file__).parents[2] / "bench" / "data"


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return CachedEmbedder(kept_vectors(), load_vectors())


@pytest.fixture
async def index(tmp_path: Path, embedder: Embedder) -> AsyncIterator[EmbeddedIndex]:
    path = await indexed(tmp_path / "index.sqlite")
    opened = EmbeddedIndex(path, mean_vector=load_mean_vector(embedder.version))
    yield opened
    await opened.aclose()


@cache
def read_once(text: str) -> Route:
    """What is understood of it hangs on no vectors of passages."""
    return ask(text, crm=False)


@cache
def bank() -> QuestionBank:
    return load_bank(kept_vectors().version)


async def passing(name: str, index: EmbeddedIndex, embedder: Embedder | None) -> dict[str, float]:
    """Share of the questions of each kind that the floor lets through."""
    shares: dict[str, list[bool]] = {"in": [], "out": [], "near": []}
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        kind, text = line.split("\t")
        question = Question(text, "U1", datetime(2026, 11, 21, tzinfo=UTC))
        read = await asyncio.to_thread(read_once, text)
        asked = Route("rag", "ask", text, schemes=read.schemes, aspects=read.aspects)
        found = await retrieve(asked, question, index=index, embedder=embedder, bank=bank())
        shares[kind].append(found.enough)
    return {kind: sum(values) / len(values) for kind, values in shares.items()}


@pytest.mark.parametrize(("name", "near"), [("floor.tsv", 0.13), ("floor_held_out.tsv", 0.42)])
async def test_the_articles_answer_the_field_and_refuse_the_rest(
    name: str, near: float, index: EmbeddedIndex, embedder: Embedder
) -> None:
    """Nearly all field questions pass, no question from elsewhere, and a part of near misses (docs/retrieval.md)."""
    shares = await passing(name, index, embedder)
    assert shares["in"] >= 0.97, shares
    assert shares["out"] == 0.0, shares
    assert shares["near"] <= near, shares


@pytest.mark.parametrize(("name", "near"), [("floor.tsv", 0.15), ("floor_held_out.tsv", 0.25)])
async def test_the_floor_holds_without_vectors(name: str, near: float, index: EmbeddedIndex) -> None:
    """By words alone fewer field questions pass, and still nothing from elsewhere."""
    shares = await passing(name, index, None)
    assert shares["in"] >= 0.8, shares
    assert shares["out"] == 0.0, shares
    assert shares["near"] <= near, shares


async def test_a_message_of_a_thread_that_no_entry_comes_near_is_refused(
    index: EmbeddedIndex, embedder: Embedder
) -> None:
    """Where the bank finds nothing for it with all that it leans on, passages that share its words do not answer it;
    at the head of a thread, and by words alone, these decide."""
    version = kept_vectors().version
    held = load_prepared(digest=source_digest(version)) or built_in_bank(version)
    far = QuestionBank(held, weights=Signs(0.01, 0.01, 0.01, 0.01))
    text = "Quel est le plafond du dépôt de garantie en meublé ?"
    route, when = Route("rag", "ask", text), datetime(2026, 11, 21, tzinfo=UTC)
    thread = to_json(ThreadState(said=("Comment déclarer une plus-value ?",)))

    async def enough(memory: dict[str, Any], embedder: Embedder | None, bank: QuestionBank) -> bool:
        question = Question(text, "U1", when, memory=memory)
        return (await retrieve(route, question, index=index, embedder=embedder, bank=bank)).enough

    assert not await enough(thread, embedder, far)
    assert await enough(thread, embedder, bank())
    assert await enough({}, embedder, far)
    assert await enough(thread, None, far)
