"""Ingest: idempotent, complete, honest about what failed."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus.errors import EmbedderUnavailable, MalformedArticle
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import IngestReport, digest, ingest
from corpus.types import Document, Filters

TEXT = "## En bref\n\nLe Pinel est fermé aux acquisitions nouvelles depuis la fin de 2024."


class Axis:
    """An embedder of two dimensions that can be switched off; it remembers what it was given."""

    version = "axis-1"
    dimensions = 2

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.down = False

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderUnavailable
        self.seen += texts
        return np.eye(1, 2, dtype=np.float32).repeat(len(texts), axis=0)

    queries = passages


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    opened = EmbeddedIndex(tmp_path / "index.sqlite")
    yield opened
    await opened.aclose()


def article(name: str = "pinel", text: str = TEXT) -> Document:
    return Document(id=name, title="Dispositif Pinel", url="https://example.org", text=text, category="regulation")


async def run(
    index: EmbeddedIndex,
    *documents: Document | MalformedArticle,
    embedder: Axis | None,
    retire: Callable[[str], bool] = lambda _id: False,
) -> IngestReport:
    return await ingest(documents, index=index, embedder=embedder, tenant="shared", retire=retire)


async def test_the_second_ingest_does_nothing(index: EmbeddedIndex) -> None:
    """Same content, no embedding, no write."""
    embedder = Axis()
    assert await run(index, article(), embedder=embedder) == IngestReport(added=1, passages=1)
    embedder.seen.clear()
    assert await run(index, article(), embedder=embedder) == IngestReport(unchanged=1)
    assert embedder.seen == []


async def test_title_and_heading_are_embedded(index: EmbeddedIndex) -> None:
    """The vector is of the passage in its context."""
    embedder = Axis()
    await run(index, article(), embedder=embedder)
    assert embedder.seen[0].startswith("Dispositif Pinel\nEn bref\n")


async def test_a_change_of_text_or_metadata_replaces(index: EmbeddedIndex) -> None:
    """One document, its new version only."""
    embedder = Axis()
    await run(index, article(), embedder=embedder)
    assert (await run(index, article(text=TEXT + " Voilà."), embedder=embedder)).replaced == 1
    assert (
        await run(index, replace(article(text=TEXT + " Voilà."), entities=("pinel",)), embedder=embedder)
    ).replaced == 1
    found = await index.search("Pinel", vector=None, tenants=("shared",), filters=Filters(), limit=9)
    assert [hit.entities for hit in found] == [("pinel",)]


def test_the_digest_covers_analyser_and_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    """New rules or a new model index again."""
    before = digest(article(), embedder="a")
    assert digest(article(), embedder="b") != before
    monkeypatch.setattr("corpus.ingest.ANALYSER_VERSION", "fr-next")
    assert digest(article(), embedder="a") != before


async def test_a_malformed_article_is_reported_and_the_rest_kept(index: EmbeddedIndex) -> None:
    """Its earlier version stays, even where missing documents are retired."""
    lines: list[str] = []
    await run(index, article("bad"), embedder=None)
    bad = MalformedArticle("Article bad.md : cassé.", document_id="bad")
    found = await ingest(
        [bad, article()], index=index, embedder=None, tenant="shared", retire=lambda _id: True, report=lines.append
    )
    assert found.failed == (("bad", "Article bad.md : cassé."),)
    assert (found.added, found.retired) == (1, 0)
    assert set(await index.digests(tenant="shared")) == {"bad", "pinel"}
    assert "Article bad.md : cassé." in lines


async def test_retired_articles_leave_the_index(index: EmbeddedIndex) -> None:
    """Only when asked, and only in this tenant."""
    await run(index, article(), article("old"), embedder=None)
    await ingest([article("theirs")], index=index, embedder=None, tenant="T1")
    assert (await run(index, article(), embedder=None)).retired == 0
    assert (await run(index, article(), embedder=None, retire=lambda _id: True)).retired == 1
    assert set(await index.digests(tenant="shared")) == {"pinel"}
    assert set(await index.digests(tenant="T1")) == {"theirs"}


async def test_without_embedder_words_are_indexed_and_vectors_follow(index: EmbeddedIndex) -> None:
    """A failing embedder costs the vectors only; the next ingest adds them, and not a write before."""
    embedder = Axis()
    embedder.down = True
    assert await run(index, article(), embedder=embedder) == IngestReport(added=1, passages=1, without_vectors=1)
    assert await run(index, article(), embedder=embedder) == IngestReport(unchanged=1, without_vectors=1)
    embedder.down = False
    assert (await run(index, article(), embedder=embedder)).replaced == 1
    (found,) = await index.search(
        "et", vector=np.eye(2, dtype=np.float32)[0], tenants=("shared",), filters=Filters(), limit=1
    )
    assert found.similarity == pytest.approx(1.0)
