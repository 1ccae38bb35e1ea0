"""The reranker over HTTP, held against scripted services in both request shapes and in every way they fail."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from corpus.errors import RerankerUnavailable
from corpus.reranking import HttpReranker
from tests.loopback import served

TEXTS = ["Le DPE classe les logements.", "Le Pinel est fermé.", "Nîmes a un PPRI."]


@dataclass(slots=True)
class Service:
    """What the scripted service was sent, and what it answers instead of scores."""

    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answer: Response | None = None


def application(service: Service) -> Starlette:
    """Scores by shared words, best first as the real services do: the order of the reply is not the one asked in."""

    async def rerank(request: Request) -> Response:
        body = await request.json()
        service.bodies.append(body)
        service.headers.append(dict(request.headers))
        if service.answer is not None:
            return service.answer
        texts = body["documents"] if "model" in body else body["texts"]
        asked = set(body["query"].lower().split())
        found = [(len(asked & set(text.lower().split())) / 10, index) for index, text in enumerate(texts)]
        name = "relevance_score" if "model" in body else "score"
        rows = [{"index": index, name: score} for score, index in sorted(found, reverse=True)]
        return JSONResponse({"results": rows, "usage": {"total_tokens": 3}} if "model" in body else rows)

    async def hang(_request: Request) -> Response:
        await asyncio.sleep(600)
        return PlainTextResponse("")

    return Starlette(routes=[Route("/v1/rerank", rerank, methods=["POST"]), Route("/hang", hang, methods=["POST"])])


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def address(service: Service) -> Iterator[str]:
    with served(application(service)) as url:
        yield url


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=60) as opened:
        yield opened


@pytest.mark.parametrize("model", ["jina-reranker-v2-base-multilingual", ""])
async def test_scores_come_in_the_order_asked(
    service: Service, address: str, client: httpx.AsyncClient, model: str
) -> None:
    """With a model as Jina, Cohere and vLLM; without one as TEI. The key goes in the header and nowhere else."""
    reranker = HttpReranker(client, f"{address}/v1/rerank", api_key="k-1", model=model)
    scores = await reranker.scores("le Pinel est-il fermé", TEXTS)
    assert max(range(3), key=lambda position: scores[position]) == 1
    (body,) = service.bodies
    assert body.get("model", "") == model
    assert body["documents" if model else "texts"] == TEXTS
    assert service.headers[0]["authorization"] == "Bearer k-1"
    assert "k-1" not in str(body)


async def test_nothing_to_order_asks_nobody(service: Service, address: str, client: httpx.AsyncClient) -> None:
    """No request for no text; no header without a key."""
    reranker = HttpReranker(client, f"{address}/v1/rerank")
    assert await reranker.scores("x", []) == []
    assert service.bodies == []
    await reranker.scores("x", ["y"])
    assert "authorization" not in service.headers[0]


@pytest.mark.parametrize(
    "answer",
    [
        PlainTextResponse("busy", 429),
        PlainTextResponse("broken", 500),
        PlainTextResponse("<html>"),
        JSONResponse({"error": "no"}),
        JSONResponse(3),
        JSONResponse([{"index": 0, "score": 1}]),
        JSONResponse([{"index": i, "score": 1} for i in (0, 1, 1)]),
        JSONResponse([{"index": i, "score": 1} for i in (0, 1, 7)]),
        JSONResponse([{"index": i, "score": "high"} for i in range(3)]),
        JSONResponse([{"index": i} for i in range(3)]),
        PlainTextResponse('[{"index":0,"score":NaN},{"index":1,"score":1},{"index":2,"score":1}]'),
    ],
)
async def test_an_answer_that_cannot_be_used_is_unavailable(
    service: Service, address: str, client: httpx.AsyncClient, answer: Response
) -> None:
    """A half answer would order half of the passages at random."""
    service.answer = answer
    with pytest.raises(RerankerUnavailable):
        await HttpReranker(client, f"{address}/v1/rerank").scores("x", TEXTS)


async def test_silence_and_absence_are_unavailable(address: str) -> None:
    """The client's own limit ends a call that nobody answers."""
    async with httpx.AsyncClient(timeout=0.2) as client:
        for url in (f"{address}/hang", "http://127.0.0.1:9/rerank"):
            with pytest.raises(RerankerUnavailable):
                await HttpReranker(client, url).scores("x", TEXTS)
