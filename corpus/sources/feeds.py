"""A feed, RSS or Atom: one document an entry.

An entry that leaves the feed stays 180 days after its date: feeds show their latest entries only, and leaving it says
nothing about being wrong. A feed that shows fewer or no entries therefore removes nothing at once; a feed that is gone
or removed takes all of its documents with it. Addresses of entries count only on the feed's own host.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from corpus.sources.files.values import Limits
from corpus.sources.parsing import LIMITS, MOST_ENTRIES, parsed
from corpus.sources.receiving import Fetched
from corpus.sources.urls import same_site, shown
from corpus.types import Category, Document

CATEGORY: Final[Category] = "regulation"
KEPT: Final = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`name`: short and lasting, unique in its feed."""

    name: str
    title: str
    url: str
    text: str
    published: date | None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed as read, its entries in its order; `skipped`: French sentences."""

    title: str
    entries: tuple[FeedEntry, ...]
    skipped: tuple[str, ...] = ()


async def read_feed(
    fetched: Fetched,
    *,
    limits: Limits = LIMITS,
    most: int = MOST_ENTRIES,
    admits: Callable[[str], bool] = lambda url: False,
) -> Feed:
    """At most so many entries; `admits`: which addresses beyond the feed's own site an entry may lead to. Raises
    `UnreadableSource`, also where a page stands instead of a feed."""
    found = await parsed("feed", fetched, limits=limits, entries=most)
    entries = tuple(
        FeedEntry(
            name=hashlib.sha256(each["key"].encode()).hexdigest()[:16],
            title=each["title"],
            url=each["link"] if same_site(each["link"], fetched.url) or admits(each["link"]) else fetched.url,
            text=each["text"],
            published=date.fromisoformat(each["published"]) if each["published"] else None,
        )
        for each in found["entries"]
    )
    return Feed(found["title"] or shown(fetched.url), entries, tuple(found["skipped"]))


def entry_document(entry: FeedEntry, feed: Feed) -> Document:
    """One entry as a document, `<source id>/<entry>`."""
    return Document(
        id=f"/{entry.name}",
        title=f"{feed.title} : {entry.title}",
        url=entry.url,
        text=entry.text,
        category=CATEGORY,
        published=entry.published,
    )


def is_past(published: date | None, *, today: date) -> bool:
    """Whether an entry that left its feed has been kept long enough."""
    return published is None or today - published > KEPT
