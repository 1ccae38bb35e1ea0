"""Markdown: its own front matter and tables become what chunking understands."""

from dataclasses import replace

from corpus.sources.files.reading import upload_document
from tests.dropped_files import read_here

NOTE = """---
title: "Notes de réunion"
tags: [a, b]
---
# Ordre du jour

| Bien | Prix |
|------|-----:|
| T2 à Lyon | 210 000 € |

Suite \\| fin
"""


def test_front_matter_names_the_document_and_is_no_text() -> None:
    """Notes of many programs begin with one."""
    read = read_here(NOTE.encode(), "notes.md")
    assert read.title == "Notes de réunion"
    assert "tags" not in read.text
    assert read.text.startswith("# Ordre du jour")


def test_a_table_becomes_sentences() -> None:
    """Chunking would join its rows to one line."""
    assert "- Bien : T2 à Lyon ; Prix : 210 000 €." in read_here(NOTE.encode(), "notes.md").text


def test_the_first_heading_is_the_title_else_the_name() -> None:
    """A heading further down is a section's."""
    assert read_here(b"# Le bail\n\nTexte.", "x_y.md").title == "Le bail"
    assert read_here(b"Texte.\n\n# Le bail", "x_y.md").title == "x y"


def test_a_title_is_not_said_twice_in_a_citation() -> None:
    """A document called otherwise keeps its first heading."""
    read = read_here(b"# Le bail\n\nTexte.", "x_y.md")
    for named, text in ((read, "Texte."), (replace(read, title="x_y.md"), "# Le bail\n\nTexte.")):
        document = upload_document(named, id="x", url="", audience="public", published=None)
        assert document.text == text
