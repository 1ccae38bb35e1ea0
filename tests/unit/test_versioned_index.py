"""One file an embedder: the one in service answers until another is complete, and vectors of two never meet."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import StaleIndex
from corpus.index.embedded import EmbeddedIndex
from corpus.index.versioned import FIRST, VersionedIndex, file_of
from corpus.ingest import ingest
from corpus.reindex import reindex_beside
from corpus.types import Document, Filters
from tests.unit.test_reindex import NEW, OLD, note

OTHER = file_of("http-new-2", local=False)
Opened = Callable[..., VersionedIndex]


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    made: list[VersionedIndex] = []

    def one(own: str, *, staged: bool = False) -> VersionedIndex:
        made.append(VersionedIndex(tmp_path, own=own, opened=EmbeddedIndex, staged=staged))
        return made[-1]

    yield one
    for index in made:
        await index.aclose()


async def names(index: VersionedIndex, *, vector: bool = False) -> set[str]:
    asked = np.array([0.0, 1.0], np.float32) if vector else None
    found = await index.search("Pinel", vector=asked, tenants=("T1",), filters=Filters(), limit=9)
    return {passage.document_id for passage in found}


async def put(index: VersionedIndex, *documents: Document, new: bool = False) -> None:
    await ingest(documents, index=index, embedder=NEW if new else OLD, tenant="T1")


async def test_the_old_file_answers_until_the_new_one_is_complete(opened: Opened) -> None:
    """A bot of the new embedder finds by words and writes nothing; once filled, it goes over without a restart, while
    one of the old embedder goes on reading and writes no more. Sizes are the same: only names tell them apart."""
    old = opened(FIRST)
    await put(old, note("a"), note("b"))
    new = opened(OTHER)
    assert await names(new) == {"a", "b"}
    with pytest.raises(StaleIndex):
        await names(new, vector=True)
    with pytest.raises(StaleIndex):
        await put(new, note("c"), new=True)
    done = await reindex_beside(opened(OTHER), staged := opened(OTHER, staged=True), embedder=NEW)
    assert done.renewed == 2
    assert not staged.stale
    assert await names(new, vector=True) == {"a", "b"}
    await put(new, note("c"), new=True)
    assert await names(old, vector=True) == {"a", "b"}
    with pytest.raises(StaleIndex):
        await put(old, note("d"))


async def test_an_interrupted_backfill_goes_on_where_it_stopped(opened: Opened) -> None:
    """What the staged file has is not embedded again; nothing is served of it before it is whole."""
    await put(opened(FIRST), note("a"), note("b"))
    await put(opened(OTHER, staged=True), note("a"), new=True)
    new = opened(OTHER)
    assert new.stale
    done = await reindex_beside(new, opened(OTHER, staged=True), embedder=NEW)
    assert (done.renewed, done.unchanged) == (1, 1)


async def test_what_is_erased_is_erased_in_the_file_in_service(opened: Opened) -> None:
    """By a bot that still reads the old one too."""
    old = opened(FIRST)
    await put(old, note("a"))
    await reindex_beside(opened(OTHER), opened(OTHER, staged=True), embedder=NEW)
    assert await old.delete(["a"], tenant="T1") == 1
    assert await names(opened(OTHER)) == set()


async def test_old_files_go_when_asked(opened: Opened, tmp_path: Path) -> None:
    """Neither the live file nor one's own."""
    await put(opened(FIRST), note("a"))
    staged = opened(OTHER, staged=True)
    await reindex_beside(opened(OTHER), staged, embedder=NEW)
    assert await staged.prune() == [FIRST]
    assert not (tmp_path / FIRST).exists()
    assert await names(opened(OTHER)) == {"a"}


def test_the_first_embedder_of_a_folder_is_its_own(opened: Opened, tmp_path: Path) -> None:
    """Nothing is there yet: no re-indexing is asked for. A name that is no file of ours counts for none."""
    assert not opened(OTHER).stale
    assert not opened(OTHER).stale
    (tmp_path / "corpus.live").write_text("../../etc/passwd", encoding="utf-8")
    assert not opened(file_of("v/2", local=False)).stale
