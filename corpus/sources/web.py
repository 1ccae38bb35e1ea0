"""An address -> what stands there, whichever it is: a page, a PDF, a feed, an article of Wikipedia."""

import asyncio
import hashlib
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import httpx

from corpus.errors import UnreadableFile, UnreadableSource
from corpus.sources.feeds import entry_document, read_feed
from corpus.sources.fetching import Reach, fetch
from corpus.sources.files.reading import read_file, upload_document
from corpus.sources.pages import CATEGORY, page_document, read_page
from corpus.sources.parsing import kind_of
from corpus.sources.receiving import FEED, HTML, PDF, Fetched, NotModified, Seen
from corpus.sources.urls import shown
from corpus.sources.wikipedia import article_document, read_article
from corpus.types import PUBLIC_AUDIENCE, Document

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
    found = await fetch(address, reach=reach, accept=HTML | FEED | PDF, seen=seen)
    if isinstance(found, NotModified):
        return found
    if not isinstance(found, Fetched):
        return None
    if found.media in PDF:
        return await _pdf(found, address)
    return await _feed(found, address) if (kind or kind_of(found)) == "feed" else await _page(found, address)


async def _page(found: Fetched, address: str) -> WebSource:
    page = await read_page(found)
    documents = (page_document(page),)
    return WebSource("page", page.title, address, documents, _digest(documents), found.seen, page.skipped)


async def _pdf(found: Fetched, address: str) -> WebSource:
    """Read as a file of the same kind is, apart and within its limits; each passage names its page."""
    name = Path(httpx.URL(found.url).path).name or shown(found.url)
    path = await asyncio.to_thread(_written, found.body)
    try:
        read = await read_file(path, name=name)
    except UnreadableFile as error:
        raise UnreadableSource(str(error)) from error
    finally:
        await asyncio.to_thread(path.unlink)
    document = upload_document(read, id="", url=found.url, audience=PUBLIC_AUDIENCE, published=None, category=CATEGORY)
    documents = (document,)
    return WebSource("page", read.title, address, documents, _digest(documents), found.seen, read.skipped)


def _written(body: bytes) -> Path:
    with tempfile.NamedTemporaryFile(delete=False, suffix=".pdf") as file:
        file.write(body)
    return Path(file.name)


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
