"""A saved page: its main text by trafilatura; a page that is all tables (an export) by its tables."""

from collections.abc import Iterator
from typing import Any, Final

from lxml import etree
from lxml.html import HTMLParser, document_fromstring, tostring
from trafilatura import bare_extraction

from corpus.errors import UnreadableFile
from corpus.sources.files.source import Source, finished, shown
from corpus.sources.files.tables import Table
from corpus.sources.files.values import ReadFile
from corpus.sources.hidden import drop_hidden

Node = Any  # lxml's elements: its stubs are not among our types
_SKIPPED = "script style noscript template nav header footer aside form head svg"
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCK = """
    p div section article blockquote quote pre dd dt dl ul ol li item list table head body main address figcaption
    h1 h2 h3 h4 h5 h6
"""
_UNREAD: Final = tuple(_SKIPPED.split())
_BLOCKS: Final = frozenset(_BLOCK.split())
MOSTLY: Final = 0.5


def read_html(source: Source) -> ReadFile:
    """Scripts, styles, menus and what the page would load from elsewhere are left out, and what it does not show."""
    page = _parsed(source)
    drop_hidden(page)
    shown_markup = str(tostring(page, encoding="unicode"))
    title = " ".join((page.findtext(".//title") or "").split())
    for node in list(page.iter(*_UNREAD, etree.Comment, etree.ProcessingInstruction)):
        if node.getparent() is not None:
            node.drop_tree()
    table = Table(source.limits.rows)
    main = None if _all_tables(page) else bare_extraction(shown_markup, include_comments=False, include_tables=True)
    body = getattr(main, "body", None)
    lines = list(_lines(body, table)) if body is not None and len(body) else []
    if not any(line.strip() for line in lines):
        lines = list(_lines(page, table))
    return finished(source, lines, title=title, skipped=table.said())


def _parsed(source: Source) -> Node:
    """The text is decoded already: a charset that the page announces must not decode it again."""
    try:
        parser = HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
        return document_fromstring(source.text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableFile(f"« {shown(source.name)} » ne contient aucun texte.") from error


def _all_tables(page: Node) -> bool:
    tables = sum(
        len(node.text_content()) for node in page.iter("table") if next(node.iterancestors("table"), None) is None
    )
    return bool(tables > MOSTLY * len(page.text_content()))


def _lines(node: Node, table: Table) -> Iterator[str]:
    """HTML's tags and those of trafilatura's own tree, which says `head rend="h2"`, `item`, `row` and `cell`."""
    text: list[str] = [node.text or ""]
    for child in node:
        if isinstance(child.tag, str) and (child.tag in _BLOCKS or child.find(".//table") is not None):
            yield from _said(text)
            text = []
            yield from _block(child, table)
        else:
            text.append(" " if child.tag in ("br", "lb") else _inline(child))
        text.append(child.tail or "")
    yield from _said(text)


def _block(node: Node, table: Table) -> Iterator[str]:
    level = _HEADINGS.get(str(node.get("rend")) if node.tag == "head" else node.tag)
    if level:
        yield from ("", f"{'#' * level} {' '.join(_inline(node).split()).rstrip(' ¶')}", "")
    elif node.tag == "table":
        yield ""
        yield from table.lines(list(_rows(node)))
        yield ""
    elif node.tag in ("li", "item"):
        yield f"- {' '.join(_inline(node).split())}"
    else:
        yield ""
        yield from _lines(node, table)
        yield ""


def _rows(node: Node) -> Iterator[list[str]]:
    """A cell over several columns is followed by empty ones, one over several rows is told in each of them."""
    held: dict[int, tuple[int, str]] = {}
    for row in node.iter("tr", "row"):
        if next(row.iterancestors("table"), None) is not node:
            continue
        cells: list[str] = []
        for cell in row.iterchildren("td", "th", "cell"):
            cells.extend(_held(held, len(cells)))
            text = _inline(cell)
            if (rows := _span(cell, "rowspan")) > 1:
                held[len(cells)] = (rows - 1, text)
            cells.extend([text, *[""] * (_span(cell, "colspan") - 1)])
        cells.extend(_held(held, len(cells)))
        yield cells


def _held(held: dict[int, tuple[int, str]], position: int) -> Iterator[str]:
    while position in held:
        rows, text = held.pop(position)
        if rows > 1:
            held[position] = (rows - 1, text)
        yield text
        position += 1


def _span(cell: Node, name: str) -> int:
    span = str(cell.get(name, ""))
    return max(1, min(int(span), 100)) if span.isdecimal() else 1


def _inline(node: Node) -> str:
    return " ".join(str(text) for text in node.itertext()) if node.tag in _BLOCKS else "".join(node.itertext())


def _said(parts: list[str]) -> Iterator[str]:
    text = " ".join("".join(parts).split()).lstrip("#> ")
    if text:
        yield text
