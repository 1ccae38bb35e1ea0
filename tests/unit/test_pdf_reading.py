"""PDF: each page under its number; what cannot be read is said by page."""

from datetime import date
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from corpus.chunking import chunk
from corpus.errors import UnreadableFile
from corpus.sources.files.reading import upload_document
from tests.dropped_files import pdf, read_here

LINES = [
    "Le bailleur qui loue un logement meublé peut choisir le régime réel",
    "et amortir le bien sur une trentaine d'années, hors valeur du terrain.",
    "Il tient alors une comptabilité et dépose une liasse fiscale.",
]


def encrypted(*, user: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf([LINES]))))
    writer.encrypt(user, "owner", algorithm=algorithm)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_passage_is_cited_with_its_page() -> None:
    """The heading path holds the page."""
    pages = [[f"{line} {word}" for line in LINES] for word in ("ici", "ailleurs", "enfin")]
    read = read_here(pdf(pages), "guide.pdf")
    document = upload_document(read, id="file:x", url="", audience="public", published=None)
    assert read.pages == 3
    assert [passage.heading for passage in chunk(document)] == [("Page 1",), ("Page 2",), ("Page 3",)]
    assert "le régime réel ici et amortir le bien" in read.text


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_password_is_said(algorithm: str) -> None:
    """What to do is said with it."""
    with pytest.raises(UnreadableFile, match=r"« secret\.pdf » est protégé par un mot de passe"):
        read_here(encrypted(user="sesame", algorithm=algorithm), "secret.pdf")


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_that_only_forbids_changes_is_read(algorithm: str) -> None:
    """An owner's password keeps nobody from reading."""
    assert "régime réel" in read_here(encrypted(user="", algorithm=algorithm), "guide.pdf").text


def test_a_scan_is_refused_as_one() -> None:
    """There is no OCR, and it is said."""
    with pytest.raises(UnreadableFile, match=r"sans doute scannées.*OCR"):
        read_here(pdf([None, None]), "scan.pdf")


def test_scanned_pages_among_others_are_named() -> None:
    """An empty page is none of them."""
    read = read_here(pdf([LINES, None, None, [], LINES, None]), "mixte.pdf")
    assert read.skipped == ("Pages sans texte à lire, sans doute scannées (pas d'OCR) : 2 à 3, 6.",)


def test_a_pdf_of_empty_pages_has_no_text() -> None:
    """Not a scan: nothing is on its pages."""
    with pytest.raises(UnreadableFile, match="aucun texte"):
        read_here(pdf([[], []]), "vide.pdf")


def test_pages_over_the_limit_are_left_out_and_said() -> None:
    """The first ones are read."""
    read = read_here(pdf([LINES] * 7), "long.pdf", pages=5)
    assert read.pages == 7
    assert "## Page 5" in read.text
    assert "## Page 6" not in read.text
    assert read.skipped == ("Pages 6 à 7 non lues : la limite est de 5 pages.",)


def test_a_broken_page_is_named_and_the_others_are_read() -> None:
    """One bad font must not cost the document."""
    data = pdf([["Un premier texte"], LINES]).replace(b"(Un premier texte) Tj", b"(Un premier text\\ Tj  ")
    read = read_here(data, "guide.pdf")
    assert "## Page 2" in read.text
    assert read.skipped == ("Pages abîmées, non lues : 1.",)


def test_a_filled_form_is_said() -> None:
    """Values typed into fields are no text of the page; an empty form leaves nothing out."""
    for value, said in (("/V (Durand)", 1), ("", 0)):
        data = pdf([LINES], info=f"/FT /Tx /T (Nom) {value}", catalog="/AcroForm << /Fields [5 0 R] >>")
        read = read_here(data, "formulaire.pdf")
        assert len(read.skipped) == said
        assert all("formulaire" in sentence for sentence in read.skipped)


@pytest.mark.parametrize(
    ("info", "published"),
    [
        ("/CreationDate (D:20240305101500Z)", date(2024, 3, 5)),
        ("/CreationDate (D:20240305) /ModDate (D:20250102)", date(2025, 1, 2)),
        ("/CreationDate (D:29990101)", None),
        ("/CreationDate (D:19700101)", None),
        ("/CreationDate (hier)", None),
        ("", None),
    ],
)
def test_only_a_possible_date_is_taken(info: str, published: date | None) -> None:
    """A clock that was never set, or a date to come, is no date of publication."""
    assert read_here(pdf([LINES], info=info), "guide.pdf").published == published


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Guide du bailleur", "Guide du bailleur"),
        ("Microsoft Word - guide_v3", "mon guide"),
        ("C:/docs/guide v3", "mon guide"),
        ("export final.indd", "mon guide"),
        ("", "mon guide"),
    ],
)
def test_a_title_that_a_program_left_gives_way_to_the_name(title: str, shown: str) -> None:
    """« Microsoft Word - guide_v3 » tells a reader nothing."""
    assert read_here(pdf([LINES], info=f"/Title ({title})"), "mon_guide.pdf").title == shown
