"""Re-indexing: every document under today's embedder, nothing lost, nothing done twice."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus.errors import EmbedderUnavailable
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.reindex import Renewal, reindex, reindex_beside
from corpus.types import Document, Filters


class Axis:
    """An embedder whose vectors all lie along one axis."""

    dimensions = 2

    def __init__(self, version: str, axis: int) -> None:
        self.version = version
        self._row = np.eye(2, dtype=np.float32)[axis]
        self.down = False

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderUnavailable
        return np.tile(self._row, (len(texts), 1))

    queries = passages


class Beside(EmbeddedIndex):
    """A second file in the place of a second version; what happens when it goes live is up to the test."""

    when_live: Callable[[], object] | None = None

    async def go_live(self) -> None:
        if self.when_live is not None:
            await self.when_live()  # type: ignore[misc]

    async def prune(self) -> list[str]:
        return []


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    opened = EmbeddedIndex(tmp_path / "live.sqlite")
    yield opened
    await opened.aclose()


@pytest.fixture
async def staged(tmp_path: Path) -> AsyncIterator[Beside]:
    opened = Beside(tmp_path / "staged.sqlite")
    yield opened
    await opened.aclose()


def note(name: str, text: str = "Le Pinel est fermé depuis la fin de 2024.") -> Document:
    return Document(id=name, title="Note", url="https://example.org", text=text, category="regulation")


OLD, NEW = Axis("old", 0), Axis("new", 1)


async def similarity(index: EmbeddedIndex, tenant: str) -> list[float | None]:
    found = await index.search("Pinel", vector=NEW._row, tenants=(tenant,), filters=Filters(), limit=9)
    return [hit.similarity for hit in found]


async def test_every_tenants_documents_get_new_vectors(live: EmbeddedIndex) -> None:
    """In place; a second run has nothing to do, and an ingest with the new embedder neither."""
    await ingest([note("a"), note("b")], index=live, embedder=OLD, tenant="shared")
    await ingest([note("c")], index=live, embedder=OLD, tenant="T1")
    assert await similarity(live, "T1") == [0.0]
    assert await reindex(live, embedder=NEW) == Renewal(renewed=3)
    assert await similarity(live, "T1") == [1.0]
    assert await reindex(live, embedder=NEW) == Renewal(unchanged=3)
    again = await ingest([note("c")], index=live, embedder=NEW, tenant="T1")
    assert (again.unchanged, again.replaced) == (1, 0)


async def test_documents_without_vectors_get_them(live: EmbeddedIndex) -> None:
    """Indexed by words alone while the embedder was out."""
    await ingest([note("a")], index=live, embedder=None, tenant="shared")
    assert await reindex(live, embedder=NEW) == Renewal(renewed=1)
    assert await similarity(live, "shared") == [1.0]


async def test_a_failing_embedder_changes_nothing(live: EmbeddedIndex) -> None:
    """The earlier vectors stay in service."""
    await ingest([note("a")], index=live, embedder=OLD, tenant="shared")
    before = await live.digests(tenant="shared")
    broken = Axis("new", 1)
    broken.down = True
    with pytest.raises(EmbedderUnavailable):
        await reindex(live, embedder=broken)
    assert await live.digests(tenant="shared") == before


async def test_a_version_beside_holds_what_the_live_one_does(live: EmbeddedIndex, staged: Beside) -> None:
    """What an interrupted run left there and the live version no longer has goes."""
    await ingest([note("a"), note("b")], index=live, embedder=OLD, tenant="T1")
    await ingest([note("gone")], index=staged, embedder=NEW, tenant="T1")
    done = await reindex_beside(live, staged, embedder=NEW)
    assert done == Renewal(renewed=2, retired=1)
    assert set(await staged.digests(tenant="T1")) == {"a", "b"}
    assert await similarity(staged, "T1") == [1.0, 1.0]
    assert await similarity(live, "T1") == [0.0, 0.0]


async def test_what_changes_during_the_move_is_taken_over(live: EmbeddedIndex, staged: Beside) -> None:
    """Written, rewritten and removed in the old version before the alias moved; written in the new one after it."""
    await ingest([note("a"), note("b"), note("c")], index=live, embedder=OLD, tenant="T1")

    async def meanwhile() -> None:
        await ingest([note("late"), note("a", "Pinel, revu.")], index=live, embedder=OLD, tenant="T1")
        await live.delete(["b"], tenant="T1")
        await ingest([note("newer"), note("c", "Pinel, récrit.")], index=staged, embedder=NEW, tenant="T1")

    staged.when_live = meanwhile
    await reindex_beside(live, staged, embedder=NEW)
    assert set(await staged.digests(tenant="T1")) == {"a", "c", "late", "newer"}
    assert [part.text for part in await staged.passages("a", tenant="T1")] == ["Pinel, revu."]
    assert [part.text for part in await staged.passages("c", tenant="T1")] == ["Pinel, récrit."]
