"""RSS and Atom -> entries. Runs in the process of `web_child` only: its library parses foreign bytes."""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final

import feedparser

from corpus.errors import UnreadableSource
from corpus.sources.decoding import unmarked
from corpus.sources.files.source import clean, sane_date
from corpus.sources.markup import plain_text

LONGEST: Final = 20_000
"""Characters of one entry."""
AT_ONCE: Final = 200
"""Entries that are parsed together."""
_STARTS: Final = re.compile(r"<(?:item|entry)\b")
_TAIL: Final = re.compile(r"(?:</channel>\s*)?</(?:rss|feed|rdf:RDF)\s*>\s*\Z")
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


def feed_text(xml: str, *, most: int) -> Entries:
    """The first `most` entries. Raises `UnreadableSource`: what follows the site's name."""
    title, read, without, version = "", dict[str, Entry](), 0, ""
    for piece in _pieces(xml):
        # As bytes, never as text: feedparser would take a short text for an address or a file name.
        told = {"content-type": "application/xml; charset=utf-8"}
        found = feedparser.parse(io.BytesIO(piece.encode("utf-8", "replace")), response_headers=told)
        title, version = title or _line(found.feed.get("title")), version or found.version
        for raw in found.entries:
            entry = _entry(raw)
            if entry is None:
                without += 1
            else:
                read.setdefault(entry.key, entry)
    if not version:
        raise UnreadableSource(NO_FEED)
    skipped = []
    if len(read) > most:
        skipped.append(f"Seules les {most} premières entrées du flux sont lues, sur {len(read)}.")
    if without:
        skipped.append(f"{without} entrée(s) du flux sans texte.")
    return Entries(title, tuple(read.values())[:most], tuple(skipped))


def _pieces(xml: str) -> Iterator[str]:
    """The same feed some entries at a time, each under the feed's own head: a parsed entry takes twenty times the room
    of its text. A feed that does not look like one is left to its parser as it is."""
    starts = [found.start() for found in _STARTS.finditer(xml)]
    tail = _TAIL.search(xml)
    if len(starts) <= AT_ONCE or tail is None:
        yield xml
        return
    head, end = xml[: starts[0]], xml[tail.start() :]
    cuts = [*starts[::AT_ONCE], tail.start()]
    for start, stop in pairwise(cuts):
        yield f"{head}{xml[start:stop]}{end}"


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
