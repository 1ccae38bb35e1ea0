"""Everyday words and abbreviations: a question is searched by the words of the texts, too; passages are not."""

from pathlib import Path

import pytest

from corpus.everyday import WORDS, searched, table
from corpus.french import analyze, distinct


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("le proprio paie la TF", "taxe foncière du propriétaire"),
        ("tf due par les proprios", "taxe foncière des propriétaires"),
        ("PV à la vente", "plus-value"),
        ("prix d'une PNO", "propriétaire non occupant"),
        ("deux mois de caution", "dépôt de garantie"),
        ("rachat de crédit", "prêt"),
        ("qui répare la boîte aux lettres", "réparations locatives"),
        ("les mauvais payeurs", "loyers impayés"),
        ("le loc veut partir", "locataire"),
    ],
)
def test_what_people_say_is_searched_as_the_texts_say_it(typed: str, meant: str) -> None:
    """As written, in the plural and beside other words."""
    assert set(analyze(meant)) <= searched(typed).keys()


def test_typed_words_come_first_and_count_whole() -> None:
    """What stands beside them never counts more."""
    found = searched("caution du proprio")
    typed = distinct("caution du proprio")
    assert list(found)[: len(typed)] == typed
    assert all(found[term] == 1.0 for term in typed)
    assert found["proprietair"] == 1.0
    assert found["depot"] == table().phrases[("caution",)].weight < 1


def test_a_word_typed_and_meant_counts_as_typed() -> None:
    """It is one term, at its full weight."""
    assert searched("caution ou dépôt de garantie")["garant"] == 1.0


@pytest.mark.parametrize("typed", ["le taux us", "ses ps", "de plus en plus", "il est à", "elle en a plus"])
def test_capitals_tell_an_abbreviation_from_a_word(typed: str) -> None:
    """`US` is the usufruit, `us` is not."""
    assert searched(typed) == dict.fromkeys(distinct(typed), 1.0)


def test_the_longest_phrase_wins() -> None:
    """`impôt sur la fortune` is not `impôt` and something."""
    assert "ifi" in searched("impôt sur la fortune")


def test_a_question_of_the_texts_own_words_is_searched_as_it_stands() -> None:
    """Most questions: nothing is added, nothing costs."""
    for text in ("Quel est le plafond du déficit foncier ?", "LMNP et DPE en SCI : que dit le notaire ?"):
        assert searched(text) == dict.fromkeys(distinct(text), 1.0)


def test_every_row_is_reachable() -> None:
    """A row hidden by another, or typed twice in two spellings, would be dead."""
    known = table()
    rows = [line for line in WORDS.read_text(encoding="utf-8").splitlines() if " = " in line and "weight" not in line]
    assert len(known.short) + len(known.phrases) == len(rows)


@pytest.mark.parametrize("row", ['"" = "x"', 'tf = "de la"', '"…" = "taxe"'])
def test_a_row_that_says_nothing_is_an_error(row: str, tmp_path: Path) -> None:
    """Found when the data is read, not by a question."""
    path = tmp_path / "everyday.toml"
    path.write_text(f"[short]\nweight = 1.0\n[short.words]\n{row}\n[said]\nweight = 0.5\n[said.words]\n", "utf-8")
    with pytest.raises(ValueError, match=r"everyday\.toml"):
        table(path)
