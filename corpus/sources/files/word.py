"""Word: headings, paragraphs, lists, tables and notes in reading order; macros, fields and links are never run."""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, Final

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.oxml.parser import parse_xml
from docx.package import Package
from lxml import etree

from corpus.errors import UnreadableFile
from corpus.sources.files.archive import check_archive
from corpus.sources.files.source import Source, finished, sane_date, shown
from corpus.sources.files.tables import Table
from corpus.sources.files.values import ReadFile

Node = Any  # lxml's elements: its stubs are not among our types
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UNREAD: Final = frozenset(
    [f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "rPr", "pPr", "tblPr", "sdtPr")]
    + ["{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"]
)
_SPACES: Final = frozenset(f"{_W}{name}" for name in ("tab", "br", "cr", "p"))
_HEADING: Final = re.compile(r"(?:heading|titre) ([1-6])", re.IGNORECASE)


def read_docx(source: Source) -> ReadFile:
    """What was struck out by a reviewer, hidden text, comments, headers and footers are no part of the text."""
    check_archive(source)
    try:
        package = Package.open(BytesIO(source.data))
        main = package.main_document_part
        body = parse_xml(main.blob).find(f"{_W}body")
        told = package.core_properties
        title, day = told.title, told.modified or told.created
    except (OpcError, etree.XMLSyntaxError, KeyError, ValueError, AttributeError) as error:
        raise _damaged(source) from error
    if body is None:
        raise _damaged(source)
    styles = _styles(main)
    table = Table(source.limits.rows)
    lines = [*_lines(body, styles, table), *_notes(main)]
    title = title or next((line.lstrip("# ") for line in lines if line.startswith("# ")), "")
    return finished(source, lines, title=title, skipped=table.said(), published=sane_date(day))


def _damaged(source: Source) -> UnreadableFile:
    return UnreadableFile(f"« {shown(source.name)} » est abîmé : l'ouvrir dans Word, l'enregistrer, puis l'ajouter.")


def _lines(parent: Node, styles: dict[str, str], table: Table) -> Iterator[str]:
    for child in parent:
        if child.tag == f"{_W}p":
            yield from _paragraph(child, styles)
        elif child.tag == f"{_W}tbl":
            yield from ("", *_table(child, styles, table), "")
        elif child.tag not in _UNREAD:  # content controls, insertions: what they hold is text
            yield from _lines(child, styles, table)


def _table(node: Node, styles: dict[str, str], table: Table) -> Iterator[str]:
    rows = [list(_inside(row, "tc")) for row in _inside(node, "tr") if row.find(f"{_W}trPr/{_W}del") is None]
    if max(map(len, rows), default=0) < 2:  # a frame around text
        for cell in (cell for row in rows for cell in row):
            yield from _lines(cell, styles, table)
        return
    cells: list[list[str]] = []
    for row in rows:
        cells.append(_cells(row, above=cells[-1] if cells else []))
    yield from table.lines(cells)


def _inside(node: Node, name: str) -> Iterator[Node]:
    """Rows of a table or cells of a row, within content controls and insertions too, but not those of inner tables."""
    for child in node:
        if child.tag == f"{_W}{name}":
            yield child
        elif child.tag not in _UNREAD and child.tag != f"{_W}tbl":
            yield from _inside(child, name)


def _paragraph(node: Node, styles: dict[str, str]) -> Iterator[str]:
    text = " ".join("".join(_text(node)).split())
    if not text:
        return
    style = styles.get(_value(node, "pPr/pStyle"), "")
    level = _HEADING.match(style)
    if level or style.lower() in ("title", "titre"):
        yield from ("", f"{'#' * (int(level.group(1)) + 1 if level and int(level.group(1)) < 6 else 1)} {text}", "")
    elif style.lower().startswith("list") or node.find(f"{_W}pPr/{_W}numPr") is not None:
        yield f"- {text}"
    else:
        yield from ("", text.lstrip("#> "), "")


def _text(node: Node) -> Iterator[str]:
    for child in node:
        if child.tag in _UNREAD or (child.tag == f"{_W}r" and child.find(f"{_W}rPr/{_W}vanish") is not None):
            continue
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag == f"{_W}noBreakHyphen":
            yield "-"
        else:
            yield from _text(child)
        if child.tag in _SPACES:
            yield " "


def _cells(row: Sequence[Node], *, above: Sequence[str]) -> list[str]:
    """One a column of the grid: a cell over several columns is followed by empty ones, one over several rows is told
    in each of them."""
    cells: list[str] = []
    for cell in row:
        merged = cell.find(f"{_W}tcPr/{_W}vMerge")
        goes_on = merged is not None and merged.get(f"{_W}val", "continue") == "continue"
        cells.append(above[len(cells)] if goes_on and len(cells) < len(above) else "".join(_text(cell)))
        span = _value(cell, "tcPr/gridSpan")
        cells.extend([""] * (min(int(span), 100) - 1 if span.isdigit() else 0))
    return cells


def _value(node: Node, path: str) -> str:
    found = node.find("/".join(f"{_W}{step}" for step in path.split("/")))
    return "" if found is None else str(found.get(f"{_W}val", ""))


def _styles(main: Any) -> dict[str, str]:
    """Style ids are translated with Word's language, the built-in names are not."""
    return {
        str(style.get(f"{_W}styleId")): _value(style, "name")
        for root in _related(main, RELATIONSHIP_TYPE.STYLES)
        for style in root.iter(f"{_W}style")
    }


def _notes(main: Any) -> Iterator[str]:
    notes = [
        text
        for kind in (RELATIONSHIP_TYPE.FOOTNOTES, RELATIONSHIP_TYPE.ENDNOTES)
        for root in _related(main, kind)
        for note in root
        if note.get(f"{_W}type", "normal") == "normal" and (text := " ".join("".join(_text(note)).split()))
    ]
    if notes:
        yield from ("", "## Notes", "", *(f"- {note}" for note in notes))


def _related(main: Any, kind: str) -> Iterator[Node]:
    for relation in main.rels.values():
        if relation.reltype == kind and not relation.is_external:
            yield parse_xml(relation.target_part.blob)
