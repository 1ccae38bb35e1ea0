"""Lines as a page shows them -> paragraphs: no running headers, no words cut at line ends."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

EDGE: Final = 3
"""Lines at a page's top and bottom where headers and footers are looked for."""
FEWEST_PAGES: Final = 3
_CUT: Final = re.compile(r"[^\W\d_]{2,}[-\u2010\u00ad]$")
_BULLET: Final = re.compile(r"^[•▪◦‣●■□–—\uf0b7\uf0a7✓➢►]\s*")
_STOPS: Final = (".", "!", "?", ":", ";", "…")
_TAILS: Final = re.compile(
    r"(?:ci|là|mêmes?|t|je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|y|en|dessus|dessous|delà)\b"
)
"""« celui-ci », « peut-être », « rendez-vous »: their hyphen stays when a line ends on it."""


_OPENS: Final = re.compile(
    r"(?:Article|Chapitre|Section|Titre|Annexe|Partie|ARTICLE|CHAPITRE|SECTION|TITRE|ANNEXE|PARTIE)\s+"
    r"(?:[LRD]\.?\s?)?(?:\d+|[IVXLC]+|premier|1er|[A-Z])\b"
)
"""What begins a section of a contract or of a law; within a sentence these words are written small."""


def without_running_lines(texts: Sequence[str]) -> list[list[str]]:
    """The lines of each page, but for those that stand at the edge of most pages, page numbers compared as one."""
    pages = [[tidy for line in text.splitlines() if (tidy := " ".join(line.split()))] for text in texts]
    written = [page for page in pages if page]
    if len(written) < FEWEST_PAGES:
        return pages
    seen = Counter(shape for page in written for shape in {_shape(line) for line in _edges(page)})
    running = {shape for shape, count in seen.items() if count > len(written) / 2}
    return [_inner(page, running) or page for page in pages]


def paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Paragraphs of one line each. A line that ends early and ends a sentence, or is a title, ends its paragraph."""
    width = sorted(map(len, lines))[int(0.9 * len(lines))] if lines else 0
    current = last = ""
    for line in lines:
        bullet = bool(_BULLET.match(line))
        text = f"- {_BULLET.sub('', line)}" if bullet else line.lstrip("#> ")
        if not current:
            current = text
        elif bullet or _ends(last, text, width):
            yield current
            current = text
        else:
            current = _glued(current, text)
        last = line
    if current:
        yield current


def _edges(page: list[str]) -> list[str]:
    return [*page[:EDGE], *page[-EDGE:]] if len(page) > 2 * EDGE else page


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", line).casefold()


def _inner(page: list[str], running: set[str]) -> list[str]:
    """Only from the edges inwards: a line of the text that reads like the header stays."""
    start, end = 0, len(page)
    for _ in range(EDGE):
        if start < end and _shape(page[start]) in running:
            start += 1
        if end > start and _shape(page[end - 1]) in running:
            end -= 1
    return page[start:end]


def _ends(before: str, after: str, width: int) -> bool:
    if _CUT.search(before) or after[:1].islower():
        return False
    if _OPENS.match(after) or (before.isupper() and not after.isupper()):
        return True
    if before.endswith(_STOPS):
        return len(before) < 0.85 * width or (len(after) < 0.6 * width and not after.endswith(_STOPS))  # then a title
    return len(before) < 0.6 * width


def _glued(before: str, after: str) -> str:
    if not _CUT.search(before):
        return f"{before} {after}"
    if not after[:1].islower():
        return f"{before}{after}"  # « Saint-Étienne »
    keeps = before[-1] != "\u00ad" and _TAILS.match(after)
    return f"{before if keeps else before[:-1]}{after}"
