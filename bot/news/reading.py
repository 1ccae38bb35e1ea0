"""A feed or page -> what it shows, as publications with a title, an address, a text and a day. Nothing is written."""

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from bot.news.alike import address_key, item_id, untracked
from bot.news.feeds import Feed
from corpus.errors import UnreadableSource
from corpus.sources.feeds import FeedEntry, read_feed
from corpus.sources.fetching import Reach, fetch
from corpus.sources.files.values import Limits
from corpus.sources.pages import read_page
from corpus.sources.receiving import FEED, HTML, Fetched, FetchLimits, NotModified, Seen
from pipeline.text.cleaning import inert

MOST_ITEMS: Final = 20_000
FETCHED: Final = FetchLimits(bytes=30_000_000, seconds=30.0)
PARSED: Final = Limits(seconds=60.0, memory_bytes=1_000_000_000, rows=2_000, characters=4_000_000)
FIRST_YEAR: Final = 2000
"""A publication that says to be older does not know its day: feeds write 1970 for none."""
LONGEST_TITLE: Final = 200


@dataclass(frozen=True, slots=True)
class Publication:
    """`id`: by its address, the same from every feed; `text`: lines that are text and nothing else; `content`: hash of
    title and text."""

    id: str
    title: str
    url: str
    text: str
    published_on: date

    @property
    def content(self) -> str:
        return hashlib.sha256(f"{self.title}\n{self.text}".encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a feed shows now. `held`: hashes of a page's paragraphs, None for a feed."""

    seen: Seen
    digest: str
    publications: tuple[Publication, ...]
    held: tuple[str, ...] | None = None


async def read(
    feed: Feed,
    *,
    reach: Reach,
    admits: Callable[[str], bool],
    seen: Seen,
    held: Collection[str],
    today: date,
) -> Reading | None:
    """None where nothing has changed since. `held`: what a page said at the last reading; `admits`: which addresses
    beyond the feed's own site may be followed by people. Raises `UnreadableSource`: one French sentence."""
    accept = HTML | FEED if feed.kind == "feed" else HTML
    found = await fetch(feed.url, reach=replace(reach, limits=FETCHED), accept=accept, seen=seen)
    if isinstance(found, NotModified):
        return None
    if not isinstance(found, Fetched):
        raise UnreadableSource(f"{feed.host} n'a plus rien à cette adresse.")
    digest = hashlib.sha256(found.body).hexdigest()
    if feed.kind == "page":
        return await _page(found, digest, held, today)
    shown = await read_feed(found, limits=PARSED, most=MOST_ITEMS, admits=admits)
    publications = (_publication(entry, feed, found, today) for entry in shown.entries)
    unique = {each.id: each for each in publications if each.title}
    return Reading(found.seen, digest, tuple(unique.values()))


def _publication(entry: FeedEntry, feed: Feed, found: Fetched, today: date) -> Publication:
    """Named by its own address; by the feed's name for it where its address is no more than the feed's."""
    key = address_key(entry.url) if entry.url != found.url else f"{feed.id}#{entry.name}"
    title = inert(entry.title)[:LONGEST_TITLE]
    return Publication(
        item_id(key), title, untracked(entry.url), _inert(entry.text.splitlines()), _day(entry.published, today)
    )


async def _page(found: Fetched, digest: str, held: Collection[str], today: date) -> Reading:
    """What it says now and did not say before, as one publication of today; all of it at the first reading."""
    page = await read_page(found)
    paragraphs = [line for line in page.text.splitlines() if line.strip() and not line.startswith("#")]  # no headings
    hashes = tuple(dict.fromkeys(hashlib.sha256(line.encode()).hexdigest()[:16] for line in paragraphs))
    known = frozenset(held)
    fresh = [line for line in paragraphs if hashlib.sha256(line.encode()).hexdigest()[:16] not in known]
    text = _inert(fresh)
    published = _day(page.published, today) if not known else today
    each = Publication(
        item_id(f"{address_key(page.url)}#{hashlib.sha256(text.encode()).hexdigest()}"),
        inert(page.title)[:LONGEST_TITLE], page.url, text, published,
    )  # fmt: skip
    return Reading(found.seen, digest, (each,) if text and each.title else (), held=hashes)


def _inert(lines: Sequence[str]) -> str:
    return "\n".join(line for line in map(inert, lines) if line)


def _day(published: date | None, today: date) -> date:
    """That of the reading where none is given, where it is to come, and where it cannot be."""
    return today if published is None or published.year < FIRST_YEAR or published > today else published
