"""Files as people drop them, made byte by byte: PDFs, Office files, old workbooks, bombs."""

import struct
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

import docx
import openpyxl

from corpus.sources.files.kinds import read, recognised
from corpus.sources.files.values import Limits, ReadFile

PROSE = (
    "Le bailleur qui loue un logement meublé déclare ses recettes dans la catégorie des bénéfices industriels et "
    "commerciaux. Il peut choisir le régime réel, qui lui permet de déduire ses charges et l'amortissement du bien."
)


def read_here(data: bytes, name: str, **limits: Any) -> ReadFile:
    """In this process: for tests of what a reader makes of a file, not of where it runs."""
    return read(recognised(data, name=name, limits=Limits(**limits)))


def pdf(pages: Iterable[Sequence[str] | None], *, info: str = "", catalog: str = "") -> bytes:
    """One list of lines a page; None for a page that is only a scanned image. `info`, `catalog`: more entries."""
    bodies: list[bytes] = [f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode(), b"", b"", b"", b""]
    bodies[2] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    bodies[3] = _stream(
        b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"\x00"
    )
    bodies[4] = f"<< {info} >>".encode("latin-1")
    kids = []
    for lines in pages:
        content = b"q 500 0 0 700 50 50 cm /Im1 Do Q" if lines is None else _content(lines) if lines else b""
        bodies.append(_stream(b"", content))
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(bodies)} 0 R "
            f"/Resources << {'/XObject << /Im1 4 0 R >>' if lines is None else '/Font << /F1 3 0 R >>'} >> >>".encode()
        )
        kids.append(f"{len(bodies)} 0 R")
    bodies[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(bodies) + 1, table)
    out += b"trailer << /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, start)
    return bytes(out)


def _content(lines: Sequence[str]) -> bytes:
    shown = b"".join(
        b"(%s) Tj T*\n" % line.encode("cp1252").replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
        for line in lines
    )
    return b"BT /F1 11 Tf 14 TL 50 780 Td\n%sET" % shown


def _stream(entries: bytes, content: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(content), content)


def zipped(parts: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return out.getvalue()


def repacked(data: bytes, changes: Mapping[str, bytes]) -> bytes:
    """An Office file with some of its parts replaced or added."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return zipped({**parts, **changes})


def word(paragraphs: Iterable[tuple[str, str]] = (("Normal", PROSE),), *, rows: Sequence[Sequence[str]] = ()) -> bytes:
    """(style, text) pairs, then one table."""
    document = docx.Document()
    for style, text in paragraphs:
        document.add_paragraph(text, style=style)
    if rows:
        table = document.add_table(rows=len(rows), cols=len(rows[0]))
        for line, row in enumerate(rows):
            for column, cell in enumerate(row):
                table.cell(line, column).text = cell
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def workbook(sheets: Mapping[str, Iterable[Sequence[Any]]], *, hidden: Sequence[str] = ()) -> bytes:
    """Cells that begin with = are formulas, without a computed value: openpyxl evaluates nothing."""
    book = openpyxl.Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        if name in hidden:
            sheet.sheet_state = "hidden"
        for row in rows:
            sheet.append(list(row))
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def compound(stream: str, content: bytes) -> bytes:
    """An OLE compound file with one stream: [MS-CFB] in its smallest form (no mini stream, one FAT sector)."""
    content = content.ljust(4096, b"\x00")
    content += b"\x00" * (-len(content) % 512)
    sectors = len(content) // 512
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, sectors + 2), 0xFFFFFFFE]
    fat = struct.pack("<128I", *chain, *[0xFFFFFFFF] * (128 - len(chain)))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    root = _entry("Root Entry", kind=5, child=1, start=0xFFFFFFFE, size=0)
    directory = root + _entry(stream, kind=2, child=0xFFFFFFFF, start=2, size=len(content)) + bytes(256)
    return header + fat + directory + content


def _entry(name: str, *, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le") + b"\x00\x00"
    links = struct.pack("<3I", 0xFFFFFFFF, 0xFFFFFFFF, child)
    return (
        text.ljust(64, b"\x00")
        + struct.pack("<HBB", len(text), kind, 1)
        + links
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )


def old_workbook(sheets: Mapping[str, Sequence[Sequence[str | float]]], *, hidden: Sequence[str] = ()) -> bytes:
    """BIFF8 ([MS-XLS]): texts and numbers. A number written as a string that ends in % has a percent format; one that
    begins with @ is a date's serial number."""
    formats = _record(0x41E, struct.pack("<HHB", 164, 10, 0) + b"dd/mm/yyyy") + _record(
        0x41E, struct.pack("<HHB", 165, 4, 0) + b"0.0%"
    )
    styles = b"".join(_record(0xE0, struct.pack("<HHH", 0, key, 1) + bytes(14)) for key in (0, 164, 165))
    fonts = _record(0x31, struct.pack("<HHHHHBBBBBB", 200, 0, 8, 400, 0, 0, 0, 0, 0, 5, 0) + b"Arial")
    opening = (
        _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
        + _record(0x42, b"\xb0\x04")
        + fonts
        + formats
        + styles
    )
    bodies = [_sheet(rows) for rows in sheets.values()]
    size = len(opening) + sum(12 + 2 * len(name) for name in sheets) + 4
    listed, place = b"", size
    for (name, _), body in zip(sheets.items(), bodies, strict=True):
        state = int(name in hidden)
        listed += _record(0x85, struct.pack("<IBBBB", place, state, 0, len(name), 1) + name.encode("utf-16-le"))
        place += len(body)
    return compound("Workbook", opening + listed + _record(0x0A, b"") + b"".join(bodies))


def _sheet(rows: Sequence[Sequence[str | float]]) -> bytes:
    out = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for line, row in enumerate(rows):
        for column, cell in enumerate(row):
            if isinstance(cell, str) and cell[-1:] == "%":
                out += _record(0x203, struct.pack("<HHHd", line, column, 2, float(cell[:-1]) / 100))
            elif isinstance(cell, str) and cell[:1] == "@":
                out += _record(0x203, struct.pack("<HHHd", line, column, 1, float(cell[1:])))
            elif isinstance(cell, str):
                text = struct.pack("<HB", len(cell), 1) + cell.encode("utf-16-le")
                out += _record(0x204, struct.pack("<HHH", line, column, 0) + text)
            else:
                out += _record(0x203, struct.pack("<HHHd", line, column, 0, cell))
    return out + _record(0x0A, b"")


def _record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body
