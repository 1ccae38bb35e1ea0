"""CSV: rows as sentences. The separator is the one that gives most lines the same number of cells."""

import csv
import re
from collections import Counter
from io import StringIO
from itertools import islice
from typing import Final, Literal

from corpus.sources.files.source import Source, finished
from corpus.sources.files.tables import Table
from corpus.sources.files.values import ReadFile

SEPARATORS: Final = ";\t,|"
SAMPLE: Final = 60
LONGEST_CELL: Final = 20_000


def read_csv(source: Source) -> ReadFile:
    """Decimal commas stay in their cells: in « Lyon;3,5 » the comma parts nothing."""
    text = re.sub(r"\Asep=.?\n", "", source.text, flags=re.IGNORECASE)  # a line that Excel writes for itself
    try:
        csv.field_size_limit(LONGEST_CELL)
        table, lines = _read(text, source.limits.rows, quoting=csv.QUOTE_MINIMAL)
    except csv.Error:  # a quote that is never closed, which would swallow all that follows
        csv.field_size_limit(len(text))
        table, lines = _read(text, source.limits.rows, quoting=csv.QUOTE_NONE)
    return finished(source, lines, skipped=table.said(text.rstrip().count("\n") + 1))


def _read(text: str, most: int, *, quoting: Literal[0, 3]) -> tuple[Table, list[str]]:
    table = Table(most)
    rows = csv.reader(StringIO(text, newline="\n"), delimiter=separator(text), quoting=quoting)
    return table, list(table.lines(rows))


def separator(text: str) -> str:
    """The best of `;`, tab, comma and bar; ties go to the first of them, as French files are written."""
    sample = list(islice((line for line in StringIO(text) if line.strip()), SAMPLE))
    return max(SEPARATORS, key=lambda sign: _agreement(sample, sign))


def _agreement(sample: list[str], sign: str) -> float:
    widths = Counter(len(row) for row in csv.reader(sample, delimiter=sign))
    width, lines = max(widths.items(), key=lambda entry: (entry[0] > 1, entry[1]), default=(1, 0))
    return 0.0 if width < 2 else lines + width / 1000
