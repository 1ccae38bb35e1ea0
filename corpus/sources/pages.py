"""An official page: its main text, title and date, as a document of the corpus.

Text is data: it chooses neither audience nor category, and of the addresses that it gives only its own name for itself
counts, on its own host. A page that gives no date bears the day on which this text of it was first read.
"""

import hashlib
from dataclasses import dataclass
from datetime import date
from typing import Final

from corpus.sources.fetching import Fetched, shown
from corpus.sources.parsing import parsed, same_site
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

    @property
    def digest(self) -> str:
        """Of what it says; the menus around it may change every day."""
        return hashlib.sha256(f"{self.title}\n{self.published}\n{self.text}".encode()).hexdigest()


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


def page_document(page: Page, *, id: str, audience: str, read_on: date) -> Document:
    """The page as one document."""
    return Document(
        id=id,
        title=page.title,
        url=page.url,
        text=page.text,
        category=CATEGORY,
        published=page.published or read_on,
        audience=audience,
    )
