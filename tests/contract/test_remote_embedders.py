"""Embedders over HTTP, held against one scripted service in both protocols and in every way in which it fails."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from corpus.embedding_services.openai import OpenAIService
from corpus.embedding_services.opening import Wanted, opened, prefixes_of
from corpus.embedding_services.remote import Pace, RemoteEmbedder
from corpus.embedding_services.tei import TeiService
from corpus.errors import DimensionChanged, EmbedderUnavailable
from tests.loopback import served

PACE = Pace(batch=3, at_once=2, seconds=20, attempts=3, pause=0.001)


@dataclass(slots=True)
class Service:
    """Embeds a text of n letters x as the direction n. `answers`: said instead, one a request, None for the vectors."""

    dimensions: int = 8
    model: str = "un/modele"
    most: int | None = 32
    hangs: bool = False
    answers: list[Response | None] = field(default_factory=list)
    batches: list[list[str]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    running: int = 0
    at_most: int = 0


def application(service: Service) -> Starlette:
    async def take(request: Request, name: str) -> list[str] | Response:
        texts = (await request.json())[name]
        service.batches.append(texts)
        service.keys.add(request.headers.get("authorization", ""))
        service.running += 1
        service.at_most = max(service.at_most, service.running)
        await asyncio.sleep(600 if service.hangs else 0.005)
        service.running -= 1
        said = service.answers.pop(0) if service.answers else None
        return texts if said is None else said

    def rows(texts: list[str]) -> list[list[float]]:
        return [np.eye(service.dimensions)[text.count("x") % service.dimensions].tolist() for text in texts]

    async def embed(request: Request) -> Response:
        taken = await take(request, "inputs")
        return taken if isinstance(taken, Response) else JSONResponse(rows(taken))

    async def embeddings(request: Request) -> Response:
        taken = await take(request, "input")
        if isinstance(taken, Response):
            return taken
        data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows(taken))]
        return JSONResponse({"object": "list", "data": data[::-1], "model": "m", "usage": {}})

    async def info(_request: Request) -> Response:
        return JSONResponse({"model_id": service.model, "model_sha": None, "max_client_batch_size": service.most})

    return Starlette(
        routes=[
            Route("/embed", embed, methods=["POST"]),
            Route("/v1/embeddings", embeddings, methods=["POST"]),
            Route("/info", info),
        ]
    )


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def address(service: Service) -> Iterator[str]:
    with served(application(service)) as url:
        yield url


@pytest.fixture(params=["tei", "openai"])
async def spoken(request: pytest.FixtureRequest, address: str) -> AsyncIterator[Any]:
    """The service, asked in either protocol."""
    if request.param == "openai":
        openai = OpenAIService("m", key="k-1", base_url=f"{address}/v1", seconds=20)
        yield openai
        await openai.aclose()
        return
    async with httpx.AsyncClient(timeout=20, trust_env=False) as client:
        yield TeiService(client, address, key="k-1")


def embedder(spoken: Any, pace: Pace = PACE) -> RemoteEmbedder:
    return RemoteEmbedder(spoken, version="v", dimensions=8, pace=pace)


async def test_every_text_gets_its_own_vector(service: Service, spoken: Any) -> None:
    """In the order given, whatever batches were made of them; no more requests at once than allowed; with the key."""
    texts = ["x" * length for length in (5, 1, 7, 3, 2, 6, 4)] + [""]
    found = await embedder(spoken).passages(texts)
    assert found.argmax(axis=1).tolist() == [5, 1, 7, 3, 2, 6, 4, 0]
    assert sorted(map(len, service.batches)) == [2, 3, 3]
    assert service.at_most <= PACE.at_once
    assert service.keys == {"Bearer k-1"}
    assert all(text for batch in service.batches for text in batch)


async def test_what_fails_for_a_moment_is_asked_again(service: Service, spoken: Any) -> None:
    """A document's batch, with the rest of it kept; not for ever."""
    service.answers = [JSONResponse({"error": {}}, 503), None, JSONResponse({"error": {}}, 429)]
    found = await embedder(spoken).passages(["x" * length for length in range(8)])
    assert found.argmax(axis=1).tolist() == list(range(8))
    service.answers = [JSONResponse({"error": {}}, 503) for _ in range(PACE.attempts)]
    with pytest.raises(EmbedderUnavailable, match="pour l'instant"):
        await embedder(spoken).passages(["x"])


async def test_a_question_is_tried_once_and_the_next_does_not_wait(service: Service, spoken: Any) -> None:
    """Somebody waits: a service that has just failed is left alone, and words alone are searched."""
    one = embedder(spoken)
    service.answers = [JSONResponse({"error": {}}, 503)]
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable):
            await one.queries(["x"])
    assert len(service.batches) == 1


async def test_a_service_that_hangs_is_given_up(service: Service, spoken: Any) -> None:
    """Within the time set, however long the library would wait."""
    service.hangs = True
    with pytest.raises(EmbedderUnavailable, match="pour l'instant"):
        await embedder(spoken, Pace(batch=3, seconds=0.2, attempts=1)).passages(["x"])


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [(401, {}, "EMBEDDER_KEY"), (200, {"data": "?"}, "illisible"), (200, [[1.0] * 8], "illisible")],
)
async def test_what_no_second_try_mends_is_said_at_once(
    service: Service, spoken: Any, status: int, body: Any, said: str
) -> None:
    """A refused key, an answer of another shape, one vector for two texts."""
    service.answers = [JSONResponse(body, status) for _ in range(PACE.attempts)]
    with pytest.raises(EmbedderUnavailable, match=said):
        await embedder(spoken).passages(["x", "xx"])
    assert len(service.batches) == 1


async def test_a_dimension_that_changes_is_named(service: Service, spoken: Any) -> None:
    """Both sizes and what to do; no vector of it gets further."""
    one = embedder(spoken)
    await one.passages(["x"])
    service.dimensions = 5
    with pytest.raises(DimensionChanged, match=r"5 dimensions au lieu de 8.*reindex"):
        await one.passages(["x", "xx"])


async def test_an_account_without_credit_is_not_asked_again(service: Service, address: str) -> None:
    """OpenAI says it with the status of « too many requests »."""
    error = {"error": {"code": "insufficient_quota", "message": "no"}}
    service.answers = [JSONResponse(error, 429) for _ in range(3)]
    spoken = OpenAIService("m", key="k", base_url=f"{address}/v1", seconds=20)
    with pytest.raises(EmbedderUnavailable, match="crédit"):
        await embedder(spoken).passages(["x"])
    await spoken.aclose()
    assert len(service.batches) == 1


async def test_a_server_says_what_it_is_and_is_known_without_it(service: Service, address: str, tmp_path: Path) -> None:
    """Model, dimensions and batch are asked once; a later start does not need the server, a first one does."""
    service.model, service.most = "intfloat/multilingual-e5-small", 2
    kept = tmp_path / "embedder.json"
    async with httpx.AsyncClient(trust_env=False) as client:
        spoken = TeiService(client, address)
        first = await opened(spoken, Wanted("http", address, pace=PACE), kept=kept)
        assert first.dimensions == 8
        assert first.version.startswith("http-intfloat-multilingual-e5-small-8-")
        await first.queries(["x"])
        await first.passages(["xx", "x", "xxx"])
        assert service.batches[1:] == [["query: x"], ["passage: x", "passage: xx"], ["passage: xxx"]]
        down = TeiService(client, "http://127.0.0.1:9")
        with pytest.raises(EmbedderUnavailable, match="le démarrer d'abord"):
            await opened(down, Wanted("http", "http://127.0.0.1:9"), kept=kept)
        again = await opened(down, Wanted("http", address, pace=PACE), kept=kept)
        assert (again.version, again.dimensions) == (first.version, 8)


def test_only_models_trained_with_prefixes_get_them() -> None:
    """E5, and not its instruct variant, which wants a task instead."""
    assert prefixes_of("intfloat/multilingual-e5-small").query == "query: "
    assert prefixes_of("intfloat/multilingual-e5-large-instruct").query == ""
    assert prefixes_of("text-embedding-3-small").query == ""
