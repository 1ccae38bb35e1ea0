"""Word: headings, lists, tables and notes in reading order, without what its author took back."""

import zipfile
from datetime import date
from io import BytesIO

import pytest

from corpus.chunking import chunk
from corpus.errors import UnreadableFile
from corpus.sources.files.reading import upload_document
from tests.dropped_files import PROSE, read_here, repacked, word, zipped

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def with_body(body: str) -> bytes:
    return repacked(word(), {"word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>".encode()})


def paragraph(runs: str) -> str:
    return f"<w:p>{runs}</w:p>"


def run(text: str, *, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def test_headings_lists_and_tables_keep_their_shape() -> None:
    """The heading path of a passage is the document's own."""
    data = word(
        [
            ("Title", "Guide du LMNP"),
            ("Heading 1", "Régime réel"),
            ("Normal", PROSE),
            ("List Bullet", "Premier point"),
            ("List Number", "Second point"),
            ("Heading 2", "Durées"),
        ],
        rows=[["Poste", "Durée"], ["Gros œuvre", "50 ans"], ["Mobilier", "7 ans"]],
    )
    read = read_here(data, "lmnp.docx")
    assert read.title == "Guide du LMNP"
    assert "- Premier point\n- Second point" in read.text
    assert "- Poste : Gros œuvre ; Durée : 50 ans." in read.text
    document = upload_document(read, id="x", url="", audience="public", published=None)
    assert chunk(document)[0].heading[0] == "Régime réel"


def test_inserted_text_is_read_and_struck_or_hidden_text_is_not() -> None:
    """What a reviewer took out, and what nobody sees on the page, is no part of the document."""
    body = paragraph(run("Le loyer est libre")) + paragraph(
        f"<w:ins>{run('Texte ajouté')}</w:ins><w:del><w:r><w:delText>Texte ôté</w:delText></w:r></w:del>"
        f"<w:moveFrom>{run('Texte déplacé')}</w:moveFrom>{run('Texte caché', properties='<w:vanish/>')}"
        "<w:r><w:instrText>HYPERLINK evil</w:instrText></w:r>"
    )
    text = read_here(with_body(body), "a.docx").text
    assert " ".join(text.split()) == "Le loyer est libre Texte ajouté"


def test_content_controls_and_frames_are_read() -> None:
    """Forms keep their text in w:sdt, layouts in tables of one column."""
    body = f"<w:sdt><w:sdtContent>{paragraph(run('Dans un champ'))}</w:sdtContent></w:sdt>"
    body += f"<w:tbl><w:tr><w:tc>{paragraph(run('Dans un cadre'))}</w:tc></w:tr></w:tbl>"
    assert " ".join(read_here(with_body(body), "a.docx").text.split()) == "Dans un champ Dans un cadre"


def test_merged_cells_are_told_in_each_row_and_inner_tables_once() -> None:
    """A zone written once beside three communes belongs to each of them."""

    def cell(text: str, properties: str = "", more: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(run(text))}{more}</w:tc>"

    inner = f"<w:tbl><w:tr>{cell('dedans')}</w:tr></w:tbl>"
    rows = [
        cell("Zone") + cell("Commune"),
        cell("A bis", '<w:vMerge w:val="restart"/>') + cell("Paris"),
        cell("", "<w:vMerge/>") + cell("Neuilly", more=inner),
    ]
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    assert read_here(with_body(body), "a.docx").text.split("\n") == [
        "- Zone : A bis ; Commune : Paris.",
        "- Zone : A bis ; Commune : Neuilly dedans.",
    ]


def test_footnotes_come_last() -> None:
    """A note often holds the article of law."""
    data = word()
    with zipfile.ZipFile(BytesIO(data)) as archive:
        types = archive.read("[Content_Types].xml").decode()
        relations = archive.read("word/_rels/document.xml.rels").decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    part = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    note = paragraph(run("Article 39 C du CGI."))
    changed = repacked(
        data,
        {
            "word/footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="2">{note}</w:footnote></w:footnotes>'.encode(),
            "[Content_Types].xml": types.replace(
                "</Types>", f'<Override PartName="/word/footnotes.xml" ContentType="{part}"/></Types>'
            ).encode(),
            "word/_rels/document.xml.rels": relations.replace(
                "</Relationships>", f'<Relationship Id="n1" Type="{kind}" Target="footnotes.xml"/></Relationships>'
            ).encode(),
        },
    )
    assert read_here(changed, "a.docx").text.endswith("## Notes\n\n- Article 39 C du CGI.")


def test_a_template_date_is_no_date_of_publication() -> None:
    """python-docx's template says 2013 in every file made from it; a date that was set is taken."""
    data = word()
    assert read_here(data, "a.docx").published is None
    with zipfile.ZipFile(BytesIO(data)) as archive:
        core = archive.read("docProps/core.xml").decode()
    dated = repacked(data, {"docProps/core.xml": core.replace("2013-12-23T23:15:00Z", "2025-03-04T10:00:00Z").encode()})
    assert read_here(dated, "a.docx").published == date(2025, 3, 4)


@pytest.mark.parametrize(
    "data",
    [
        word()[:-200],
        repacked(word(), {"word/document.xml": b"<w:document"}),
        repacked(word(), {"word/document.xml": b"<a/>"}),
        repacked(word(), {"[Content_Types].xml": b"<a/>"}),
        zipped({"word/document.xml": b"<a/>"}),
    ],
    ids=["cut", "no-xml", "no-body", "no-types", "nothing-else"],
)
def test_a_broken_document_is_refused_in_one_sentence(data: bytes) -> None:
    """Whichever part is broken."""
    with pytest.raises(UnreadableFile, match=r"« a\.docx » est abîmé"):
        read_here(data, "a.docx")


def test_deep_xml_is_refused() -> None:
    """A parser that goes down with every element ends in a crash."""
    deep = "<w:sdt><w:sdtContent>" * 5000 + "</w:sdtContent></w:sdt>" * 5000
    with pytest.raises(UnreadableFile, match="est abîmé"):
        read_here(with_body(deep), "a.docx")
