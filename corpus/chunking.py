"""Markdown -> passages: whole sentences under their heading path, 40 to 130 words where the text allows it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from corpus.sentences import sentences
from corpus.types import Document, Passage

CHUNKING_VERSION: Final = "c2"
FEWEST_WORDS: Final = 40
MOST_WORDS: Final = 130
ALONE_WORDS: Final = 20
"""A section shorter than this joins its neighbour: a fragment attracts questions it cannot answer (a vector "hub")."""

_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE: Final = re.compile(r"^ {0,3}(?:```|~~~)")
_BULLET: Final = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_QUOTE: Final = re.compile(r"^\s*(?:>\s?)+")
_RULE: Final = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_LINK: Final = re.compile(r"!?\[([^\]\[]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_STRONG: Final = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\w*])")


@dataclass(slots=True)
class _Section:
    heading: tuple[str, ...]
    paragraphs: list[str] = field(default_factory=list)

    @property
    def words(self) -> int:
        return sum(_count(paragraph) for paragraph in self.paragraphs)

    @property
    def asks(self) -> bool:
        """Whether it answers a question: however short, the answer is this question's alone."""
        return bool(self.heading) and self.heading[-1].endswith("?")


def chunk(document: Document) -> list[Passage]:
    """The document's passages in reading order. A sentence over the limit stays whole, alone in its passage."""
    sections = _joined(list(_sections(document.text)))
    pieces = [(section.heading, piece) for section in sections for piece in _pack(section)]
    return [
        Passage(
            id=f"{document.id}#{position}",
            document_id=document.id,
            position=position,
            title=document.title,
            heading=heading,
            text=piece,
            url=document.url,
            category=document.category,
            published=document.published,
            effective_from=document.effective_from,
            effective_to=document.effective_to,
            entities=document.entities,
            audience=document.audience,
        )
        for position, (heading, piece) in enumerate(pieces)
    ]


def indexed_text(passage: Passage) -> str:
    """What both legs see: title and heading path give a short passage its subject (measured: +.016 nDCG)."""
    return "\n".join(part for part in (passage.title, " > ".join(passage.heading), passage.text) if part)


def plain(markdown: str) -> str:
    """One line of Markdown as it reads: link texts without addresses, no emphasis marks."""
    text = _LINK.sub(r"\1", markdown)
    return _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text)).strip()


def _sections(markdown: str) -> Iterator[_Section]:
    path: list[tuple[int, str]] = []
    section = _Section(())
    for kind, content in _blocks(markdown):
        if kind == 0:
            section.paragraphs.append(content)
            continue
        if section.paragraphs:
            yield section
        path = [*(entry for entry in path if entry[0] < kind), (kind, content)]
        section = _Section(tuple(title for _, title in path))
    if section.paragraphs:
        yield section


def _blocks(markdown: str) -> Iterator[tuple[int, str]]:
    """(heading level or 0, text). Lines of a paragraph are joined; items of a list stay one a line."""
    lines: list[str] = []
    fenced = False
    for raw in [*markdown.splitlines(), ""]:
        if _FENCE.match(raw):
            fenced = not fenced
            continue
        line = raw if fenced else _QUOTE.sub("", raw)
        heading = None if fenced else _HEADING.match(line)
        if heading or not line.strip() or (not fenced and _RULE.match(line)):
            if lines:
                yield 0, "\n".join(lines)
            lines = []
            if heading and plain(heading.group(2)):
                yield len(heading.group(1)), plain(heading.group(2))
        elif fenced or _BULLET.match(line) or not lines:
            lines.append(plain(line if fenced else _BULLET.sub("", line)))
        else:
            lines[-1] = f"{lines[-1]} {plain(line)}"
    if lines:  # only an unclosed fence comes here without a blank line
        yield 0, "\n".join(lines)


def _joined(sections: list[_Section]) -> list[_Section]:
    """Sections with the tiny ones joined to a neighbour of the same parent; the headings of both are kept. A question
    keeps its answer to itself."""
    found: list[_Section] = []
    for section in sections:
        before = found[-1] if found else None
        tiny = before is not None and min(before.words, section.words) < ALONE_WORDS
        if before is None or not tiny or before.asks or section.asks or before.words + section.words > MOST_WORDS:
            found.append(section)
            continue
        found[-1] = _Section(_merged(before.heading, section.heading), [*before.paragraphs, *section.paragraphs])
    return found


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The common path, then what differs of each, joined by a dot."""
    shared = 0
    while shared < min(len(first), len(second)) and first[shared] == second[shared]:
        shared += 1
    rest = " · ".join((*first[shared:], *second[shared:]))
    return (*first[:shared], rest) if rest else first[:shared]


def _pack(section: _Section) -> list[str]:
    """Paragraphs whole where they fit; short ones together; long ones by sentences, in even parts."""
    pieces: list[str] = []
    for paragraph in section.paragraphs:
        for part in _split(paragraph):
            words = _count(part)
            short = pieces and min(_count(pieces[-1]), words) < FEWEST_WORDS
            if short and _count(pieces[-1]) + words <= MOST_WORDS:
                pieces[-1] = f"{pieces[-1]}\n{part}"
            else:
                pieces.append(part)
    return pieces


def _split(paragraph: str) -> list[str]:
    total = _count(paragraph)
    if total <= MOST_WORDS:
        return [paragraph]
    target = total / -(-total // MOST_WORDS)
    parts: list[str] = []
    for line in paragraph.splitlines():
        for position, sentence in enumerate(sentences(line)):
            glue = "\n" if position == 0 else " "
            size = _count(parts[-1]) if parts else 0
            if parts and size < target and size + _count(sentence) <= MOST_WORDS:
                parts[-1] = f"{parts[-1]}{glue}{sentence}"
            else:
                parts.append(sentence)
    return parts


def _count(text: str) -> int:
    return len(text.split())
