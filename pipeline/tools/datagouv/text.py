"""The prose of data.gouv.fr's MCP server -> what it lists: data sets, data services, files, rows. Never shown raw."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pipeline.text.cleaning import inert
from pipeline.tools.web import is_official

MOST_ENTRIES, MOST_ROWS, MOST_CELLS = 3, 20, 60
ITEM: Final = re.compile(r"^\s*\d{1,3}\.\s+(?P<title>\S.*)$")
FIELD: Final = re.compile(r"^ {3}(?P<name>ID|Resource ID|Organization|URL|Format):\s*(?P<value>.*)$")
ROW: Final = re.compile(r"^ {2}Row \d{1,4}:$")
CELL: Final = re.compile(r"^ {4}(?P<name>[^:\n]{1,80}): ?(?P<value>.{0,110})$")
TOTAL: Final = re.compile(r"^Total rows \(Tabular API\): (\d{1,9})$", re.MULTILINE)
HEX_ID: Final = re.compile(r"[0-9a-f-]{24,36}")


@dataclass(frozen=True, slots=True)
class Listed:
    """One data set or data service as listed: title, producer, page on the portal, identifier (empty when odd)."""

    title: str
    producer: str
    url: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """One resource of a data set: title, identifier, format in lower case."""

    title: str
    id: str
    format: str


@dataclass(frozen=True, slots=True)
class Table:
    """What was read of a file: how many rows it has (None: not said), and the rows shown, cells by column."""

    rows: tuple[Mapping[str, str], ...]
    total: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.rows[0]) if self.rows else ()


def read_listed(text: str) -> tuple[Listed, ...]:
    """Entries that have a title and a page on the portal itself; anything else is passed over."""
    found = (
        Listed(clean(e["title"]), clean(e.get("Organization", "")), e.get("URL", ""), _id(e.get("ID", "")))
        for e in _entries(text)
    )
    return tuple(e for e in found if e.title and is_official(e.url, ("data.gouv.fr",)))[:MOST_ENTRIES]


def read_files(text: str) -> tuple[File, ...]:
    """Files with an identifier, in the order of the data set."""
    found = (
        File(clean(e["title"]), _id(e.get("Resource ID", "")), clean(e.get("Format", "")).lower())
        for e in _entries(text)
    )
    return tuple(file for file in found if file.id)


def read_table(text: str) -> Table:
    """Rows as far as they are written as rows; empty when there are none."""
    rows: list[dict[str, str]] = []
    for line in text.splitlines():
        if ROW.match(line):
            if len(rows) == MOST_ROWS:
                break
            rows.append({})
        elif rows and (cell := CELL.match(line)) and len(rows[-1]) < MOST_CELLS:
            rows[-1].setdefault(clean(cell["name"]), clean(cell["value"]))
    total = TOTAL.search(text)
    return Table(tuple(row for row in rows if row), int(total[1]) if total else None)


def clean(text: str) -> str:
    """`inert`, without quotes: it stands between ours."""
    return inert(text.translate(str.maketrans("«»", "  ")))[:120].rstrip(" .,;:")


def _entries(text: str) -> list[dict[str, str]]:
    listed: list[dict[str, str]] = []
    for line in text.splitlines():
        if item := ITEM.match(line):
            listed.append({"title": item["title"]})
        elif listed and (field := FIELD.match(line)):
            listed[-1].setdefault(field["name"], field["value"].strip())
    return listed


def _id(text: str) -> str:
    return text if HEX_ID.fullmatch(text) else ""
