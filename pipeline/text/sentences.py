"""Markdown -> lines and sentences: one reading for what the gate checks and for what the extractive writer quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from corpus.sentences import sentences

Kind = Literal["heading", "bullet", "row", "header", "text"]

MARKER: Final = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
"""`[3]` or `[1, 4]`: the only shape in which a sentence cites."""

_BULLET: Final = re.compile(r"^\s*(?:[-*•‣–]|\d{1,2}[.)])\s+(?=\S)")
_HEADING: Final = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_RULE_ROW: Final = re.compile(r"^\s*\|?[\s:|-]*-{2,}[\s:|-]*\|?\s*$")
_LATE_MARKER: Final = re.compile(r"([ \u00a0\u202f]?[.!?…]+)[ \t]*((?:\[\d{1,3}(?:\s*,\s*\d{1,3})*\][ \t]*)+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of Markdown. `lead` is what stands before the words (`- `, `1. `, `### `, the table's bar)."""

    kind: Kind
    lead: str
    text: str
    block: int


def lines(text: str) -> Iterator[Line]:
    """Non-empty lines in order; lines of one paragraph are joined; a table's ruling row is its header's mark."""
    block = 0
    paragraph: list[str] = []
    raw = [*text.splitlines(), ""]
    for index, line in enumerate(raw):
        special = _special(line, raw[index + 1] if index + 1 < len(raw) else "", block)
        if line.strip() and special is None and not _RULE_ROW.match(line):
            paragraph.append(line.strip().removeprefix("> "))
            continue
        if paragraph:
            yield Line("text", "", " ".join(paragraph), block)
            paragraph = []
        if not line.strip():
            block += 1
        elif special is not None:
            yield special


def _special(line: str, following: str, block: int) -> Line | None:
    if heading := _HEADING.match(line):
        return Line("heading", "### ", heading.group(1), block)
    if line.lstrip().startswith("|") and not _RULE_ROW.match(line):
        return Line("header" if _RULE_ROW.match(following) and "-" in following else "row", "", line.strip(), block)
    if bullet := _BULLET.match(line):
        number = bullet.group().strip()
        return Line("bullet", f"{number} " if number[0].isdigit() else "- ", line[bullet.end() :].strip(), block)
    return None


def markers_inside(text: str) -> str:
    """Citation markers moved before the full stop they follow: `Vrai. [1]` -> `Vrai [1].`"""
    return _LATE_MARKER.sub(lambda found: f" {found.group(2).strip()}{found.group(1)} ", text).rstrip()


@lru_cache(maxsize=2048)
def passage_sentences(text: str) -> tuple[str, ...]:
    """Sentences of a passage in order; an item of a list is one a line. A table row carries its header, so that a
    cell is read under its column."""
    found: list[str] = []
    header = ""
    raw = text.splitlines()
    for line, following in zip(raw, [*raw[1:], ""], strict=True):
        if line.lstrip().startswith("|"):
            if _RULE_ROW.match(following):
                header = line.strip()
            elif not _RULE_ROW.match(line):
                found.append(f"{header} {line.strip()}".strip())
        elif not _HEADING.match(line):
            found.extend(sentences(_BULLET.sub("", line)))
    return tuple(found)
