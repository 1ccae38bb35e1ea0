"""Where a question asks what a file says, the team's own files lead that hold what is asked."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from corpus.index.embedded import EmbeddedIndex
from corpus.ports import Vector
from corpus.types import Filters, Passage
from pipeline.retrieval.retriever import Retrieval
from tests.retrieving import Topics, put, run

ASKED = "que dit le compte rendu ?"


class Watched(EmbeddedIndex):
    """Remembers in which tenants was searched."""

    searched: list[tuple[str, ...]]

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        self.searched.append(tuple(tenants))
        return await super().search(text, vector=vector, tenants=tenants, filters=filters, limit=limit)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Watched]:
    """Two articles, a file of the channel's, one of the whole team's, and a page that the team added."""
    opened = Watched(tmp_path / "index.sqlite")
    opened.searched = []
    await put(opened, "ppri", ["Le risque d'inondation figure dans le plan de prévention."])
    await put(opened, "papiers", ["Le compte rendu de visite dit ce que le client a demandé."])
    await put(opened, "file:team", ["Toiture à refaire."], tenant="T2")
    await put(opened, "file:here", ["Loyer de 730 euros."], tenant="T2", audience="channel:C1")
    await put(opened, "page:web", ["Le compte rendu se lit."], tenant="T2")
    yield opened
    await opened.aclose()


async def member(index: EmbeddedIndex, text: str) -> Retrieval:
    audience, tenants = frozenset({"public", "channel:C1"}), ("shared", "T2")
    return await run(index, text, embedder=Topics(), audience=audience, tenants=tenants)


async def test_this_channels_files_come_before_the_teams(index: Watched) -> None:
    """And both before an article and a web page on such papers."""
    found = await member(index, ASKED)
    assert [p.id for p in found.passages][:2] == ["file:here#0", "file:team#0"]
    assert len({p.id for p in found.passages}) == len(found.passages) == 5


async def test_a_file_answers_whatever_its_words(index: Watched) -> None:
    """« que dit le pdf ? » has no word of it, so that no floor could let it by."""
    await index.delete(["papiers", "page:web", "file:team"], tenant="shared")
    await index.delete(["page:web", "file:team"], tenant="T2")
    assert (await member(index, "que dit le pdf ?")).enough


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("que dit le rapport sur l'inondation ?", "ppri#0"),
        ("à qui remettre le compte rendu de visite ?", "papiers#0"),
        ("que dit le compte rendu sur la toiture ?", "file:team#0"),
    ],
)
async def test_only_what_holds_the_words_that_are_asked_leads(index: Watched, text: str, first: str) -> None:
    assert (await member(index, text)).passages[0].id == first


async def test_for_who_reads_no_files_none_is_looked_for(index: Watched) -> None:
    found = await run(index, ASKED, embedder=Topics())
    assert found.passages[0].id == "papiers#0"
    assert index.searched == [("shared",)]
