"""Rows -> Markdown that reads as sentences: `- Commune : Lyon ; Prix : 3 500 €.`, one a row."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final

from corpus.sources.files.source import grouped

HEADER_AMONG: Final = 12
"""How many first rows may hold titles and notes before the one that names the columns."""
MOST_WORDS: Final = 90
"""A longer row is cut between cells: chunking keeps a sentence whole, and one over its limit stands alone."""
MOST_COLUMNS: Final = 200
_NUMBER: Final = re.compile(r"[-+−]?[\d\s\u00a0\u202f.,]*\d\s*(?:[%€]|[mk]?€|m²)?|\d{1,4}[-/]\d{1,2}[-/]\d{1,4}")
_QUANTITY: Final = re.compile(r"[-+−]?\d")
_UNKNOWN: Final = frozenset({"n.d.", "nd", "n.c.", "nc", "n/a", "na", "-", "–", "—", "s", "ns", "..", "…"})


@dataclass(slots=True)
class Table:
    """Reads the rows of a file's tables one by one, up to `rows` in all; `left_out`: whether there were more."""

    rows: int
    read: int = 0
    left_out: bool = False
    columns: tuple[str, ...] = field(default=())

    def lines(self, rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Markdown lines. Rows above the header come as they are; empty rows and cells are left out."""
        self.columns = ()
        filled = self._counted(tidy for row in rows if any(tidy := [_cell(cell) for cell in row[:MOST_COLUMNS]]))
        waiting = list(islice(filled, HEADER_AMONG))
        if _are_pairs(waiting):
            for row in chain(waiting, filled):
                yield f"- {_ended(' : '.join(cell.rstrip(' :') for cell in row if cell))}"
            return
        start = _header(waiting)
        for row in waiting[: start or 0]:
            yield _prose(row)
            yield ""
        if start is not None:
            self.columns = tuple(_named(waiting[start]))
        for row in waiting[0 if start is None else start + 1 :]:
            yield from self._sentences(row)
        for row in filled:
            yield from self._sentences(row)

    def _counted(self, rows: Iterable[list[str]]) -> Iterator[list[str]]:
        for row in rows:
            if self.read >= self.rows:
                self.left_out = True
                return
            self.read += 1
            yield row

    def said(self, rows: int | None = None) -> list[str]:
        """What was left out, where the rows did not end before the limit; `rows`: how many there were."""
        if not self.left_out:
            return []
        of = f" sur {grouped(rows)}" if rows else ""
        return [f"Seules les {grouped(self.rows)} premières lignes{of} ont été lues."]

    def _sentences(self, row: Sequence[str]) -> Iterator[str]:
        pairs = [(self._name(position), cell) for position, cell in enumerate(row) if cell]
        if len(pairs) == 1 and (not self.columns or len(self.columns) > 2):  # a subtitle or a note within the table
            yield f"- {_ended(pairs[0][1])}"
            return
        parts: list[str] = []
        words = 0
        for name, cell in pairs:
            part = f"{name} : {cell}"
            size = len(part.split()) + 1
            if parts and words + size > MOST_WORDS:
                yield f"- {_ended(' ; '.join(parts))}"
                parts = parts[:1]  # what the row is about, again
                words = len(parts[0].split())
            parts.append(part)
            words += size
        yield f"- {_ended(' ; '.join(parts))}"

    def _name(self, position: int) -> str:
        name = self.columns[position] if position < len(self.columns) else ""
        return name or f"Colonne {position + 1}"


def _are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether two columns are labels and their values (« Surface | 45 m² », « Vendeur | M. Durand »), which no row
    names: the values are of several kinds, or the labels end with a colon."""
    pairs = [row[:2] for row in rows if len(row) > 1 and all(row[:2])]
    if len(pairs) < 2 or any(any(row[2:]) for row in rows):
        return False
    known = [value for _, value in pairs[1:] if value.lower() not in _UNKNOWN]
    quantities = sum(bool(_QUANTITY.match(value)) for value in known)
    return 0 < quantities < len(known) or all(label.endswith(":") for label, _ in pairs)


def _header(rows: Sequence[Sequence[str]]) -> int | None:
    """The first row as wide as most, made of words only, with rows below it; None where there is no such row."""
    widths = sorted(sum(1 for cell in row if cell) for row in rows)
    usual = widths[len(widths) // 2] if widths else 0
    for position, row in enumerate(rows):
        cells = [cell for cell in row if cell]
        if len(cells) < max(2 if usual > 1 else 1, 0.6 * usual):
            continue
        words = [cell for cell in cells if not _NUMBER.fullmatch(cell)]
        years = len(words) < len(cells) and words and all(re.fullmatch(r"(?:19|20)\d\d", c) for c in cells[1:])
        return position if (len(words) == len(cells) or years) and position + 1 < len(rows) else None
    return None


def _named(row: Sequence[str]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for cell in row:
        name = cell.rstrip(" :;.")[:80]
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 or not name else f"{name} ({seen[name]})"


def _cell(cell: str) -> str:
    return " ".join(cell.split()).strip(" |")


def _prose(row: Sequence[str]) -> str:
    return _ended(" ; ".join(cell for cell in row if cell))


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."
