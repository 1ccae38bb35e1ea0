"""RSS and Atom -> entries. Runs in the process of `web_child` only: its library parses foreign bytes."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import feedparser

from corpus.errors import UnreadableSource
from corpus.sources.decoding import unmarked
from corpus.sources.files.source import clean, sane_date
from corpus.sources.page_text import plain_text

MOST_ENTRIES: Final = 200
LONGEST: Final = 20_000
"""Characters of one entry."""
NO_FEED: Final = "ne donne ni flux RSS ni flux Atom lisible"


@dataclass(frozen=True, slots=True)
class Entry:
    """`key`: what the feed calls it for ever; `link` unchecked; `published`: ISO day or ""; `text`: lines."""

    key: str
    title: str
    text: str
    link: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class Entries:
    """A feed as read, in its order; `skipped`: French sentences."""

    title: str
    entries: tuple[Entry, ...]
    skipped: tuple[str, ...] = ()


def feed_text(xml: str) -> Entries:
    """Raises `UnreadableSource`: what follows the site's name."""
    # As bytes, never as text: feedparser would take a short text for an address or a file name.
    told = {"content-type": "application/xml; charset=utf-8"}
    found = feedparser.parse(io.BytesIO(xml.encode("utf-8", "replace")), response_headers=told)
    if not found.version:
        raise UnreadableSource(NO_FEED)
    read = [entry for raw in found.entries if (entry := _entry(raw)) is not None]
    kept = tuple({entry.key: entry for entry in reversed(read[:MOST_ENTRIES])}.values())[::-1]
    skipped = []
    if len(read) > MOST_ENTRIES:
        skipped.append(f"Seules les {MOST_ENTRIES} premières entrées du flux sont lues, sur {len(read)}.")
    if len(read) < len(found.entries):
        skipped.append(f"{len(found.entries) - len(read)} entrée(s) du flux sans texte.")
    return Entries(_line(found.feed.get("title")), kept, tuple(skipped))


def _entry(raw: Mapping[str, Any]) -> Entry | None:
    title = _line(raw.get("title"))
    written = [part.get("value", "") for part in raw.get("content", ())] or [raw.get("summary", "")]
    text = clean("\n".join(plain_text(str(part)) for part in written)).strip()[:LONGEST]
    link, day = str(raw.get("link") or ""), _day(raw.get("updated_parsed") or raw.get("published_parsed"))
    if not text and not title:
        return None
    key = str(raw.get("id") or "") or link or f"{title}\n{day}"
    return Entry(key=key, title=title or text.split(". ")[0][:120], text=text or f"{title}.", link=link, published=day)


def _line(markup: object) -> str:
    return " ".join(clean(unmarked(plain_text(str(markup or "")))).split())[:200]


def _day(moment: Any) -> str:
    """A `time.struct_time` in UTC, as feedparser gives it."""
    try:
        day = sane_date(date(*moment[:3])) if moment else None
    except (TypeError, ValueError):
        return ""
    return day.isoformat() if day else ""
