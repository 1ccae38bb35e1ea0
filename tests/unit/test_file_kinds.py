"""What a file is: its content decides, and a name that says otherwise is corrected aloud."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from corpus.errors import UnreadableFile
from tests.dropped_files import PROSE, compound, old_workbook, pdf, read_here, word, workbook, zipped

READABLE = {
    "pdf": pdf([[PROSE[:80]]]),
    "docx": word(),
    "xlsx": workbook({"Prix": [["Commune", "Prix"], ["Lyon", 3500]]}),
    "xls": old_workbook({"Prix": [["Commune", "Prix"], ["Lyon", 3500.0]]}),
    "csv": b"Commune;Prix\nLyon;3500\n",
    "txt": PROSE.encode(),
    "md": f"# Titre\n\n{PROSE}".encode(),
    "html": f"<html><body><p>{PROSE}</p></body></html>".encode(),
}
REFUSED = {
    "photo.jpg": (b"\xff\xd8\xff\xe0" + bytes(100), "image"),
    "plan.pdf": (b"\x89PNG\r\n\x1a\n" + bytes(100), "image"),
    "outil.docx": (b"MZ" + bytes(100), "programme"),
    "outil": (b"\x7fELF" + bytes(100), "programme"),
    "tout.zip": (zipped({"a.txt": b"a"}), "archive"),
    "tout.tgz": (b"\x1f\x8b\x08" + bytes(100), "archive"),
    "lettre.rtf": (rb"{\rtf1 Bonjour}", "RTF"),
    "vieux.doc": (compound("WordDocument", b"x"), ".doc"),
    "notes.msg": (compound("__properties", b"x"), "types lus"),
    "diapos.pptx": (zipped({"ppt/presentation.xml": b"<p/>"}), "PowerPoint"),
    "binaire.xlsb": (zipped({"xl/workbook.bin": b"x"}), ".xlsb"),
    "libre.odt": (zipped({"mimetype": b"application/vnd.oasis.opendocument.text"}, method=0), "OpenDocument"),
    "base.db": (b"SQLite format 3\x00" + bytes(100), "base de données"),
    "film.mp4": (b"\x00\x00\x00\x20ftypisom" + bytes(100), "vidéo"),
    "octets.txt": (bytes(range(256)) * 50, "ni un texte"),
    "donnees.xml": (b"<?xml version='1.0'?><a><b/></a>", "XML"),
    "page.xls": (b"MIME-Version: 1.0\nX-Source: a\n b\nContent-Type: multipart/related; boundary=x\n\n--x", ".mht"),
    "blanc.txt": (b" \n\t\n", "aucun texte"),
    "locked.xlsx": (compound("EncryptedPackage", b"x"), "mot de passe"),
}


@pytest.mark.parametrize("kind", READABLE)
def test_a_file_is_read_as_what_it_is(kind: str) -> None:
    """The name agrees, so nothing is said of it."""
    found = read_here(READABLE[kind], f"Un_fichier.{kind}")
    assert found.kind == kind
    assert found.text
    assert found.skipped == ()
    assert found.title in ("Un fichier", "Titre")


@pytest.mark.parametrize("kind", [kind for kind in READABLE if kind not in ("txt", "md", "csv")])
def test_a_wrong_extension_is_said_and_the_content_read(kind: str) -> None:
    """A PDF that is called .txt is a PDF; whoever added it hears so."""
    wrong = "xls" if kind != "xls" else "docx"
    found = read_here(READABLE[kind], f"export.{wrong}")
    assert found.kind == kind
    assert f"Ce .{wrong} est en fait" in found.skipped[0]


def test_an_xls_that_is_a_page_gives_its_rows() -> None:
    """What many programs call Excel: a table in HTML."""
    row = "<tr><td>Nîmes</td><td>2 000 €</td></tr>"
    page = f"<html><body><table><tr><th>Ville</th><th>Prix</th></tr>{row}</table></body></html>"
    found = read_here(page.encode("cp1252"), "export.xls")
    assert found.text == "- Ville : Nîmes ; Prix : 2 000 €."
    assert found.skipped == ("Ce .xls est en fait une page HTML, et a été lu ainsi.",)


def test_an_xls_that_is_tabbed_text_gives_its_rows() -> None:
    """The other thing that programs call Excel."""
    found = read_here("Ville\tPrix\nNîmes\t2 000 €\n".encode("cp1252"), "export.xls")
    assert found.kind == "csv"
    assert found.text == "- Ville : Nîmes ; Prix : 2 000 €."


def test_a_workbook_that_holds_a_document_is_a_workbook() -> None:
    """Embedded files bring their own names: only the outer directory counts."""
    with ZipFile(BytesIO(READABLE["xlsx"])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    data = zipped({**parts, "xl/embeddings/Annexe.docx": word()}, method=0)
    assert read_here(data, "prix.xlsx").kind == "xlsx"


def test_a_text_about_pdf_files_is_a_text() -> None:
    """Only the first bytes make a PDF; some programs write a few lines before them."""
    assert read_here(b"Un PDF commence par %PDF-1.4 et finit par %%EOF.", "notes.txt").kind == "txt"
    assert read_here(b"From: scanner\n\n" + READABLE["pdf"], "a.pdf").kind == "pdf"


def test_a_text_without_known_extension_is_a_text() -> None:
    """Nothing is said of names that promise nothing."""
    assert read_here(PROSE.encode(), "LISEZMOI").kind == "txt"
    assert read_here(PROSE.encode(), "journal.log").skipped == ()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_document_is_refused_in_one_sentence(name: str) -> None:
    """The sentence names the file, what it is and, where there is a way, what to do."""
    data, word_of_reason = REFUSED[name]
    with pytest.raises(UnreadableFile) as refused:
        read_here(data, name)
    assert f"« {name} »" in str(refused.value)
    assert word_of_reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_name_cannot_break_the_sentence() -> None:
    """Names come from others: one line, no control characters, a bounded length."""
    with pytest.raises(UnreadableFile) as refused:
        read_here(b"MZ" + bytes(10), "../a\n<!channel>\u202e" + "x" * 300)
    assert "\n" not in str(refused.value)
    assert "\u202e" not in str(refused.value)
    assert ".." not in str(refused.value)
    assert len(str(refused.value)) < 150
