"""Markdown without the front matter; a table's rows become sentences, as chunking knows no tables."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from corpus.sources.files.source import Source, finished
from corpus.sources.files.tables import Table
from corpus.sources.files.values import ReadFile

FRONT_MATTER: Final = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE: Final = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*$", re.MULTILINE)
_FIRST_HEADING: Final = re.compile(r"\A\s*#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_ROW: Final = re.compile(r"^ {0,3}\|.*\|[ \t]*$")
_DIVIDER: Final = re.compile(r"^[\s|:-]+$")
_CELL_END: Final = re.compile(r"(?<!\\)\|")


def read_markdown(source: Source) -> ReadFile:
    """The title is the front matter's, else the first heading, else the file's name."""
    front = FRONT_MATTER.match(source.text)
    body = source.text[front.end() :] if front else source.text
    titled = (_TITLE.search(front.group(1)) if front else None) or _FIRST_HEADING.match(body)
    table = Table(source.limits.rows)
    return finished(source, list(_lines(body, table)), title=titled.group(1) if titled else "", skipped=table.said())


def _lines(body: str, table: Table) -> Iterator[str]:
    for is_row, lines in groupby(body.split("\n"), lambda line: bool(_ROW.match(line))):
        if is_row:
            yield from table.lines(_cells(line) for line in lines if not _DIVIDER.match(line))
        else:
            yield from lines


def _cells(row: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in _CELL_END.split(row.strip()[1:-1])]
