"""Lines of a page become paragraphs: what belongs together joins, what only decorates goes."""

from corpus.sources.files.layout import paragraphs, without_running_lines
from corpus.sources.files.source import clean


def joined(*lines: str) -> list[str]:
    return list(paragraphs(lines))


def test_words_cut_at_line_ends_are_whole_again() -> None:
    """Search must find « amortissement »."""
    assert joined("Le propriétaire déduit l'amortis-", "sement du bien de ses recettes.") == [
        "Le propriétaire déduit l'amortissement du bien de ses recettes."
    ]


def test_hyphens_of_the_language_stay() -> None:
    """« celui-ci » ended a line on its own hyphen, « Saint-Étienne » too."""
    assert joined("Le locataire donne congé et celui-", "ci prend effet au terme.") == [
        "Le locataire donne congé et celui-ci prend effet au terme."
    ]
    assert joined("Les loyers ont monté à Saint-", "Étienne cette année encore.") == [
        "Les loyers ont monté à Saint-Étienne cette année encore."
    ]


def test_running_headers_and_page_numbers_go() -> None:
    """A header on most pages would be in every passage; numbers that count up are one line."""
    pages = [
        f"Guide du bailleur 2026\nTexte {word}\nSuite\nFin {word}\nPage {n} sur 4" for n, word in enumerate("abcd", 1)
    ]
    assert without_running_lines(pages) == [[f"Texte {word}", "Suite", f"Fin {word}"] for word in "abcd"]


def test_two_pages_have_no_running_lines() -> None:
    """What comes twice may be meant."""
    assert without_running_lines(["Attention\nA", "Attention\nB"]) == [["Attention", "A"], ["Attention", "B"]]


def test_a_line_of_the_text_that_reads_like_the_header_stays() -> None:
    """Only a page's edges are looked at."""
    middle = ["un", "deux", "trois", "Guide", "quatre", "cinq", "six"]
    pages = ["\n".join(["Guide", *(f"{line} {page}" for line in middle[:3]), "Guide", *middle[4:]]) for page in "abc"]
    assert all("Guide" in page[2:] for page in without_running_lines(pages))


def test_a_short_last_line_and_a_title_end_their_paragraph() -> None:
    """Without this a title would be read as the first words of the sentence below; a full line ends nothing."""
    lines = (
        "Le régime réel",
        "Le bailleur déduit ses charges et amortit le bien pendant une trentaine d'années environ.",
        "Il tient une comptabilité.",
        "Le micro-BIC ouvre droit à un abattement forfaitaire sur les recettes de la location.",
    )
    assert joined(*lines) == [lines[0], f"{lines[1]} {lines[2]}", lines[3]]


def test_a_title_after_a_full_line_begins_a_paragraph() -> None:
    """A short line without a stop, below a sentence's end."""
    full = "Le bailleur déduit ses charges et amortit le bien pendant une trentaine d'années environ."
    assert joined(full, "La durée maximale", full) == [full, "La durée maximale", full]


def test_articles_and_titles_in_capitals_begin_paragraphs() -> None:
    """Contracts are cited by their articles; « article » within a sentence is written small."""
    lines = (
        "RÈGLEMENT DE COPROPRIÉTÉ DE LA RÉSIDENCE DES TILLEULS",
        "Article 8 - Destination de l'immeuble et des parties privatives",
        "La résidence est à usage d'habitation, sous la réserve qui est faite à son",
        "article 12, et l'exercice d'une profession libérale y est permis au bas de l'escalier",
        "Article L. 145-1 - Le bail commercial et ce qui le distingue des autres",
    )
    assert joined(*lines) == [lines[0], lines[1] + " " + lines[2] + " " + lines[3], lines[4]]


def test_bullets_of_any_shape_are_items() -> None:
    """An item is a line of its own, and its second line belongs to it."""
    assert joined("• un premier point qui est", "assez long pour deux lignes", "▪ un second") == [
        "- un premier point qui est assez long pour deux lignes",
        "- un second",
    ]


def test_a_line_that_looks_like_markdown_is_no_heading() -> None:
    """Headings are ours: a page's text does not choose what it is cited under."""
    assert joined("# Avis officiel") == ["Avis officiel"]


def test_ligatures_nuls_and_half_characters_are_cleaned() -> None:
    """They break search, SQLite and JSON."""
    assert clean("of\ufb01ciel, e\ufb00et\x00, so\u00adlide \ud83d\u200b") == "officiel, effet, solide "
