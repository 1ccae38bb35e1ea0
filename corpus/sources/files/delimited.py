"""CSV: rows as sentences. The separator is the one that gives most lines the same number of cells."""

import csv
import re
from collections import Counter
from io import StringIO
from itertools import islice
from typing import Final

from corpus.sources.files.source import Source, finished
from corpus.sources.files.tables import Table
from corpus.sources.files.values import ReadFile

SEPARATORS: Final = ";\t,|"
SAMPLE: Final = 60


def read_csv(source: Source) -> ReadFile:
    """Decimal commas stay in their cells: in « Lyon;3,5 » the comma parts nothing."""
    text = re.sub(r"\Asep=.?\n", "", source.text, flags=re.IGNORECASE)  # a line that Excel writes for itself
    table = Table(source.limits.rows)
    csv.field_size_limit(1_000_000)
    rows = csv.reader(StringIO(text, newline="\n"), delimiter=separator(text))
    lines = list(table.lines(rows))
    return finished(source, lines, skipped=table.said(text.rstrip().count("\n") + 1))


def separator(text: str) -> str:
    """The best of `;`, tab, comma and bar; ties go to the first of them, as French files are written."""
    sample = list(islice((line for line in StringIO(text) if line.strip()), SAMPLE))
    return max(SEPARATORS, key=lambda sign: _agreement(sample, sign))


def _agreement(sample: list[str], sign: str) -> float:
    widths = Counter(len(row) for row in csv.reader(sample, delimiter=sign))
    width, lines = max(widths.items(), key=lambda entry: (entry[0] > 1, entry[1]), default=(1, 0))
    return 0.0 if width < 2 else lines + width / 1000
