"""CSV: rows as sentences. The separator is the one that gives most lines the same number of cells."""

import csv
from collections import Counter
from collections.abc import Iterator
from typing import Final

from corpus.sources.files.source import Source, finished
from corpus.sources.files.tables import Table
from corpus.sources.files.values import ReadFile

SEPARATORS: Final = ";\t,|"
SAMPLE: Final = 60


def read_csv(source: Source) -> ReadFile:
    """Decimal commas stay in their cells: in « Lyon;3,5 » the comma parts nothing."""
    lines = source.text.split("\n")
    if lines[0].lower().startswith("sep="):  # a line that Excel writes for itself
        lines = lines[1:]
    table = Table(source.limits.rows)
    return finished(source, list(table.lines(_rows(lines))), skipped=table.said(sum(map(bool, lines))))


def _rows(lines: list[str]) -> Iterator[list[str]]:
    csv.field_size_limit(1_000_000)
    return csv.reader((f"{line}\n" for line in lines), delimiter=separator(lines))


def separator(lines: list[str]) -> str:
    """The best of `;`, tab, comma and bar; ties go to the first of them, as French files are written."""
    sample = [line for line in lines if line.strip()][:SAMPLE]
    return max(SEPARATORS, key=lambda sign: _agreement(sample, sign))


def _agreement(sample: list[str], sign: str) -> float:
    widths = Counter(len(row) for row in csv.reader(sample, delimiter=sign))
    width, lines = max(widths.items(), key=lambda entry: (entry[0] > 1, entry[1]), default=(1, 0))
    return 0.0 if width < 2 else lines + width / 1000
