"""xls: the values that Excel computed, sheet by sheet."""

import struct
from collections.abc import Iterator
from io import StringIO
from typing import Any

import xlrd

from corpus.errors import UnreadableFile
from corpus.sources.files.cells import shown_value
from corpus.sources.files.source import Source, finished, shown
from corpus.sources.files.tables import MOST_COLUMNS, Table
from corpus.sources.files.values import ReadFile


def read_xls(source: Source) -> ReadFile:
    """Hidden sheets are left out and named, as in a new workbook."""
    book = _opened(source)
    table = Table(source.limits.rows)
    skipped: list[str] = []
    lines: list[str] = []
    for sheet in book.sheets():
        if sheet.visibility:
            skipped.append(f"Feuille masquée « {sheet.name} » non lue.")
            continue
        lines += ["", f"## Feuille {sheet.name}", "", *table.lines(_rows(book, sheet))]
    return finished(
        source, lines, pages=book.nsheets, skipped=[*skipped, *table.said(sum(sheet.nrows for sheet in book.sheets()))]
    )


def _opened(source: Source) -> Any:
    try:
        return xlrd.open_workbook(file_contents=source.data, logfile=StringIO(), formatting_info=True)
    except (xlrd.XLRDError, xlrd.compdoc.CompDocError, struct.error, AssertionError, LookupError, ValueError) as error:
        if "encrypted" in str(error):
            sentence = "est protégé par un mot de passe : l'enregistrer sans, puis l'ajouter."
        else:
            sentence = "est abîmé : l'ouvrir dans Excel, l'enregistrer en .xlsx, puis l'ajouter."
        raise UnreadableFile(f"« {shown(source.name)} » {sentence}") from error


def _rows(book: Any, sheet: Any) -> Iterator[list[str]]:
    for number in range(sheet.nrows):
        yield [_shown(book, cell) for cell in sheet.row(number)[:MOST_COLUMNS]]


def _shown(book: Any, cell: Any) -> str:
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return ""
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return shown_value(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            return shown_value(xlrd.xldate_as_datetime(cell.value, book.datemode))
        except (xlrd.xldate.XLDateError, OverflowError):
            return shown_value(cell.value)
    return shown_value(cell.value, number_format=_format(book, cell))


def _format(book: Any, cell: Any) -> str:
    try:
        return str(book.format_map[book.xf_list[cell.xf_index].format_key].format_str)
    except (LookupError, TypeError):
        return ""
