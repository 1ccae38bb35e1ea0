"""An address -> what stands there, whichever it is: a page, a feed, an article of Wikipedia."""

import hashlib
from dataclasses import dataclass, field
from typing import Final, Literal

from corpus.sources.feeds import entry_document, read_feed
from corpus.sources.fetching import FEED, HTML, Fetched, NotModified, Reach, Seen, fetch
from corpus.sources.pages import page_document, read_page
from corpus.sources.parsing import kind_of
from corpus.sources.wikipedia import article_document, read_article
from corpus.types import Document

Kind = Literal["page", "feed", "wikipedia"]
WIKIPEDIA: Final = "wikipedia:"


@dataclass(frozen=True, slots=True)
class WebSource:
    """`documents` bear ids relative to their source's. `digest`: of all that they say; `seen`: what the server said of
    this copy; `skipped`: French sentences on what was left out."""

    kind: Kind
    name: str
    url: str
    documents: tuple[Document, ...]
    digest: str
    seen: Seen = field(default_factory=Seen)
    skipped: tuple[str, ...] = ()


async def read_source(
    address: str, *, reach: Reach, api: str, kind: Kind | None = None, seen: Seen | None = None
) -> WebSource | NotModified | None:
    """None: nothing is there (any more). `kind`: what the address was when it was last read; `api`: MediaWiki's.

    Raises `UnreadableSource`: one French sentence.
    """
    if address.lower().startswith(WIKIPEDIA):
        return await _article(address[len(WIKIPEDIA) :], reach=reach, api=api)
    found = await fetch(address, reach=reach, accept=HTML | FEED, seen=seen)
    if isinstance(found, NotModified):
        return found
    if not isinstance(found, Fetched):
        return None
    return await _feed(found, address) if (kind or kind_of(found)) == "feed" else await _page(found, address)


async def _page(found: Fetched, address: str) -> WebSource:
    page = await read_page(found)
    documents = (page_document(page),)
    return WebSource("page", page.title, address, documents, _digest(documents), found.seen, page.skipped)


async def _feed(found: Fetched, address: str) -> WebSource:
    feed = await read_feed(found)
    documents = tuple(entry_document(entry, feed) for entry in feed.entries)
    return WebSource("feed", feed.title, address, documents, _digest(documents), found.seen, feed.skipped)


async def _article(title: str, *, reach: Reach, api: str) -> WebSource | None:
    article = await read_article(title, api=api, reach=reach)
    if article is None:
        return None
    return WebSource("wikipedia", article.title, article.url, (article_document(article),), article.revision)


def _digest(documents: tuple[Document, ...]) -> str:
    said = "\n".join(f"{each.id}\n{each.title}\n{each.published}\n{each.text}" for each in documents)
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()
