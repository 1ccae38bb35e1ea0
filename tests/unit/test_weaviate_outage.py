"""The Weaviate index without a server that answers: a sentence, soon, and no warning left behind."""

import asyncio
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.types import Filters

if TYPE_CHECKING:
    from corpus.index.weaviate import WeaviateIndex


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that accepts connections and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(8)
        yield listener.getsockname()[1]


def index_at(port: int) -> "WeaviateIndex":
    from corpus.index.weaviate import WeaviateIndex  # a second of imports that every worker would pay while it collects

    return WeaviateIndex(f"http://127.0.0.1:{port}", grpc_port=port + 1, version="axes", dimensions=4)


async def ask(index: "WeaviateIndex") -> None:
    await index.search("Lyon", vector=None, tenants=("T1",), filters=Filters(), limit=3)


async def test_a_refused_connection_is_unavailable() -> None:
    """Nobody listens on the port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    index = index_at(port)
    with pytest.raises(IndexUnavailable, match="Weaviate"):
        await ask(index)
    with pytest.raises(IndexUnavailable, match="Weaviate"):
        await index.ping()
    await index.aclose()


async def test_a_silent_server_costs_the_time_limit_only(silent_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client alone would try for a minute; our limit ends the call."""
    index = index_at(silent_port)
    monkeypatch.setattr("corpus.index.weaviate.SEARCH_SECONDS", 0.2)
    async with asyncio.timeout(60):
        with pytest.raises(IndexUnavailable, match="Weaviate"):
            await ask(index)
    await index.aclose()


async def test_a_vector_of_another_size_is_refused_before_it_is_sent() -> None:
    """The server would answer with an error 500 from its shard."""
    index = index_at(9)
    with pytest.raises(VectorMismatch):
        await index.search("x", vector=np.ones(3, np.float32), tenants=("T1",), filters=Filters(), limit=3)
    await index.aclose()
