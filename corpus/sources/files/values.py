"""What reading a file gives, and what it may cost."""

from dataclasses import dataclass
from datetime import date
from typing import Final

KINDS = ("pdf", "docx", "xlsx", "xls", "csv", "txt", "md", "html")
OUT_OF_MEMORY: Final = 77
"""Exit code by which the reading process says that memory ran out."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost its reader: a process of its own, killed when it takes more."""

    bytes: int = 50_000_000
    seconds: float = 60.0
    memory_bytes: int = 1_000_000_000
    pages: int = 500
    rows: int = 20_000
    characters: int = 3_000_000
    unzipped_ratio: float = 100.0
    unzipped_bytes: int = 300_000_000


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file's text as Markdown, with a heading for each page or sheet, and what of it was left out.

    `pages`: pages of a PDF, sheets of a workbook; None where the kind has neither. `skipped`: one French sentence each,
    for what was not read and for what its reader should know (a wrong extension, another language). `published`: the
    date that the file says of itself, where it is a possible one.
    """

    kind: str
    title: str
    text: str
    pages: int | None = None
    skipped: tuple[str, ...] = ()
    published: date | None = None
