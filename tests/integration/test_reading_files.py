"""`read_file`: every kind is read in a process of its own, and whatever is bad ends in one French sentence."""

import contextlib
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.errors import UnreadableFile
from corpus.sources.files.reading import read_file
from corpus.sources.files.values import KINDS, Limits, ReadFile
from tests.dropped_files import PROSE, old_workbook, pdf, repacked, word, workbook

GOOD = {
    "pdf": pdf([[PROSE[:90], PROSE[90:180]], ["Page deux"]]),
    "docx": word(),
    "xlsx": workbook({"Prix": [["Commune", "Prix"], ["Lyon", 3500]]}),
    "xls": old_workbook({"Prix": [["Commune", "Prix"], ["Lyon", 3500.0]]}),
    "csv": "Commune;Prix\nNîmes;3500\n".encode("cp1252"),
    "txt": PROSE.encode(),
    "md": f"# Titre\n\n{PROSE}".encode(),
    "html": f"<html><body><p>{PROSE}</p></body></html>".encode(),
}


async def given_file(folder: Path, name: str, data: bytes, **limits: Any) -> ReadFile:
    path = folder / "dropped"
    path.write_bytes(data)
    return await read_file(path, name=name, limits=Limits(**limits))


async def refusal(folder: Path, name: str, data: bytes, **limits: Any) -> str:
    with pytest.raises(UnreadableFile) as refused:
        await given_file(folder, name, data, **limits)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Error" not in sentence
    return sentence


@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_is_read(tmp_path: Path, kind: str) -> None:
    """Within the default limits, in a process of its own."""
    read = await given_file(tmp_path, f"fichier.{kind}", GOOD[kind])
    assert read.kind == kind
    assert "Lyon" in read.text or "Nîmes" in read.text or "bailleur" in read.text
    assert read.skipped == ()


async def test_an_empty_file_is_said(tmp_path: Path) -> None:
    """Nothing to read."""
    assert await refusal(tmp_path, "rien.pdf", b"") == "« rien.pdf » est vide."


async def test_a_file_too_large_is_refused_unread(tmp_path: Path) -> None:
    """200 MB of nothing on the disk: the size alone decides."""
    path = tmp_path / "dropped"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(UnreadableFile) as refused:
        await read_file(path, name="film.pdf")
    assert str(refused.value) == "« film.pdf » pèse 200 Mo : la limite est de 50 Mo par fichier."


async def test_what_is_not_a_file_is_said(tmp_path: Path) -> None:
    """A folder, or nothing at all."""
    for path, reason in ((tmp_path, "n'est pas un fichier"), (tmp_path / "rien", "n'existe pas")):
        with pytest.raises(UnreadableFile, match=reason):
            await read_file(path, name="x.pdf")


@pytest.mark.parametrize("kind", ["pdf", "docx", "xlsx", "xls"])
async def test_a_file_cut_short_is_said(tmp_path: Path, kind: str) -> None:
    """An upload that ended early."""
    data = GOOD[kind]
    assert f"« coupé.{kind} »" in await refusal(tmp_path, f"coupé.{kind}", data[: len(data) // 2 - 300])


async def test_a_broken_pdf_is_said(tmp_path: Path) -> None:
    """A header and nothing behind it: the parser's own exception stays in its process."""
    assert "abîmé" in await refusal(tmp_path, "a.pdf", b"%PDF-1.7\n" + bytes(range(200)) * 20)


async def test_a_parser_without_end_is_stopped(tmp_path: Path) -> None:
    """Any file takes longer than this limit."""
    sentence = await refusal(tmp_path, "a.txt", PROSE.encode(), seconds=0.001)
    assert "plus de 0,001 s" in sentence


async def test_a_parser_without_measure_is_stopped(tmp_path: Path) -> None:
    """A text that would take ten times its size."""
    assert "trop de mémoire" in await refusal(
        tmp_path, "a.csv", b"Commune;Prix\n" + b"Lyon;3500\n" * 4_000_000, memory_bytes=150_000_000
    )


async def test_a_bomb_and_a_multiplying_entity_are_refused(tmp_path: Path) -> None:
    """Before a parser sees them."""
    assert "décompressé" in await refusal(tmp_path, "a.docx", repacked(word(), {"word/x.xml": b" " * 30_000_000}))
    entity = b"<!DOCTYPE a [<!ENTITY a 'aaaa'>]><a>&a;</a>"
    assert "XML interdit" in await refusal(tmp_path, "a.docx", repacked(word(), {"word/styles.xml": entity}))


async def test_markdown_in_a_name_or_a_text_stays_text(tmp_path: Path) -> None:
    """What a file says of itself is data."""
    read = await given_file(tmp_path, "../../etc/<@U1>\n# passwd.txt", b"Bonjour \xff\xfe\x85 le monde et la suite.")
    assert "\n" not in read.title
    assert "/" not in read.title


_SHARED = settings(max_examples=16, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@_SHARED
@given(data=st.binary(min_size=1, max_size=3000), kind=st.sampled_from(KINDS))
async def test_random_bytes_are_read_or_refused(tmp_path: Path, data: bytes, kind: str) -> None:
    """Under each extension: nothing but `UnreadableFile` comes out."""
    with contextlib.suppress(UnreadableFile):
        assert (await given_file(tmp_path, f"a.{kind}", data)).text


@_SHARED
@given(seed=st.integers(0, 10**9), kind=st.sampled_from(["pdf", "docx", "xlsx", "xls", "html"]))
async def test_damaged_files_are_read_or_refused(tmp_path: Path, seed: int, kind: str) -> None:
    """A few bytes changed in a good file reach deeper than random ones."""
    chance = random.Random(seed)
    data = bytearray(GOOD[kind])
    for _ in range(chance.randint(1, 30)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    with contextlib.suppress(UnreadableFile):
        assert (await given_file(tmp_path, f"a.{kind}", bytes(data))).text
