"""The record as pages: one answer after the other, in the order in which they were asked."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.compliance.entries import COLUMNS, Entry
from bot.printing.pages import new_pages

if TYPE_CHECKING:
    from fpdf import FPDF

_TITLE, _TEXT, _SMALL = 14, 9, 8
_SHORT: Final = 40
"""Characters of a value that shares its line with others."""
_HEAD: Final = frozenset({"réponse", "demandée le", "question"})
"""Said in the heading of each answer."""


def write_pdf(entries: Iterable[Entry], path: Path, *, title: str) -> int:
    """How many answers. Raises `OSError` where the file cannot be written."""
    pages, count = new_pages(title, foot=title), 0
    pages.set_font("text", style="B", size=_TITLE)
    pages.multi_cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
    for entry in entries:
        _answer(pages, entry)
        count += 1
    if not count:
        pages.set_font("text", size=_TEXT)
        pages.multi_cell(0, 5, "Aucune réponse dans cette période.", new_x="LMARGIN", new_y="NEXT")
    pages.output(str(path))
    return count


def _answer(pages: "FPDF", entry: Entry) -> None:
    cells = entry.cells
    pages.ln(4)
    pages.set_font("text", style="B", size=_TEXT)
    pages.multi_cell(0, 5, f"{cells['demandée le']} · {cells['réponse']}", new_x="LMARGIN", new_y="NEXT")
    pages.multi_cell(0, 5, cells["question"], new_x="LMARGIN", new_y="NEXT")
    known = [name for name in COLUMNS if name not in _HEAD and cells[name]]
    short = [name for name in known if len(cells[name]) <= _SHORT and "\n" not in cells[name]]
    pages.set_font("text", size=_SMALL)
    pages.multi_cell(0, 4, " · ".join(f"{name} : {cells[name]}" for name in short), new_x="LMARGIN", new_y="NEXT")
    for name in known:
        if name in short:
            continue
        pages.set_font("text", style="B", size=_SMALL)
        pages.multi_cell(0, 4, f"{name[:1].upper()}{name[1:]}", new_x="LMARGIN", new_y="NEXT")
        pages.set_font("text", size=_SMALL)
        pages.multi_cell(0, 4, cells[name], new_x="LMARGIN", new_y="NEXT")
