"""Zips are weighed before they are opened: bombs, locks and forbidden XML never reach a parser."""

import struct
import zipfile
from io import BytesIO

import pytest

from corpus.errors import UnreadableFile
from corpus.sources.files import archive
from tests.dropped_files import read_here, repacked, word, workbook

HEAVY = "décompressé"


def with_part(content: bytes, *, name: str = "word/extra.xml") -> bytes:
    return repacked(word(), {name: content})


def test_a_bomb_is_not_unpacked() -> None:
    """20 MB of blanks in 20 kB."""
    with pytest.raises(UnreadableFile, match=HEAVY):
        read_here(with_part(b" " * 20_000_000), "a.docx")


def test_a_file_of_a_few_blanks_is_no_bomb() -> None:
    """Small files may compress well."""
    assert read_here(with_part(b" " * 3_000_000), "a.docx").text


def test_what_is_big_once_unpacked_is_refused_whatever_its_ratio() -> None:
    """The total counts too."""
    with pytest.raises(UnreadableFile, match=HEAVY):
        read_here(word(), "a.docx", unzipped_bytes=10_000)


def test_too_many_entries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs memory before anything is read."""
    monkeypatch.setattr(archive, "MOST_ENTRIES", 5)
    with pytest.raises(UnreadableFile, match=HEAVY):
        read_here(word(), "a.docx")


def test_a_size_that_lies_is_found_out() -> None:
    """An entry that says 10 bytes and holds a bomb is cut at 10 bytes, and its checksum tells."""
    data = bytearray(with_part(b" " * 20_000_000))
    for place in _headers(data, b"word/extra.xml"):
        struct.pack_into("<I", data, place, 10)
    with pytest.raises(UnreadableFile, match="est abîmé"):
        read_here(bytes(data), "a.docx")


def test_a_locked_archive_is_said() -> None:
    """The flag of an encrypted entry."""
    data = bytearray(word())
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1
    with pytest.raises(UnreadableFile, match="mot de passe"):
        read_here(bytes(data), "a.docx")


BOMB = (
    """<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>"""
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_that_multiply_never_reach_a_parser(encoding: str) -> None:
    """Office formats forbid document types: the file is refused for having one, in either encoding."""
    bomb = f"<?xml version='1.0' encoding='{encoding}'?>{BOMB}<a>&c;</a>".encode(encoding)
    for data, name in (
        (repacked(word(), {"word/styles.xml": bomb}), "a.docx"),
        (repacked(workbook({"P": [["a"]]}), {"xl/worksheets/sheet1.xml": bomb}), "a.xlsx"),
    ):
        with pytest.raises(UnreadableFile, match="XML interdit"):
            read_here(data, name)


def test_a_document_type_behind_a_long_comment_is_found() -> None:
    """Across the border of two reads."""
    for padding in range(999_990, 1_000_000, 3):
        with pytest.raises(UnreadableFile, match="XML interdit"):
            read_here(with_part(b"<!--" + b"x" * (padding - 7) + b"--><!DOCTYPE a><a/>"), "a.docx")


def _headers(data: bytearray, name: bytes) -> list[int]:
    """Where the unpacked size stands in the entry's two headers."""
    with zipfile.ZipFile(BytesIO(bytes(data))) as opened:
        local = opened.getinfo(name.decode()).header_offset
    return [local + 22, data.rindex(name) - 46 + 24]
