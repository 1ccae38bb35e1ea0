"""xlsx: the values that the program which wrote it computed; nothing is evaluated, no link is followed."""

from collections.abc import Iterator
from io import BytesIO
from itertools import zip_longest
from typing import Any, Final
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.reader import excel
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from corpus.errors import UnreadableFile
from corpus.sources.files.archive import check_archive, counted
from corpus.sources.files.cells import shown_value
from corpus.sources.files.source import Source, finished, sane_date, shown
from corpus.sources.files.tables import MOST_COLUMNS, Table
from corpus.sources.files.values import ReadFile

_SHEETS: Final = r"xl/worksheets/[^/]+\.xml"
_SHOWN: Final = 5


class _Unmeasured(ReadOnlyWorksheet):  # type: ignore[misc]
    """openpyxl reads all of a sheet to learn its size where the file does not tell it: a minute for a million rows."""

    def _get_size(self) -> None:
        """The size is of no use here: what a file says of it is often wrong."""


def read_xlsx(source: Source) -> ReadFile:
    """Hidden sheets are left out and named: who hid them did not mean them for others."""
    check_archive(source)
    formulas = any(counted(source, _SHEETS, mark) for mark in (b"<f>", b"<f ", b":f>", b":f "))
    excel.ReadOnlyWorksheet = _Unmeasured
    try:
        values = load_workbook(BytesIO(source.data), read_only=True, data_only=True, keep_links=False)
        written = load_workbook(BytesIO(source.data), read_only=True, keep_links=False) if formulas else None
    except (InvalidFileException, BadZipFile, KeyError, ValueError, SyntaxError) as error:
        sentence = "est abîmé : l'ouvrir dans Excel, l'enregistrer, puis l'ajouter."
        raise UnreadableFile(f"« {shown(source.name)} » {sentence}") from error
    table = Table(source.limits.rows)
    skipped: list[str] = []
    lines: list[str] = []
    for sheet in values.worksheets:
        if sheet.sheet_state != "visible":
            skipped.append(f"Feuille masquée « {sheet.title} » non lue.")
            continue
        uncounted: list[str] = []
        rows = _rows(sheet, written[sheet.title] if written else None, uncounted)
        lines += ["", f"## Feuille {sheet.title}", "", *table.lines(rows)]
        if uncounted:
            skipped.append(_without_value(sheet.title, uncounted))
    told = values.properties
    return finished(
        source,
        lines,
        title=told.title or "",
        pages=len(values.worksheets),
        skipped=[*skipped, *table.said(counted(source, _SHEETS, b"<row ") if table.left_out else None)],
        published=sane_date(told.modified or told.created),
    )


def _rows(sheet: Any, written: Any, uncounted: list[str]) -> Iterator[list[str]]:
    """`uncounted` gathers the cells whose formula has no computed value beside it."""
    formulas: Iterator[Any] = iter(())
    if written is not None:
        formulas = written.iter_rows()
    # No `max_col`: with one, each of the empty rows before a cell at the grid's end would be 200 empty cells.
    for row, beside in zip_longest(sheet.iter_rows(), formulas, fillvalue=()):
        for cell in beside[:MOST_COLUMNS]:
            if cell.data_type == "f" and row[cell.column - 1].value is None:
                uncounted.append(cell.coordinate)
        yield [shown_value(cell.value, number_format=cell.number_format or "") for cell in row[:MOST_COLUMNS]]


def _without_value(sheet: str, cells: list[str]) -> str:
    some = ", ".join(cells[:_SHOWN]) + ("…" if len(cells) > _SHOWN else "")
    return (
        f"Feuille « {sheet} » : formules sans valeur enregistrée, non lues ({some}) ; "
        "ouvrir le classeur dans Excel et l'enregistrer les ferait lire."
    )
