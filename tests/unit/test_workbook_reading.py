"""Workbooks, new and old: computed values beside their columns; formulas, links and hidden sheets are left alone."""

from datetime import date, datetime
from io import BytesIO
from zipfile import ZipFile

import openpyxl
import pytest

from corpus.errors import UnreadableFile
from tests.dropped_files import compound, old_workbook, read_here, repacked, workbook, zipped

ROWS = [["Commune", "Prix"], ["Lyon", 3500.5], ["Nice", 4200]]


def test_each_sheet_is_a_heading_and_each_row_a_sentence() -> None:
    """The heading path cites the sheet."""
    read = read_here(workbook({"Prix 2024": ROWS, "Prix 2025": ROWS}), "prix.xlsx")
    assert read.pages == 2
    assert "## Feuille Prix 2024\n\n- Commune : Lyon ; Prix : 3500,5.\n- Commune : Nice ; Prix : 4200." in read.text
    assert "## Feuille Prix 2025" in read.text


def test_percents_euros_and_dates_read_as_they_are_shown() -> None:
    """0.035 shown as 3.5 % would be read as a rate of 0.035 %."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Taux", "Loyer", "Le", "À", "Meublé", "Marge"])
    sheet.append([0.035, 168_850.5, date(2025, 3, 4), datetime(2025, 3, 4, 9, 30), True, 0.1 + 0.2])
    sheet["A2"].number_format = "0.0%"
    sheet["B2"].number_format = '#,##0 "€"'
    out = BytesIO()
    book.save(out)
    assert (
        "- Taux : 3,5 % ; Loyer : 168 850,5 € ; Le : 04/03/2025 ; À : 04/03/2025 09:30 ; Meublé : vrai ; Marge : 0,3."
        in read_here(out.getvalue(), "a.xlsx").text
    )


def test_a_formula_is_never_computed_and_its_saved_value_is_read() -> None:
    """Without a saved value it is named, with what would make it readable."""
    data = workbook({"Prix": [["Commune", "Prix", "Double"], ["Lyon", 2, "=B2*2"], ["Nice", 3, "=B3*2"]]})
    read = read_here(data, "a.xlsx")
    assert "- Commune : Lyon ; Prix : 2." in read.text
    assert "formules sans valeur enregistrée, non lues (C2, C3)" in read.skipped[0]
    sheet = "xl/worksheets/sheet1.xml"
    saved = repacked(data, {sheet: _part(data, sheet).replace(b"<f>B2*2</f><v></v>", b"<f>B2*2</f><v>4</v>")})
    again = read_here(saved, "a.xlsx")
    assert "- Commune : Lyon ; Prix : 2 ; Double : 4." in again.text
    assert "(C3)" in again.skipped[0]


def test_error_values_are_no_values() -> None:
    """« #N/A » is the absence of a figure."""
    assert "#" not in read_here(
        workbook({"P": [["Commune", "Prix"], ["Lyon", "#N/A"], ["Nice", 1]]}), "a.xlsx"
    ).text.replace("## ", "")


def test_hidden_sheets_are_named_and_not_read() -> None:
    """Who hid them did not mean them for a channel."""
    data = workbook({"Prix": ROWS, "Clients": [["Nom"], ["Durand"]]}, hidden=["Clients"])
    for read in (
        read_here(data, "a.xlsx"),
        read_here(
            old_workbook({"Prix": [["Commune"], ["Lyon"]], "Clients": [["Durand"]]}, hidden=["Clients"]), "a.xls"
        ),
    ):
        assert "Durand" not in read.text
        assert read.skipped == ("Feuille masquée « Clients » non lue.",)


def test_rows_are_counted_over_all_sheets() -> None:
    """The limit is a file's."""
    read = read_here(workbook({"A": ROWS, "B": ROWS}), "a.xlsx", rows=4)
    assert read.text.count("- Commune") == 2
    assert read.skipped == ("Seules les 4 premières lignes sur 6 ont été lues.",)


def test_a_cell_at_the_far_end_costs_nothing() -> None:
    """One cell in the last row of the grid makes a million empty rows before it."""
    data = workbook({"A": ROWS})
    sheet = "xl/worksheets/sheet1.xml"
    far = b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>loin</t></is></c></row></sheetData>'
    read = read_here(repacked(data, {sheet: _part(data, sheet).replace(b"</sheetData>", far)}), "a.xlsx")
    assert "- Commune : Nice ; Prix : 4200." in read.text


def test_a_sheet_is_read_no_further_than_the_limit() -> None:
    """Nor to learn its size: what stands behind the limit is not even looked at."""
    data = workbook({"A": [*ROWS, *([f"Ville {number}", number] for number in range(9000))]})
    sheet = "xl/worksheets/sheet1.xml"
    content = _part(data, sheet)
    assert b"<dimension" not in content
    place = content.index(b"Ville 8000")
    read = read_here(repacked(data, {sheet: content[:place] + b"</oops>" + content[place:]}), "a.xlsx", rows=10)
    assert "- Commune : Nice ; Prix : 4200." in read.text
    assert read.skipped == ("Seules les 10 premières lignes sur 9 003 ont été lues.",)


def test_an_old_workbook_is_read_like_a_new_one() -> None:
    """BIFF8: texts, numbers, percents and dates."""
    rows: list[list[str | float]] = [["Commune", "Prix", "Taux", "Le"], ["Nîmes", 3500.5, "3.5%", "@45000"]]
    read = read_here(old_workbook({"Prix": rows}), "prix.xls")
    assert read.text == "## Feuille Prix\n\n- Commune : Nîmes ; Prix : 3500,5 ; Taux : 3,5 % ; Le : 15/03/2023."
    assert read.pages == 1


def test_a_locked_old_workbook_is_said() -> None:
    """FILEPASS, [MS-XLS] 2.4.117, opens a workbook behind a password."""
    data = old_workbook({"Prix": [["Commune"], ["Lyon"]]})
    place = data.index(b"\x42\x00\x02\x00\xb0\x04")
    locked = data[:place] + b"\x2f\x00\x02\x00\x00\x00" + data[place + 6 :]
    with pytest.raises(UnreadableFile, match="mot de passe"):
        read_here(locked, "a.xls")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xls", compound("Workbook", b"\x01\x02\x03")),
        ("a.xls", old_workbook({"P": [["a"]]})[:1700]),
        ("a.xlsx", zipped({"xl/workbook.xml": b"<a/>"})),
        ("a.xlsx", workbook({"P": ROWS})[:-100]),
    ],
    ids=["no-biff", "cut-xls", "no-parts", "cut-xlsx"],
)
def test_a_broken_workbook_is_refused_in_one_sentence(name: str, data: bytes) -> None:
    """With what to do."""
    with pytest.raises(UnreadableFile, match="est abîmé"):
        read_here(data, name)


def _part(data: bytes, name: str) -> bytes:
    with ZipFile(BytesIO(data)) as archive:
        return archive.read(name)
