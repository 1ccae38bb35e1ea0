"""An answer as PDF pages: every kind of block, and words that are not the library's own marks."""

import io

import pytest
from pypdf import PdfReader

from bot.printing.posting import made
from bot.printing.sheet import Letterhead, blocks_of, plain, sheet

TEXT = """### En bref
Le prix médian est de **3\u202f577 €/m²** [1].
- Un point __souligné__ -- et ~~barré~~ [1].

| Ville | Prix |
|---|---|
| Lyon | 4 800 € |
Fin : l'œuvre à 5 % [1]."""


def said(**record: object) -> str:
    row = {"question": "Et à Lyon ?", "text": TEXT, "asked_at": "2026-11-22T15:00:00+00:00", "answered_at": None}
    pages = sheet({**row, "record": record}, letterhead=Letterhead(("Cabinet Aubrac", "Lyon")), reference="QS-1")
    read = PdfReader(io.BytesIO(pages))
    return " ".join(" ".join(page.extract_text() for page in read.pages).split())


def test_blocks_come_in_their_order() -> None:
    assert [kind for kind, _lines in blocks_of(TEXT)] == ["heading", "text", "bullet", "table", "text"]


def test_the_pages_say_who_what_and_from_where() -> None:
    cited = {"id": 1, "title": "Indicateurs", "url": "https://exemple.fr/a", "as_of": "2025-12-31"}
    told = said(citations=[cited], degraded=["Géorisques ne répond pas", "Sans modèle de langue"])
    for words in ("Cabinet Aubrac", "Et à Lyon ?", "3 577 €/m²", "4 800 €", "l'œuvre", "[1] Indicateurs, 31/12/2025"):
        assert words in told
    assert "https://exemple.fr/a" in told
    assert "Géorisques ne répond pas" in told
    assert "Sans modèle" not in told


def test_the_pictures_of_the_answer_are_printed_with_their_words() -> None:
    """Of what its record holds, and only what makes a picture."""
    points = [[year, 3_000 + year, 50, 2_500 + year, 3_600 + year] for year in range(2020, 2026)]
    prices = {"kind": "prices", "title": "Indicateurs", "place": "Nantes"}
    charts = [{**prices, "series": [{"label": "Maisons", "unit": "€/m²", "points": points}]}, {**prices, "series": []}]
    row = {"answer_id": "msg:1", "question": "Prix ?", "text": TEXT, "asked_at": "2026-11-22T15:00:00+00:00"}
    printed = made({**row, "answered_at": None, "record": {"charts": charts}}, Letterhead(("Cabinet Aubrac",)))
    read = PdfReader(io.BytesIO(printed))
    assert [(image.image.width, image.image.height) for page in read.pages for image in page.images] == [(1200, 1020)]
    assert b"/Alt" in printed


def test_no_heading_stands_alone_at_the_foot_of_a_page() -> None:
    """Wherever the page ends: many headings, and a line more each time."""
    row = {"question": "Et à Lyon ?", "asked_at": "2026-11-22T15:00:00+00:00", "answered_at": None, "record": {}}
    headed, feet = "".join(f"### Rubrique {n}\nUne phrase [1].\n" for n in range(25)), []
    for lines in range(5):
        full = {**row, "text": "- Un point [1].\n" * lines + headed}
        pages = PdfReader(io.BytesIO(sheet(full, letterhead=Letterhead(()), reference="QS-1"))).pages
        feet += [page.extract_text().strip().splitlines()[-2] for page in pages]
    assert "Une phrase [1]." in feet
    assert not [foot for foot in feet if foot.startswith("Rubrique")]


@pytest.mark.parametrize("mark", ["__", "--", "~~"])
def test_marks_of_the_library_stay_words(mark: str) -> None:
    """Only `**` is ours; anything else that its Markdown knows would swallow letters of a source."""
    assert mark not in plain(f"a {mark}b{mark} c")
    assert plain("[page](https://x.fr/a) vue") == "page vue"
