"""`python -m bot ingest` on files and folders: what became of each, the same twice, and what a folder lost."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.__main__ import main
from corpus.index.embedded import EmbeddedIndex
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Filters, Passage
from tests.dropped_files import PROSE, pdf, word, workbook

Run = Callable[..., tuple[int, str]]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One corpus for all tests here: putting the built-in articles in takes seconds."""
    return tmp_path_factory.mktemp("var")


@pytest.fixture
def run(var: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(var)  # no .env of a developer
    monkeypatch.setenv("VAR_DIR", str(var))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{var}/b.sqlite3")
    monkeypatch.setenv("COLUMNS", "200")

    def ingest(*arguments: object) -> tuple[int, str]:
        capsys.readouterr()
        code = main(["ingest", *map(str, arguments)])
        return code, capsys.readouterr().err

    return ingest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "dossier"
    (made / "sous").mkdir(parents=True)
    (made / "guide.pdf").write_bytes(pdf([[PROSE[:90]], None]))
    (made / "bail.docx").write_bytes(word())
    (made / "sous" / "prix.xlsx").write_bytes(workbook({"Prix": [["Commune", "Prix"], ["Vaulx-en-Test", 3210]]}))
    (made / "note.md").write_text("# Ordre du jour\n\nUn texte sans en-tête.")
    (made / ".cache").write_text("caché")
    (made / "~$bail.docx").write_text("verrou")
    return made


def found(var: Path, query: str, *, tenants: tuple[str, ...] = (SHARED_TENANT,), audience: str = "") -> list[Passage]:
    async def search() -> list[Passage]:
        index = EmbeddedIndex(var / "corpus.sqlite3")
        try:
            audiences = frozenset({PUBLIC_AUDIENCE, audience})
            return await index.search(
                query, vector=None, tenants=tenants, filters=Filters(audiences=audiences), limit=3
            )
        finally:
            await index.aclose()

    return asyncio.run(search())


def test_a_folder_goes_in_once(run: Run, folder: Path, var: Path) -> None:
    """Every kind, sub-folders too; hidden files and Office's locks stay out; the second time changes nothing."""
    code, said = run(folder)
    assert code == 0
    assert "4 ajouté(s), 0 remplacé(s), 0 inchangé(s)" in said
    assert "guide.pdf : indexé" in said
    assert "  Pages sans texte à lire, sans doute scannées (pas d'OCR) : 2." in said
    assert "1 lu(s) avec une remarque" in said
    assert "4/4" in said
    assert "fichiers/s" in said
    passage = found(var, "Vaulx-en-Test")[0]
    assert passage.text == "Commune : Vaulx-en-Test ; Prix : 3210."
    assert passage.heading == ("Feuille Prix",)
    code, said = run(folder)
    assert code == 0
    assert "0 ajouté(s), 0 remplacé(s), 4 inchangé(s)" in said
    assert "0 passage(s) écrits" in said


def test_the_same_file_by_its_folder_and_by_its_name_is_one(run: Run, folder: Path) -> None:
    """A document is known by where it lies, however it was named."""
    assert "1 ajouté(s)" in run(folder / "bail.docx")[1]
    assert "3 ajouté(s), 0 remplacé(s), 1 inchangé(s)" in run(folder, folder / "guide.pdf")[1]


def test_a_changed_file_replaces_its_passages(run: Run, folder: Path, var: Path) -> None:
    """Not one old sentence remains."""
    run(folder / "note.md")
    (folder / "note.md").write_text("Le mot zanzibarite remplace tout.")
    assert "0 ajouté(s), 1 remplacé(s)" in run(folder / "note.md")[1]
    assert found(var, "zanzibarite")[0].text == "Le mot zanzibarite remplace tout."


def test_what_a_folder_lost_is_retired_when_asked(run: Run, folder: Path, var: Path) -> None:
    """Another folder's documents stay, and so does the last version of a file that can no longer be read."""
    other = folder.parent / "dossier-voisin"
    other.mkdir()
    (other / "voisin.txt").write_text("Le mot xylophage est chez le voisin.")
    (folder / "parti.txt").write_text("Le mot quetzalcoatl va partir.")
    run(folder, other)
    (folder / "parti.txt").unlink()
    (folder / "bail.docx").write_bytes(b"MZ")
    assert "0 retiré(s)" in run(folder)[1]
    assert found(var, "quetzalcoatl")[0].text.startswith("Le mot quetzalcoatl")
    code, said = run(folder, "--retire")
    assert code == 1  # bail.docx is refused
    assert "1 retiré(s), 1 refusé(s)" in said
    assert all("quetzalcoatl" not in passage.text for passage in found(var, "quetzalcoatl"))
    assert "xylophage" in found(var, "xylophage")[0].text
    assert any(passage.document_id == f"file:{folder}/bail.docx" for passage in found(var, PROSE))


def test_an_empty_folder_retires_nothing(run: Run, folder: Path, var: Path) -> None:
    """A network disk that is not mounted looks like one."""
    (folder / "note.md").write_text("Le mot phacochère reste là.")
    run(folder)
    for path in folder.rglob("*.*"):
        path.unlink()
    code, said = run(folder, "--retire")
    assert code == 1
    assert "ne contient aucun fichier : rien n'en a été retiré" in said
    assert "phacochère" in found(var, "phacochère")[0].text


def test_refused_files_are_named_and_the_others_go_in(run: Run, folder: Path) -> None:
    """Exit code 1, no traceback; a name cannot write markup into our output."""
    (folder / "[red]outil.docx").write_bytes(b"MZ\x00")
    (folder / "vide.txt").write_bytes(b"")
    code, said = run(folder, folder / "absent.pdf")
    assert code == 1
    assert "4 ajouté(s)" in said
    assert "3 refusé(s)" in said
    assert "« [red]outil.docx » est un programme" in said.replace("\\", "")
    assert "« vide.txt » est vide" in said
    assert "« absent.pdf » n'existe pas" in said
    assert "Traceback" not in said


def test_a_team_s_and_a_channel_s_documents_are_found_only_there(run: Run, folder: Path, var: Path) -> None:
    """--team and --audience decide, not the file."""
    (folder / "note.md").write_text("Le mot kiribatien est réservé.")
    run(folder / "note.md", "--team", "T7", "--audience", "C7")
    assert all("kiribatien" not in passage.text for passage in found(var, "kiribatien"))
    assert all("kiribatien" not in passage.text for passage in found(var, "kiribatien", tenants=("T7",)))
    assert "kiribatien" in found(var, "kiribatien", tenants=("T7",), audience="channel:C7")[0].text


@pytest.mark.parametrize("arguments", [(), ("--retire",), ("--retire", "https://example.org")])
def test_nothing_to_do_is_said(run: Run, arguments: tuple[str, ...]) -> None:
    """Exit code 2, as for any wrong usage."""
    code, said = run(*arguments)
    assert code == 2
    assert "Donner au moins" in said


def test_refresh_goes_alone(run: Run, folder: Path) -> None:
    """What it would do with the paths beside it could only be guessed."""
    code, said = run("--refresh", folder)
    assert code == 2
    assert "ne rien donner avec" in said


async def test_another_process_s_document_is_found_without_opening_the_index_again(tmp_path: Path, var: Path) -> None:
    """A running bot holds its index open: the first search after the ingest finds the document, the first after its
    removal does not."""
    index = EmbeddedIndex(var / "corpus.sqlite3")
    note = tmp_path / "notes" / "note.txt"
    note.parent.mkdir()
    (note.parent / "autre.txt").write_text("Un autre texte.")

    async def texts() -> str:
        passages = await index.search("ornithorynque", vector=None, tenants=[SHARED_TENANT], filters=Filters(), limit=5)
        return " ".join(passage.text for passage in passages)

    try:
        assert "ornithorynque" not in await texts()
        note.write_text("Le mot ornithorynque vient d'un autre processus.")
        await asyncio.to_thread(_ingest_elsewhere, var, note.parent)
        assert "ornithorynque" in await texts()
        note.unlink()
        await asyncio.to_thread(_ingest_elsewhere, var, note.parent, "--retire")
        assert "ornithorynque" not in await texts()
    finally:
        await index.aclose()


def _ingest_elsewhere(var: Path, *arguments: object) -> None:
    ours = {"VAR_DIR": str(var), "DATABASE_URL": f"sqlite:///{var}/b.sqlite3", "OMP_NUM_THREADS": "1"}
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    command = [sys.executable, "-m", "bot", "ingest", *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, env={**kept, **ours}, check=True, capture_output=True, timeout=120)


@pytest.mark.parametrize("address", ["ftp://example.org/a.pdf", "file:///guide.pdf"])
def test_an_address_of_another_kind_is_not_taken_for_a_file(run: Run, address: str) -> None:
    """`« a.pdf » n'existe pas` would send the reader looking for a file."""
    code, said = run(address)
    assert code == 1
    assert "https://" in said
    assert "n'existe pas" not in said
