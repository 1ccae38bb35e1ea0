"""An article of Wikipedia, in the shapes that the MediaWiki API gives."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import UnreadableSource
from corpus.sources.fetching import Reach
from corpus.sources.receiving import FetchLimits
from corpus.sources.wikipedia import Article, article_document, as_markdown, read_article
from tests.web_server import response, web_server

EXTRACT = """Le viager est la vente d'un bien contre une rente [1].

== Principe ==
Le débirentier paie une rente au crédirentier.

=== Bouquet ===
Une somme est versée au départ.

== Notes et références ==
1. Une note.

=== Notes ===
Une autre note.

== Fiscalité ==
La rente est imposée pour une fraction.

== Voir aussi ==
Un lien."""
PAGE = {
    "pageid": 1, "ns": 0, "title": "Viager", "extract": EXTRACT, "lastrevid": 42,
    "revisions": [{"revid": 42, "parentid": 41, "timestamp": "2026-10-01T08:00:00Z"}],
}  # fmt: skip


async def read(*pages: object, title: str = "Viager", body: bytes | None = None, **more: Any) -> Article | None:
    """What is read where the API answers with these pages."""
    said = {"batchcomplete": True, "query": {"pages": list(pages), **more}}
    async with web_server() as web:
        answer = response(json.dumps(said).encode() if body is None else body, media="application/json")

        async def answered(head: str, writer: Any) -> None:
            writer.write(answer)

        web.answers = _Any(answered)
        reach = Reach(internal=web.inside, limits=FetchLimits(seconds=60))
        found = await read_article(title, api=web.url("/w/api.php"), reach=reach)
        read.requests = web.requests  # type: ignore[attr-defined]
        return found


class _Any(dict[str, Any]):
    """One answer to every address."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def get(self, key: str, default: Any = None) -> Any:
        return self._answer


async def test_an_article_is_read_with_its_sections_and_revision() -> None:
    """Notes and links are left out, with what stands under them."""
    article = await read(PAGE)
    assert article is not None
    assert article.text.splitlines()[0] == "Le viager est la vente d'un bien contre une rente (1)."
    assert "## Principe" in article.text
    assert "### Bouquet" in article.text
    assert "## Fiscalité" in article.text
    for absent in ("Une note", "Une autre note", "Un lien", "Voir aussi"):
        assert absent not in article.text
    assert article.revision == "42"
    assert str(article.edited) == "2026-10-01"
    assert article.url.endswith("/wiki/Viager")


async def test_the_licence_stands_where_the_article_is_cited() -> None:
    """CC BY-SA asks for it."""
    article = await read(PAGE)
    assert article is not None
    document = article_document(article)
    assert document.title == "Wikipédia : Viager (CC BY-SA 4.0)"


async def test_redirects_are_asked_for_and_the_final_title_told() -> None:
    """The API follows them when asked."""
    article = await read(PAGE, title="Vente en viager", redirects=[{"from": "Vente en viager", "to": "Viager"}])
    assert article is not None
    assert article.title == "Viager"
    assert "redirects=1" in read.requests[0]  # type: ignore[attr-defined]


async def test_a_disambiguation_page_says_what_it_lists() -> None:
    """Nobody meant the list itself."""
    page = PAGE | {"pageprops": {"disambiguation": ""}, "links": [{"ns": 0, "title": "Viager (film)"}]}
    with pytest.raises(UnreadableSource, match=r"homonymie.*Viager \(film\)"):
        await read(page)


async def test_a_missing_article_is_none() -> None:
    """Never written, or deleted since."""
    assert await read({"title": "Rien", "missing": True}) is None


async def test_a_link_elsewhere_is_not_taken() -> None:
    """The API's own host, or one that we write ourselves."""
    article = await read(PAGE | {"fullurl": "https://ailleurs.example/wiki/Viager"})
    assert article is not None
    assert "ailleurs" not in article.url


@pytest.mark.parametrize("title", ["", "  ", "A|B", "A#b", "<b>", "x" * 300])
async def test_a_title_that_asks_for_something_else_is_refused(title: str) -> None:
    """A bar would ask for two articles."""
    with pytest.raises(UnreadableSource, match="titre"):
        await read(PAGE, title=title)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"query": 3}', b'{"query": {"pages": ["x"]}}', b"[" * 9999])
async def test_nonsense_is_one_sentence(body: bytes) -> None:
    """Half a JSON, a page, another shape."""
    with pytest.raises(UnreadableSource, match="inexploitable"):
        await read(body=body)


@given(
    st.dictionaries(
        st.sampled_from(["title", "extract", "revisions", "pageprops", "links", "missing", "fullurl", "lastrevid"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=9),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
            max_leaves=5,
        ),
    )
)
async def test_no_shape_breaks_the_reader(page: dict[str, Any]) -> None:
    """An article, none, or a reason."""
    try:
        await read(page)
    except UnreadableSource as reason:
        assert str(reason).endswith(".")  # noqa: PT017


@given(st.text(max_size=300))
def test_no_extract_breaks_the_sections(extract: str) -> None:
    """Any text in any order of headings."""
    assert isinstance(as_markdown(extract), str)
