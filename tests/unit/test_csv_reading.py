"""CSV as French offices write it."""

import pytest

from corpus.errors import UnreadableFile
from tests.dropped_files import read_here


@pytest.mark.parametrize("separator", [";", "\t", ",", "|"])
def test_the_separator_is_found(separator: str) -> None:
    """Semicolon, tab, comma and bar."""
    rows = [["Commune", "Prix", "Part"], ["Lyon", "3500", "12"], ["Nice", "4500", "13"]]
    data = "\n".join(separator.join(row) for row in rows)
    assert "- Commune : Nice ; Prix : 4500 ; Part : 13." in read_here(data.encode(), "a.csv").text


def test_decimal_commas_part_nothing() -> None:
    """As many commas as semicolons: the separator is still the semicolon."""
    found = read_here(b"Commune;Taux\nLyon;3,5\nNice;4,5\n", "a.csv")
    assert found.text == "- Commune : Lyon ; Taux : 3,5.\n- Commune : Nice ; Taux : 4,5."


def test_quoted_cells_keep_separators_and_line_ends() -> None:
    """A cell of two lines is one cell."""
    found = read_here(b'Commune;Note\nLyon;"calme ; cher\nau centre"\n', "a.csv")
    assert found.text == "- Commune : Lyon ; Note : calme ; cher au centre."


def test_a_quote_that_is_never_closed_swallows_nothing() -> None:
    """« 15" d'écran » is no quotation."""
    data = b'Bien;Note\n"T2;calme\n' + b"T3;bruyant\n" * 3000
    read = read_here(data, "a.csv")
    assert read.text.startswith('- Bien : "T2 ; Note : calme.\n- Bien : T3 ; Note : bruyant.')
    assert read.text.count("bruyant") == 3000


def test_excels_own_first_line_is_no_row() -> None:
    """`sep=;` is meant for Excel."""
    assert read_here(b"sep=;\nCommune;Prix\nLyon;1\n", "a.csv").text == "- Commune : Lyon ; Prix : 1."


def test_a_million_rows_are_read_to_the_limit_and_it_is_said() -> None:
    """How many there were is said too."""
    data = b"Commune;Prix\n" + b"Lyon;3500\n" * 1_000_000
    found = read_here(data, "a.csv")
    assert found.text.count("- Commune") == 19_999
    assert found.skipped == ("Seules les 20 000 premières lignes sur 1 000 001 ont été lues.",)


def test_a_text_of_empty_lines_has_no_text() -> None:
    """However many there are."""
    with pytest.raises(UnreadableFile, match="aucun texte"):
        read_here(b"\n" * 5000 + b"x", "a.txt", characters=1000)


def test_a_text_over_the_limit_is_cut_at_a_word_and_it_is_said() -> None:
    """The limit of characters holds for every kind."""
    found = read_here(b"Une phrase. " * 1000, "a.txt", characters=1000)
    assert len(found.text) <= 1000
    assert found.text.endswith(("Une", "phrase."))
    assert found.skipped == ("Le texte a été coupé après 1 000 caractères.",)
