"""An official page: its main text, title and date, as a document of the corpus.

Text is data: it chooses neither audience nor category, and of the addresses that it gives only its own name for itself
counts, on its own host. Ids of documents are relative: whoever puts them into the index gives the source's name, the
audience, and a day to those that say none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from corpus.errors import UnreadableSource
from corpus.sources.fetching import Reach, fetch
from corpus.sources.parsing import parsed
from corpus.sources.receiving import HTML, Fetched
from corpus.sources.urls import same_site, shown
from corpus.types import Category, Document

CATEGORY: Final[Category] = "regulation"


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read. `text`: Markdown; `published`: the date that it gives itself; `skipped`: French sentences."""

    url: str
    title: str
    text: str
    published: date | None = None
    skipped: tuple[str, ...] = ()


async def read_page(fetched: Fetched) -> Page:
    """Raises `UnreadableSource`."""
    found = await parsed("page", fetched)
    canonical = found["canonical"]
    return Page(
        url=canonical if same_site(canonical, fetched.url) else fetched.url,
        title=found["title"] or shown(fetched.url),
        text=found["text"],
        published=date.fromisoformat(found["published"]) if found["published"] else None,
        skipped=tuple(found["skipped"]),
    )


def page_document(page: Page) -> Document:
    """The page as one document, with the source's own id."""
    return Document(
        id="",
        title=page.title,
        url=page.url,
        text=page.text,
        category=CATEGORY,
        published=page.published,
    )


async def open_page(address: str, *, reach: Reach, allowed: Callable[[str], bool]) -> Page:
    """A page that is read once, for one answer; `allowed` is asked about each address on the way.

    Raises `UnreadableSource`, also for a page that is gone.
    """
    found = await fetch(address, reach=reach, accept=HTML, allowed=allowed)
    if not isinstance(found, Fetched):
        raise UnreadableSource(f"{shown(address)} n'a plus rien à cette adresse.")
    return await read_page(found)
