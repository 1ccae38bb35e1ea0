"""Names typed in a hurry against names as they are written, and stages said in other words than the firm's."""

import pytest

from pipeline.crm_types import Stage
from pipeline.text.names import ACCENTS, SPELT_ALIKE, START, TYPO, all_words, distance, fit, telling_words, town
from pipeline.text.stages import stages_meant

STAGES = (
    Stage("a", "Premier rendez-vous", "default"),
    Stage("b", "Étude patrimoniale", "default"),
    Stage("c", "Préconisation présentée", "default"),
    Stage("d", "Financement en cours", "default"),
    Stage("e", "Acte signé", "default", closed=True, won=True),
    Stage("f", "Sans suite", "default", closed=True),
)


@pytest.mark.parametrize(
    ("wanted", "name", "rank"),
    [
        ("Lefèvre", "Dossier Lefèvre - revente", SPELT_ALIKE),
        ("LEFEVRE", "Dossier Lefèvre - revente", ACCENTS),
        ("martin", "Dossier Martín", ACCENTS),
        ("garn", "Dossier Garnier", START),
        ("Garnire", "Dossier Garnier", TYPO),
        ("Marttin", "Dossier Martin", TYPO),
        ("Petitgan", "Dossier Petitjean", TYPO + 1),
        ("revente lefevre", "Dossier Lefèvre - revente", ACCENTS),
        ("Lefèvre Toulon", "Dossier Lefèvre - revente", None),
        ("Durand", "Dossier Martin", None),
        ("Sofie", "Sophie Martin", TYPO),
        ("T2", "Dossier Martin - T3", None),
        ("gar", "Dossier Garnier", None),
        ("9001", "Dossier 9002", None),
    ],
)
def test_a_name_fits_by_its_worst_word(wanted: str, name: str, rank: int | None) -> None:
    """Spelt alike, but for accents, by its beginning, by a slip; short words and numbers forgive nothing."""
    assert fit(telling_words(wanted), all_words(name)) == rank


@pytest.mark.parametrize(
    ("one", "other", "most", "expected"),
    [
        ("martin", "martin", 2, 0),
        ("martin", "matrin", 1, 1),
        ("lefevre", "lefebvre", 2, 1),
        ("ab", "ba", 1, 1),
        ("martin", "garnier", 2, None),
        ("", "ab", 2, 2),
        ("abc", "abcdef", 2, None),
    ],
)
def test_distance_counts_slips_up_to_a_bound(one: str, other: str, most: int, expected: int | None) -> None:
    """A letter more, less, other, or swapped with its neighbour is one slip."""
    assert distance(one, other, most=most) == expected


def test_only_telling_words_count() -> None:
    """At most six, as one HubSpot filter group takes; wildcards, civility and filler are left out."""
    assert telling_words("le dossier de M. * Martin (T3)") == ("martin", "t3")
    assert len(telling_words("un deux trois quatre cinq six sept huit neuf")) == 6


def test_a_town_has_one_spelling() -> None:
    """Hyphens, accents and the short form of « saint » do not count."""
    assert town("St-Étienne") == town("saint etienne") == "saint etienne"


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("Acte signé", "e"), ("signés", "e"), ("signée", "e"), ("gagné", "e"), ("closedwon", ""), ("perdu", "f"),
        ("sans suite", "f"), ("classé sans suite", "f"), ("financement", "d"), ("étude", "b"),
        ("etude patrimonial", "b"),
        ("en préco", "c"), ("rdv", "a"), ("acte signé chez le notaire", "e"), ("e", "e"), ("prêt accordé", ""),
        ("", ""), ("étape", ""),
    ],
)  # fmt: skip
def test_a_stage_is_read_against_the_firms_own_labels(said: str, ids: str) -> None:
    """Any telling part of a label, a slip in it, won or lost; anything else is no stage."""
    assert "".join(stage.id for stage in stages_meant(said, STAGES)) == ids


def test_words_that_fit_several_stages_give_them_all() -> None:
    """So that the user may be asked which."""
    two = (Stage("a", "Étude patrimoniale", "x"), Stage("b", "Étude fiscale", "x"))
    assert stages_meant("étude", two) == two
