"""What only a real Weaviate shows: being killed in the middle, and moving from one version to the next."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.commands import reindex as reindexing
from bot.settings import Settings
from bot.wiring_corpus import build_corpus
from corpus.errors import IndexUnavailable, OldSchema, StaleIndex, VectorMismatch
from corpus.index import objects, weaviate, weaviate_versions
from corpus.index.weaviate import FOREIGN_SCHEMA, WeaviateIndex
from corpus.index.weaviate_schema import CARRIED, fingerprint, schema
from corpus.index.weaviate_versions import Versions
from corpus.ingest import ingest
from corpus.reindex import Renewal, reindex_beside
from corpus.types import Document, Filters, Passage
from tests.contract.passage_indexes import LYON, NIMES, ask, axis, passage, put
from tests.server_weaviate import WeaviateServer, built
from tests.server_weaviate import weaviate as started

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not built(), reason="no Weaviate of our own to kill: `make test-servers` builds one"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[WeaviateServer]:
    """One of our own: the shared one must not be killed under the other tests."""
    with started() as running:
        yield running


@asynccontextmanager
async def opened(
    server: WeaviateServer, version: str, *, prefix: str, staged: bool = False
) -> AsyncIterator[WeaviateIndex]:
    index = WeaviateIndex(
        server.url, grpc_port=server.grpc_port, version=version, dimensions=4, prefix=prefix, staged=staged
    )
    try:
        yield index
    finally:
        await index.aclose()


class Axis:
    """An embedder whose vectors all lie along one axis."""

    dimensions = 4

    def __init__(self, version: str, number: int) -> None:
        self.version = version
        self.row = axis(number)[0]

    async def passages(self, texts: object) -> NDArray[np.float32]:
        return np.tile(self.row, (len(texts), 1))  # type: ignore[arg-type]

    queries = passages


def note(name: str) -> Document:
    return Document(id=name, title="Note", url="https://example.org", text=LYON, category="regulation")


async def test_killed_in_the_middle_it_is_down_and_comes_back_without_us(
    server: WeaviateServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searches under way and during the outage fail within the limit; the same index object answers after it."""
    monkeypatch.setattr(weaviate, "SEARCH_SECONDS", 1.0)
    async with opened(server, "axes", prefix="Killed") as index:
        await put(index, passage(LYON), passage(NIMES, position=1), vectors=axis(0, 1))
        asked = [asyncio.create_task(ask(index, "Lyon", vector=axis(0)[0])) for _ in range(20)]
        await asyncio.sleep(0.01)
        server.kill()
        under_way = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(found, list | IndexUnavailable) for found in under_way)
        async with asyncio.timeout(10):
            with pytest.raises(IndexUnavailable, match="ne répond pas"):
                await ask(index, "Lyon", vector=axis(0)[0])
            with pytest.raises(IndexUnavailable):
                await index.ping()
        starting = asyncio.create_task(asyncio.to_thread(server.start))
        answers = await _until_found(index)
        await starting
        assert answers[0].id == "doc#0"
        await put(index, passage(NIMES, document="after"), vectors=axis(1))
        assert set(await index.digests(tenant="T1")) == {"doc", "after"}


async def _until_found(index: WeaviateIndex) -> list[Passage]:
    """Asks on through the restart; every answer before it is "down", never "nothing found"."""
    async with asyncio.timeout(60):
        while True:
            try:
                found = await ask(index, "Lyon", vector=axis(0)[0])
            except IndexUnavailable:
                await asyncio.sleep(0.05)
                continue
            assert found, "a starting server must not look like an empty corpus"
            return found


async def test_a_new_version_takes_over_without_a_gap(server: WeaviateServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The running bot reads on; a bot of the new version says that the index is old, then follows by itself."""
    monkeypatch.setattr(weaviate_versions, "LOOK_SECONDS", 0.0)
    async with opened(server, "old", prefix="Moved") as running, opened(server, "new", prefix="Moved") as upgraded:
        await ingest([note("a"), note("b")], index=running, embedder=Axis("old", 0), tenant="T1")
        assert len(await ask(upgraded, "Lyon")) == 2
        with pytest.raises(StaleIndex, match="reindex"):
            await ask(upgraded, "Lyon", vector=axis(1)[0])
        with pytest.raises(StaleIndex):
            await put(upgraded, passage(LYON, document="c"), vectors=axis(1))
        async with opened(server, "new", prefix="Moved", staged=True) as staged:
            assert await reindex_beside(running, staged, embedder=Axis("new", 1)) == Renewal(renewed=2)
            assert await reindex_beside(running, staged, embedder=Axis("new", 1)) == Renewal(unchanged=2)
        assert [hit.similarity for hit in await ask(upgraded, "Lyon", vector=axis(1)[0])] == pytest.approx([1.0, 1.0])
        assert [hit.similarity for hit in await ask(running, "Lyon", vector=axis(0)[0])] == pytest.approx([1.0, 1.0])
        with pytest.raises(VectorMismatch, match="redémarrer"):
            await put(running, passage(LYON, document="lost"), vectors=axis(0))
        assert await running.delete(["b"], tenant="T1") == 1
        assert set(await upgraded.digests(tenant="T1")) == {"a"}
        assert await upgraded.prune() == [f"fr1{fingerprint()}old"]
        assert await upgraded.prune() == []


@pytest.mark.parametrize(("kept", "refusal"), [(CARRIED, None), (frozenset({"body", "document"}), FOREIGN_SCHEMA)])
async def test_an_older_schema_is_said_and_left_as_it_was(
    server: WeaviateServer, kept: frozenset[str], refusal: str | None
) -> None:
    """Nothing is written into it and nothing is searched; a re-indexing takes over what it can read."""
    prefix = f"Older{len(kept)}"
    await _older(server, prefix, kept)
    async with opened(server, "axes", prefix=prefix) as index:
        with pytest.raises(OldSchema, match="schéma plus ancien"):
            await ask(index, "Lyon")
        with pytest.raises(StaleIndex, match="reindex"):
            await put(index, passage(LYON, document="new"), vectors=axis(0))
        assert await index.digests(tenant="T1") == {"a": "d1"}
        async with opened(server, "axes", prefix=prefix, staged=True) as staged:
            if refusal is not None:
                with pytest.raises(IndexUnavailable, match="autre forme"):
                    await reindex_beside(index, staged, embedder=Axis("axes", 0))
                assert await staged.digests(tenant="T1") == {}
                return
            assert await reindex_beside(index, staged, embedder=Axis("axes", 0)) == Renewal(renewed=1)
    async with opened(server, "axes", prefix=prefix) as index:
        assert [hit.text for hit in await ask(index, "Lyon", vector=axis(0)[0])] == [LYON]


async def _older(server: WeaviateServer, prefix: str, kept: frozenset[str]) -> None:
    """A live version with one document, made by a program that knew these fields only."""
    versions = Versions(server.url, grpc_port=server.grpc_port, vectors="axes", api_key=None, prefix=prefix)
    stored = objects.properties(passage(LYON, document="a"), "", digest="d1", length=1.0)
    await versions.client.connect()
    for kind, row in (("Documents", {"document": "a", "digest": "d1"}), ("Passages", stored)):
        made = schema(kind)  # type: ignore[arg-type]
        made["properties"] = [found for found in made["properties"] if kind == "Documents" or found.name in kept]
        collection = await versions.client.collections.create(f"{prefix}{kind}_older", **made)
        await collection.tenants.create(["T1"])
        known = {name: value for name, value in row.items() if kind == "Documents" or name in kept}
        await collection.with_tenant("T1").data.insert(known, vector=[0.0])
    await versions.client.alias.create(alias_name=f"{prefix}Passages", target_collection=f"{prefix}Passages_older")
    await versions.aclose()


async def test_a_key_that_is_refused_is_said() -> None:
    """Not "down": waiting would not help. With the key that the server knows, all is as without one."""
    guarded = {
        "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "false",
        "AUTHENTICATION_APIKEY_ENABLED": "true",
        "AUTHENTICATION_APIKEY_ALLOWED_KEYS": "k-right",
        "AUTHENTICATION_APIKEY_USERS": "quartier",
    }
    with started(**guarded) as server:
        for key in (None, "k-wrong", "k-right"):
            index = WeaviateIndex(server.url, grpc_port=server.grpc_port, version="axes", dimensions=4, api_key=key)
            if key == "k-right":
                await put(index, passage(LYON), vectors=axis(0))
                assert [hit.id for hit in await ask(index, "Lyon", vector=axis(0)[0])] == ["doc#0"]
            else:
                with pytest.raises(IndexUnavailable, match="WEAVIATE_API_KEY"):
                    await ask(index, "Lyon", vector=axis(0)[0])
            await index.aclose()


async def test_two_processes_may_make_the_collections_and_the_same_document(server: WeaviateServer) -> None:
    """`web` and `worker` start together and both bring the built-in articles up to date."""
    async with opened(server, "axes", prefix="Twice") as one, opened(server, "axes", prefix="Twice") as other:
        await asyncio.gather(*(put(index, passage(LYON), vectors=axis(0)) for index in (one, other) for _ in range(5)))
        assert [hit.id for hit in await ask(one, "Lyon", vector=axis(0)[0])] == ["doc#0"]
        assert await other.digests(tenant="T1") == {"doc": "d1"}


async def test_the_bot_runs_on_weaviate(
    server: WeaviateServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the settings: the built-in articles are found by sense, and `reindex` finds nothing to do."""
    settings = Settings(var_dir=tmp_path, weaviate_url=server.url, weaviate_grpc_port=server.grpc_port, _env_file=None)
    async with build_corpus(settings) as corpus:
        vector = (await corpus.embedder.queries(["Peut-on encore acheter en Pinel ?"]))[0]
        found = await corpus.index.search(
            "acheter Pinel", vector=vector, tenants=("shared", "T1"), filters=Filters(), limit=3
        )
        assert found[0].document_id == "pinel"
    assert await reindexing.reindex(argparse.Namespace(prune=True), settings) == 0
    assert "0 document(s) réindexé(s)" in capsys.readouterr().err
