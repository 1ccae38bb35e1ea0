"""What was fetched -> what its parser made of it, in a process of its own."""

import base64
import json
import re
from dataclasses import asdict
from typing import Any, Final, Literal

from corpus.errors import UnreadableSource
from corpus.sources.files.isolation import Ended, run_isolated
from corpus.sources.files.values import Limits
from corpus.sources.receiving import Fetched
from corpus.sources.urls import shown

LIMITS: Final = Limits(seconds=10.0, memory_bytes=800_000_000, rows=2_000, characters=400_000)
MOST_ENTRIES: Final = 200
"""Of a feed that somebody named."""
_FEEDS: Final = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_ROOTS: Final = re.compile(rb"<(?:\w+:)?(rss|feed|rdf|html|!doctype\s+html)\b", re.IGNORECASE)


def kind_of(fetched: Fetched) -> Literal["page", "feed"]:
    """By its first element, as servers give feeds every media type; what is announced as a feed has to be one."""
    if fetched.media in _FEEDS:
        return "feed"
    root = _ROOTS.search(fetched.body[:4_096].replace(b"\x00", b""))
    return "feed" if root and root[1].lower() in (b"rss", b"feed", b"rdf") else "page"


async def parsed(
    kind: Literal["page", "feed"], fetched: Fetched, *, limits: Limits = LIMITS, entries: int = MOST_ENTRIES
) -> dict[str, Any]:
    """The fields of `Extracted` or `Entries`, of a feed at most so many. Raises `UnreadableSource`."""
    order = {
        "kind": kind,
        "url": fetched.url,
        "charset": fetched.charset,
        "body": base64.b64encode(fetched.body).decode("ascii"),
        "limits": asdict(limits),
        "entries": entries,
    }
    ended, output = await run_isolated("corpus.sources.web_child", json.dumps(order).encode(), limits=limits)
    site = shown(fetched.url)
    if ended is not Ended.WELL:
        raise UnreadableSource(f"{site} : la page est trop lourde ou trop abîmée pour être lue.")
    found: dict[str, Any] = json.loads(output)
    if "refused" in found:
        raise UnreadableSource(f"{site} {found['refused']}.")
    return found
