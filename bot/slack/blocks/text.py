"""Text made safe for Slack: nothing that a person or a page wrote can ping, link or hide."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

PARIS = ZoneInfo("Europe/Paris")
SECTION_LIMIT = 3000
MARKDOWN_LIMIT = 11_000
SPECIAL = re.compile(r"<(?=[!@#]|https?:|mailto:)")
NARROW = re.compile(r"(?<=«) | (?=»|[:;?!](?:\s|$))")
WIDE = re.compile(r"(?<=\d) (?=[%€])")
GROUPED = re.compile(r"(?<![\d,.])\d{1,3}(?: \d{3})+(?!\d)")
INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def escape(text: str) -> str:
    """For `mrkdwn`: Slack's three characters, and no invisible ones."""
    return INVISIBLE.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown(text: str) -> str:
    """For a `markdown` block: no Slack mention or link can arise from text; cut at a paragraph if too long."""
    safe = unbroken(SPECIAL.sub("‹", INVISIBLE.sub("", text)))
    if len(safe) <= MARKDOWN_LIMIT:
        return safe
    return safe[:MARKDOWN_LIMIT].rsplit("\n", 1)[0] + "\n\n_(réponse coupée : demandez la suite)_"


def verbatim(blocks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same blocks, in which Slack makes no link of its own out of `mrkdwn` text: those that code wrote stay."""
    return [_verbatim(block) for block in blocks]


def _verbatim(part: Any) -> Any:
    if isinstance(part, list):
        return [_verbatim(each) for each in part]
    if not isinstance(part, dict):
        return part
    told = {name: _verbatim(value) for name, value in part.items()}
    return told | {"verbatim": True} if part.get("type") == "mrkdwn" else told


def unbroken(text: str) -> str:
    """With the spaces that no line ends at: inside « », before : ; ? ! % and €, between the thousands of a number."""
    return NARROW.sub(
        "\u202f", WIDE.sub("\u00a0", GROUPED.sub(lambda found: found.group().replace(" ", "\u202f"), text))
    )


def link(url: str, label: str, *, schemes: tuple[str, ...] = ("https://",)) -> str:
    """A link that code makes from evidence; any other scheme stays text."""
    if not url.startswith(schemes) or any(c in url for c in "<>|\n "):
        return escape(label)
    return f"<{url}|{escape(label)}>"


def chunks(lines: list[str], *, limit: int = SECTION_LIMIT) -> Iterator[str]:
    """The lines, joined, in pieces of at most `limit` characters."""
    piece = ""
    for line in lines:
        line = line[:limit]
        if piece and len(piece) + 1 + len(line) > limit:
            yield piece
            piece = line
        else:
            piece = f"{piece}\n{line}" if piece else line
    if piece:
        yield piece


def french_day(iso: str) -> str:
    """2026-11-21 or an ISO time -> 21/11/2026."""
    return datetime.fromisoformat(iso).strftime("%d/%m/%Y")


def french_time(iso: str) -> str:
    """An ISO time in UTC -> 21/11/2026 à 15 h 04, in Paris; its hour stays on one line."""
    return datetime.fromisoformat(iso).astimezone(PARIS).strftime("%d/%m/%Y à %H\u202fh\u202f%M")
