"""Retrieval: what one route brings back, and what it says when a part is down."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import structlog
from numpy.typing import NDArray
from structlog.testing import capture_logs

from corpus.errors import EmbedderUnavailable, IndexUnavailable, OldSchema
from corpus.index.embedded import EmbeddedIndex
from corpus.ports import Vector
from corpus.types import Filters, Passage
from pipeline.retrieval.retriever import NO_INDEX, OLD_INDEX, STALE_VECTORS, WORDS_ONLY, Retrieval
from tests.retrieving import Topics, put, run


class Down:
    """An embedder without its model."""

    version = "down"
    dimensions = 5

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderUnavailable

    passages = queries


class Broken:
    """An index that does not answer."""

    def __init__(self, error: type[IndexUnavailable] = IndexUnavailable) -> None:
        self._error = error

    async def upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        *,
        tenant: str,
        digest: str,
    ) -> None:
        raise IndexUnavailable

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        raise self._error

    async def delete(self, document_ids: Sequence[str], *, tenant: str) -> int:
        raise IndexUnavailable

    async def digests(self, *, tenant: str) -> Mapping[str, str]:
        raise IndexUnavailable

    async def ping(self) -> None:
        raise IndexUnavailable

    async def aclose(self) -> None:
        """Nothing to close."""


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    opened = EmbeddedIndex(tmp_path / "index.sqlite")
    pinel = [
        "Le Pinel est fermé aux acquisitions nouvelles depuis fin 2024.",
        "Le Pinel garde ses engagements de location de six à douze ans.",
        "Le Pinel plafonne chaque année le loyer selon la zone.",
        "Le Pinel se reprend si le propriétaire vend trop tôt.",
        "Le Pinel demande un locataire aux ressources limitées.",
        "Le Pinel vise surtout le neuf en zones tendues.",
    ]
    risk = ["Le risque d'inondation figure dans le plan de prévention approuvé par le préfet."]
    rent = ["Le loyer de référence est fixé par arrêté dans certaines villes."]
    for name, texts in (("pinel", pinel), ("ppri", risk), ("loyers", rent)):
        await put(opened, name, texts)
    yield opened
    await opened.aclose()


async def test_each_query_is_embedded_once(index: EmbeddedIndex) -> None:
    """The question and its sub-queries; a repeated query is asked once."""
    embedder = Topics()
    found = await run(index, "acheter en Pinel", "inondation", "acheter en Pinel", embedder=embedder)
    assert embedder.calls == [["acheter en Pinel"], ["inondation"]]
    assert found.enough
    assert found.degraded == ()


async def test_the_longest_query_is_embedded_first(index: EmbeddedIndex) -> None:
    """Two threads embed: a long text that starts last would be waited for alone. The order of the answer stays."""
    embedder = Topics()
    found = await run(index, "Pinel", "loyer plafonné selon la zone", "inondation", embedder=embedder)
    assert embedder.calls == [["loyer plafonné selon la zone"], ["inondation"], ["Pinel"]]
    assert found.passages[0].document_id == "pinel"


async def test_a_query_is_searched_while_the_next_is_embedded(index: EmbeddedIndex, tmp_path: Path) -> None:
    """The question's own search does not wait for the vectors of its sub-queries."""
    searched = asyncio.Event()

    class Slow(Topics):
        async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if texts == ["inondation"]:
                await asyncio.wait_for(searched.wait(), timeout=60)
            return await super().queries(texts)

    class Watched(EmbeddedIndex):
        async def search(
            self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
        ) -> list[Passage]:
            searched.set()
            return await super().search(text, vector=vector, tenants=tenants, filters=filters, limit=limit)

    watched = Watched(tmp_path / "index.sqlite")  # the file that `index` has filled
    found = await run(watched, "acheter en Pinel", "inondation", embedder=Slow())
    await watched.aclose()
    assert found.enough


async def test_every_sub_query_has_a_seat(index: EmbeddedIndex) -> None:
    """The risk aspect is in the evidence even where the main question fills the list."""
    found = await run(
        index, "Pinel et engagements", "risque d'inondation", embedder=Topics(), schemes=("pinel",), limit=3
    )
    assert len(found.passages) == 3
    assert "ppri#0" in {p.id for p in found.passages}


async def test_one_document_does_not_take_all(index: EmbeddedIndex) -> None:
    """One passage at least is another's, unless the question names that scheme alone."""
    wide = await run(index, "acquisitions, engagements, zone", embedder=Topics(), limit=4)
    assert sum(p.document_id == "pinel" for p in wide.passages) == 3
    named = await run(index, "Pinel", embedder=Topics(), schemes=("pinel",))
    assert sum(p.document_id == "pinel" for p in named.passages) == 6


async def test_near_duplicates_come_once(index: EmbeddedIndex) -> None:
    """The same paragraph in two documents is one piece of evidence."""
    await put(index, "copie", ["Le risque d'inondation figure dans le plan de prévention approuvé par le préfet !"])
    found = await run(index, "inondation", embedder=Topics())
    assert len({p.id for p in found.passages} & {"ppri#0", "copie#0"}) == 1


async def test_passages_about_the_named_scheme_come_first(index: EmbeddedIndex) -> None:
    """Of two passages that match alike, the one about the scheme wins."""
    await put(index, "aaa", ["Le loyer dépend de la ville choisie."])
    await put(index, "zzz", ["Le loyer dépend de la durée choisie."])
    found = await run(index, "loyer choisie", embedder=Topics(), schemes=("zzz",))
    assert found.passages[0].id == "zzz#0"


async def test_what_the_asker_may_not_read_is_not_found(index: EmbeddedIndex) -> None:
    """Audience and tenants of the question bound every query."""
    await put(index, "secret", ["Le loyer confidentiel du dossier Martin."], audience="channel:C1")
    await put(index, "team", ["Le loyer de notre équipe."], tenant="T2")
    outside = await run(index, "loyer dossier Martin", "loyer équipe", embedder=Topics())
    assert not {"secret#0", "team#0"} & {p.id for p in outside.passages}
    inside = await run(
        index,
        "loyer dossier Martin",
        "loyer équipe",
        embedder=Topics(),
        audience=frozenset({"public", "channel:C1"}),
        tenants=("shared", "T2"),
    )
    assert {"secret#0", "team#0"} <= {p.id for p in inside.passages}


@pytest.mark.parametrize("embedder", [None, Down()])
async def test_without_vectors_words_answer_and_it_says_so(index: EmbeddedIndex, embedder: Down | None) -> None:
    """A missing model costs the dense leg and one remark."""
    found = await run(index, "Le Pinel est-il fermé ?", embedder=embedder)
    assert (found.passages[0].id, found.enough, found.degraded) == ("pinel#0", True, (WORDS_ONLY,))


async def test_stale_vectors_fall_back_to_words(index: EmbeddedIndex) -> None:
    """An index built with another model still answers by words."""
    wide = Passage("wide#0", "wide", 0, "Note", (), "Autre chose.", "https://example.org", "regulation")
    await index.upsert("wide", [wide], np.eye(1, 9, dtype=np.float32), tenant="shared", digest="1")
    found = await run(index, "Le Pinel est-il fermé ?", embedder=Topics())
    assert found.passages[0].id == "pinel#0"
    assert found.degraded == (STALE_VECTORS,)


@pytest.mark.parametrize(("error", "remark"), [(IndexUnavailable, NO_INDEX), (OldSchema, OLD_INDEX)])
async def test_an_index_that_cannot_be_searched_is_a_remark(
    error: type[IndexUnavailable], remark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flow goes on with the tools; the log says why."""
    structlog.reset_defaults()
    monkeypatch.setattr("pipeline.retrieval.retriever.log", structlog.get_logger())  # another test may hold the old one
    with capture_logs() as logged:
        found = await run(Broken(error), "Pinel", "loyer", embedder=Topics())
    assert found == Retrieval((), (remark,), enough=False)
    assert [(line["event"], line["reason"]) for line in logged] == [("search_failed", error.__doc__)] * 2


async def test_an_unknown_subject_is_not_enough(index: EmbeddedIndex) -> None:
    """The best of unrelated passages stays below the floor, with and without vectors."""
    for embedder in (Topics(), None):
        assert not (await run(index, "recette de la tarte tatin", embedder=embedder)).enough
        assert not (await run(index, "???", embedder=embedder)).enough


async def test_queries_are_searched_at_the_same_time(index: EmbeddedIndex) -> None:
    """A second search starts before the first has ended."""
    both = asyncio.Barrier(2)

    class Watched(Broken):
        async def search(
            self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
        ) -> list[Passage]:
            await both.wait()
            return []

    async with asyncio.timeout(60):
        await run(Watched(), "Pinel", "loyer", embedder=Topics())
