"""A saved page: what it says, without its menus, and nothing that it would load or run."""

import contextlib

import pytest

from corpus.errors import UnreadableFile
from tests.dropped_files import PROSE, read_here

PAGE = f"""<!doctype html><html><head><title>Le bail mobilité - Service public</title><style>p {{}}</style></head><body>
<nav><a href="/">Accueil</a> <a href="/logement">Logement</a></nav>
<main><h1>Le bail mobilité</h1><p>{PROSE}</p><h2>Durée</h2>
<p>Il dure de un à <b>dix</b> mois, sans renouvellement possible, et ne peut pas être reconduit.</p>
<ul><li>Étudiants</li><li>Salariés en mission</li></ul>
<table><tr><th>Zone</th><th>Plafond</th></tr><tr><td>A</td><td>18 €</td></tr><tr><td>B1</td><td>15 €</td></tr></table>
</main>
<script>alert("volé")</script><footer>Mentions légales</footer></body></html>"""


def test_the_main_text_keeps_headings_lists_and_tables() -> None:
    """Menus and footers would be found in every page of a site."""
    read = read_here(PAGE.encode(), "bail.html")
    assert read.title == "Le bail mobilité - Service public"
    assert "## Durée" in read.text
    assert "Il dure de un à dix mois" in read.text
    assert "- Étudiants" in read.text
    assert "- Zone : B1 ; Plafond : 15 €." in read.text
    for decoration in ("Accueil", "Mentions légales", "volé"):
        assert decoration not in read.text


def test_cells_over_several_rows_are_told_in_each() -> None:
    """And a table within a cell is not read twice."""
    page = """<table><tr><th>Zone</th><th>Commune</th><th>Note</th></tr><tr><td rowspan="2">A</td><td>Lyon</td>
    <td>x</td></tr><tr><td>Nice</td><td><table><tr><td>dedans</td></tr></table></td></tr></table>"""
    assert read_here(page.encode(), "a.html").text.split("\n") == [
        "- Zone : A ; Commune : Lyon ; Note : x.",
        "- Zone : A ; Commune : Nice ; Note : dedans.",
    ]


def test_a_page_too_short_for_the_library_is_read_all_the_same() -> None:
    """trafilatura wants a few sentences."""
    assert read_here(b"<html><body><p>Plafond : 18 euros.</p></body></html>", "a.html").text == "Plafond : 18 euros."


def test_the_announced_encoding_does_not_spoil_the_text() -> None:
    """A page saved anew in UTF-8 still announces what it was."""
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Le prêt à taux zéro à Nîmes.</p></body></html>'
    assert read_here(page.encode(), "a.html").text == "Le prêt à taux zéro à Nîmes."
    assert read_here(page.encode("cp1252"), "a.html").text == "Le prêt à taux zéro à Nîmes."


@pytest.mark.parametrize(
    "page", ["<html></html>", "<html><body><script>x()</script></body></html>", "<!doctype html><p></p>"]
)
def test_a_page_without_text_is_refused(page: str) -> None:
    """A page that scripts would fill says nothing by itself."""
    with pytest.raises(UnreadableFile, match="aucun texte"):
        read_here(page.encode(), "a.html")


def test_entities_are_not_expanded_from_elsewhere() -> None:
    """An entity of one's own stays unread: it could name a file of this machine."""
    page = f'<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>{PROSE} &x;</p></body></html>'
    assert "root:" not in read_here(page.encode(), "a.html").text


def test_a_page_of_many_nested_tags_ends() -> None:
    """Depth is cut by the parser, or the page refused: it never hangs."""
    page = "<html><body>" + "<div>" * 20_000 + PROSE
    with contextlib.suppress(UnreadableFile, RecursionError):  # the latter ends the reading process, and is said
        assert read_here(page.encode(), "a.html").text
