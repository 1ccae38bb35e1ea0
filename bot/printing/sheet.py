"""An answer as a sheet for a client: letterhead, question, text with its sources and dates, and what it is not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from bot.printing.pages import ACCENT, GREY, INK, new_pages

if TYPE_CHECKING:
    from fpdf import FPDF

PARIS: Final = ZoneInfo("Europe/Paris")
TITLE: Final = "Note d'information"
CAUTION: Final = (
    "Ce document restitue des textes et des données publiques à leurs dates, telles que citées. C'est une information "
    "générale : il ne constitue ni un conseil personnalisé, ni une recommandation, ni une offre, et ne remplace pas "
    "l'étude de la situation de la personne."
)
NARROW: Final = "\u202f"
_ROW: Final = re.compile(r"^\|(.+)\|\s*$")
_RULE: Final = re.compile(r"^\|[ :|-]+\|\s*$")
_LINK: Final = re.compile(r"\[([^\]\n]+)\]\((https?://[^)\s]+)\)")
BODY, SMALL, LINE, SMALL_LINE = 10, 8, 5.4, 4.2
KEPT: Final = 4 * LINE
"""Millimetres that a heading needs with the lines below it."""
PICTURE_WIDTH: Final = 0.6
"""Of the page's text."""
LOGO_WIDTH, LOGO_HEIGHT = 50, 16


@dataclass(frozen=True, slots=True)
class Letterhead:
    """`lines`: the firm's name, then its address and registrations; `logo`: a PNG or JPEG file, or None."""

    lines: tuple[str, ...] = ()
    logo: Path | None = None


def sheet(
    row: Mapping[str, Any], *, letterhead: Letterhead, reference: str, pictures: Sequence[tuple[bytes, str]] = ()
) -> bytes:
    """PDF of the answer of this row; `pictures`: a PNG and its words each. Blocking: use a thread."""
    record = row["record"] or {}
    pages = new_pages(TITLE, foot=f"{letterhead.lines[0]} · {reference}" if letterhead.lines else reference)
    _head(pages, letterhead)
    _title(pages, row)
    for kind, lines in blocks_of(row["text"] or ""):
        _block(pages, kind, lines)
    for drawn, words in pictures:
        pages.ln(2)
        pages.image(drawn, w=PICTURE_WIDTH * pages.epw, alt_text=words)
    _formulas(pages, record)
    _sources(pages, record.get("citations") or ())
    _missing(pages, record)
    _small(pages, CAUTION, above=4)
    return bytes(pages.output())


def blocks_of(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """(heading | bullet | table | text, its lines) of an answer's Markdown, in their order."""
    table: list[str] = []
    for line in (*markdown.splitlines(), ""):
        if _ROW.match(line):
            table.append(line)
            continue
        if table:
            yield "table", table
            table = []
        if not line.strip():
            continue
        if line.startswith("#"):
            yield "heading", [line.lstrip("# ")]
        elif re.match(r"\s*[-*] ", line):
            yield "bullet", [re.sub(r"^\s*[-*] ", "", line)]
        else:
            yield "text", [line]


def _head(pages: "FPDF", letterhead: Letterhead) -> None:
    if letterhead.logo is not None:
        left, top = pages.w - pages.r_margin - LOGO_WIDTH, pages.t_margin
        pages.image(letterhead.logo, x=left, y=top, w=LOGO_WIDTH, h=LOGO_HEIGHT, keep_aspect_ratio=True)
    for number, line in enumerate(letterhead.lines):
        pages.set_font("text", style="B" if number == 0 else "", size=BODY if number == 0 else SMALL)
        pages.set_text_color(*(ACCENT if number == 0 else GREY))
        pages.cell(0, LINE if number == 0 else SMALL_LINE, line, new_x="LMARGIN", new_y="NEXT")
    pages.set_text_color(*INK)
    bottom = pages.t_margin + (LOGO_HEIGHT if letterhead.logo is not None else 0)
    pages.set_y(max(pages.get_y(), bottom) + 3)
    pages.set_draw_color(*ACCENT)
    pages.line(pages.l_margin, pages.get_y(), pages.w - pages.r_margin, pages.get_y())
    pages.ln(4)


def _title(pages: "FPDF", row: Mapping[str, Any]) -> None:
    asked = datetime.fromisoformat(row["answered_at"] or row["asked_at"]).astimezone(PARIS)
    pages.set_font("text", style="B", size=15)
    pages.set_text_color(*ACCENT)
    pages.multi_cell(0, 8, TITLE, new_x="LMARGIN", new_y="NEXT")
    pages.set_text_color(*INK)
    _small(pages, f"Établie le {asked:%d/%m/%Y}", above=0)
    pages.ln(2)
    pages.set_font("text", style="I", size=BODY)
    pages.multi_cell(0, LINE, plain(" ".join(str(row["question"]).split())), new_x="LMARGIN", new_y="NEXT")
    pages.ln(2)


def _block(pages: "FPDF", kind: str, lines: list[str]) -> None:
    if kind == "table":
        _table(pages, [[plain(cell) for cell in _cells(line)] for line in lines if not _RULE.match(line)])
        return
    text = plain(lines[0])
    if kind == "heading":
        _with_next(pages)
        pages.ln(2)
        pages.set_font("text", style="B", size=BODY + 1)
        pages.set_text_color(*ACCENT)
        pages.multi_cell(0, LINE + 1, text, new_x="LMARGIN", new_y="NEXT")
        pages.set_text_color(*INK)
        return
    pages.set_font("text", size=BODY)
    indent = 5 if kind == "bullet" else 0
    if indent:
        pages.cell(indent, LINE, "•")
    pages.multi_cell(pages.epw - indent, LINE, text, align="L", markdown=True, new_x="LMARGIN", new_y="NEXT")
    pages.ln(1)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _table(pages: "FPDF", rows: list[list[str]]) -> None:
    wide = max(map(len, rows))
    pages.ln(1)
    pages.set_font("text", size=SMALL + 0.5)
    with pages.table(line_height=LINE, markdown=True, borders_layout="HORIZONTAL_LINES") as table:
        for row in rows:
            table.row([*row, *[""] * (wide - len(row))])
    pages.ln(2)


def _formulas(pages: "FPDF", record: Mapping[str, Any]) -> None:
    """How figures that code worked out came about."""
    told = [f"{entry['label']} : {entry['formula']}" for entry in record.get("ledger") or () if entry.get("formula")]
    if told:
        _heading(pages, "Calculs")
        for line in dict.fromkeys(told):
            _small(pages, plain(line), above=0)


def _sources(pages: "FPDF", citations: Sequence[Mapping[str, Any]]) -> None:
    if not citations:
        return
    _heading(pages, "Sources")
    for citation in citations:
        dated = f", {datetime.fromisoformat(citation['as_of']):%d/%m/%Y}" if citation.get("as_of") else ""
        _small(pages, f"[{citation['id']}] {citation['title']}{dated}\n{citation['url']}".strip(), above=0)


def _missing(pages: "FPDF", record: Mapping[str, Any]) -> None:
    """What a source did not say: a reader must not take silence for an answer."""
    gaps = [gap for gap in record.get("degraded") or () if not gap.startswith("Sans modèle")]
    if gaps:
        _heading(pages, "Ce qui manquait")
        for gap in gaps:
            _small(pages, plain(gap), above=0)


def _with_next(pages: "FPDF") -> None:
    """A heading never stands alone at the foot of a page."""
    if pages.will_page_break(KEPT):
        pages.add_page()


def _heading(pages: "FPDF", text: str) -> None:
    _with_next(pages)
    pages.ln(3)
    pages.set_font("text", style="B", size=BODY - 1)
    pages.set_text_color(*ACCENT)
    pages.cell(0, LINE, text, new_x="LMARGIN", new_y="NEXT")
    pages.set_text_color(*INK)


def _small(pages: "FPDF", text: str, *, above: float) -> None:
    pages.ln(above)
    pages.set_font("text", size=SMALL)
    pages.set_text_color(*GREY)
    pages.multi_cell(0, SMALL_LINE, text, align="L", new_x="LMARGIN", new_y="NEXT")
    pages.set_text_color(*INK)


def plain(text: str) -> str:
    """As it can be printed: a link as its words, no invisible signs, spaces that the font has; `**` stays bold, while
    other marks of the library's own Markdown are broken up."""
    shown = _LINK.sub(r"\1", text).replace(NARROW, "\u00a0")
    shown = re.sub("[\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", "", shown)
    return re.sub(r"__|--|~~|\]\(", lambda found: "\u2009".join(found.group()), shown)
