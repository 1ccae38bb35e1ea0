"""A table's rows become sentences in which each value stands beside its column's name."""

from collections.abc import Sequence
from itertools import repeat

from corpus.chunking import chunk
from corpus.sentences import sentences
from corpus.sources.files.tables import MOST_WORDS, Table
from corpus.types import Document


def lines(rows: Sequence[Sequence[str]], *, most: int = 1000) -> list[str]:
    return [line for line in Table(most).lines(rows) if line]


def test_a_row_reads_as_a_sentence_with_its_columns() -> None:
    """Column names before values; empty cells are left out."""
    found = lines([["Commune", "Prix", "Note"], ["Lyon", "3 500 €", ""], ["Paris", "", "cher"]])
    assert found == ["- Commune : Lyon ; Prix : 3 500 €.", "- Commune : Paris ; Note : cher."]


def test_titles_above_the_header_are_kept_apart() -> None:
    """Public statistics begin with a title, a source and an empty row."""
    found = lines(
        [["Prix des logements"], ["", ""], ["Commune", "2023", "2024"], ["Lyon", "1", "2"], ["Nice", "3", "4"]]
    )
    assert found == [
        "Prix des logements.",
        "- Commune : Lyon ; 2023 : 1 ; 2024 : 2.",
        "- Commune : Nice ; 2023 : 3 ; 2024 : 4.",
    ]


def test_rows_without_header_get_numbered_columns() -> None:
    """A first row of figures names nothing."""
    assert lines([["Lyon", "3"], ["Nice", "4"]]) == [
        "- Colonne 1 : Lyon ; Colonne 2 : 3.",
        "- Colonne 1 : Nice ; Colonne 2 : 4.",
    ]


def test_a_column_name_that_comes_twice_is_told_apart() -> None:
    """Two columns « Prix » must not look like one value and its correction."""
    assert lines([["Ville", "Prix", "Prix"], ["Lyon", "1", "2"]]) == ["- Ville : Lyon ; Prix : 1 ; Prix (2) : 2."]


def test_a_note_within_the_table_stays_alone() -> None:
    """One cell in a row of three columns is a subtitle."""
    found = lines([["Ville", "Prix", "Part"], ["Rhône"], ["Lyon", "1", "2"]])
    assert found == ["- Rhône.", "- Ville : Lyon ; Prix : 1 ; Part : 2."]


def test_labels_and_values_are_pairs() -> None:
    """No row of a fact sheet names the columns: read as a header, its first row would give each value a wrong name."""
    sheet = [["Vendeur", "M. Durand"], ["Surface", "45 m²"], ["Étage", "3"], ["Exposition", "sud"]]
    assert lines(sheet) == ["- Vendeur : M. Durand.", "- Surface : 45 m².", "- Étage : 3.", "- Exposition : sud."]
    assert lines([["Nom :", "Durand"], ["Ville :", "Lyon"]]) == ["- Nom : Durand.", "- Ville : Lyon."]


def test_a_missing_value_does_not_make_a_column_of_figures_a_fact_sheet() -> None:
    """« n.d. » is a figure that is not known."""
    found = lines([["Commune", "Prix"], ["Lyon", "3 500"], ["Dole", "n.d."], ["Nice", "4 200"]])
    assert found[1] == "- Commune : Dole ; Prix : n.d."


def test_a_wide_row_is_cut_and_says_again_what_it_is_about() -> None:
    """Chunking keeps a sentence whole: one of 300 words would stand alone and be found for everything."""
    header = ["Commune", *(f"Indicateur {number}" for number in range(100))]
    found = lines([header, ["Lyon", *(str(number) for number in range(100))]])
    assert len(found) > 1
    assert all(line.startswith("- Commune : Lyon ; ") and line.endswith(".") for line in found)
    assert max(len(line.split()) for line in found) <= MOST_WORDS + 10
    assert all(any(f"Indicateur {number} : {number}" in line for line in found) for number in range(100))


def test_rows_end_at_the_limit_and_it_is_said() -> None:
    """An endless iterator is read no further than the limit."""
    table = Table(5)
    endless = (["a", str(number)] for number in repeat(0))
    assert list(table.lines(endless)) == ["- Colonne 1 : a ; Colonne 2 : 0."] * 5
    assert table.said() == ["Seules les 5 premières lignes ont été lues."]


def test_exactly_the_limit_leaves_nothing_out() -> None:
    """No remark where all was read."""
    table = Table(2)
    assert list(table.lines([["a", "b"], ["1", "2"]]))
    assert table.said() == []


def test_a_row_stays_whole_through_chunking_and_sentence_splitting() -> None:
    """What is cited is a row with its columns, never half of one."""
    rows = [["Commune", "Prix au m²", "Évolution"], *([f"Ville {n}", f"{n} 500 €", f"{n},5 %"] for n in range(60))]
    text = "## Feuille Prix\n\n" + "\n".join(Table(100).lines(rows))
    passages = chunk(Document(id="x", title="Prix", url="", text=text, category="pricing"))
    assert len(passages) > 1
    for passage in passages:
        assert passage.heading == ("Feuille Prix",)
        for sentence in sentences(passage.text):
            assert sentence.startswith("Commune : Ville ")
            assert "Prix au m² :" in sentence
            assert sentence.endswith(" %.")
