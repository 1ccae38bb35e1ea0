"""Weaviate killed in the middle of a question, and asked again after its restart: the answers, as users get them."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from corpus.ports import PassageIndex, Vector
from corpus.types import Filters, Passage
from pipeline.answer import answer
from pipeline.ports import Deps
from pipeline.retrieval.retriever import NO_INDEX
from pipeline.steps import quietly
from pipeline.talk.thread_talk import NOT_SEARCHED
from pipeline.types import Answer, Question
from tests.server_weaviate import WeaviateServer, built, weaviate

COMPARED = "Quelle différence entre LMNP et LMP ?"
PLAIN = "Comment calcule-t-on un rendement brut ?"
RECORDED = "Mon client peut-il encore acheter en Pinel ?"

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not built(), reason="no Weaviate of our own to kill: `make test-servers` builds one"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[WeaviateServer]:
    with weaviate() as running:
        yield running


@pytest.fixture
async def deps(server: WeaviateServer, tmp_path: Path) -> AsyncIterator[Deps]:
    """The product's own, with its articles in the server."""
    settings = Settings(var_dir=tmp_path, weaviate_url=server.url, weaviate_grpc_port=server.grpc_port, _env_file=None)
    async with build_deps(settings) as built_deps:
        yield built_deps


class Interrupted:
    """The index of an answer whose first search is served; then the server dies, with the other searches to come."""

    def __init__(self, index: PassageIndex, server: WeaviateServer) -> None:
        self._index = index
        self._server = server
        self._first: asyncio.Task[list[Passage]] | None = None

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        search = self._index.search(text, vector=vector, tenants=tenants, filters=filters, limit=limit)
        if self._first is None:
            self._first = asyncio.create_task(search)
            found = await self._first
            self._server.kill()
            return found
        await self._first
        self._server.kill()
        return await search


async def ask(text: str, deps: Deps) -> Answer:
    question = Question(text, "U1", datetime.now(UTC))
    async with asyncio.timeout(30):
        return await answer(question, deps=deps, report=quietly)


async def test_the_answer_says_what_was_down_and_the_next_one_is_whole(server: WeaviateServer, deps: Deps) -> None:
    """Killed between two searches of one question: what was found is answered, and the footer names the loss. While it
    is down: what stands on record, else a plain reason. After its restart, without ours: the whole answer again."""
    whole = await ask(COMPARED, deps)
    assert whole.citations
    assert NO_INDEX not in whole.degraded
    half = await ask(COMPARED, replace(deps, index=Interrupted(deps.index, server)))  # type: ignore[arg-type]
    assert half.citations
    assert NO_INDEX in half.degraded
    none = await ask(PLAIN, deps)
    assert none.text.startswith(NOT_SEARCHED)
    assert NO_INDEX in none.text
    recorded = await ask(RECORDED, deps)
    assert {citation.kind for citation in recorded.citations} == {"facts"}
    assert NO_INDEX in recorded.degraded
    await asyncio.to_thread(server.start)
    again = await _recovered(deps)
    assert {citation.url for citation in again.citations} == {citation.url for citation in whole.citations}


async def _recovered(deps: Deps) -> Answer:
    """The server says "ready" a second before it finds its collections."""
    async with asyncio.timeout(60):
        while True:
            found = await ask(COMPARED, deps)
            if NO_INDEX not in found.degraded:
                return found
            await asyncio.sleep(0.2)
