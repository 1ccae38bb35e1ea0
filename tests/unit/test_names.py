"""Names typed in a hurry against names as they are written, and stages said in other words than the firm's."""

import pytest

from pipeline.crm_types import Stage
from pipeline.text.names import (
    ACCENTS,
    SPELT_ALIKE,
    START,
    TYPO,
    all_words,
    distance,
    fit,
    telling_words,
    told_apart,
    town,
)
from pipeline.text.stages import stages_meant, stages_named

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


@pytest.mark.parametrize(
    ("message", "ids", "left_out"),
    [
        ("deals perdus et pourquoi", "f", ""),
        ("dossiers gagnés ou perdus", "ef", ""),
        ("deals sans suite", "f", ""),
        ("deals de camille en preconisation > 300k", "c", ""),
        ("les préco de Hugo", "c", ""),
        ("dossiers en premier rendez-vous", "a", ""),
        ("combien en rdv", "a", ""),
        ("deals en financement en cours de camille", "d", ""),
        ("études patrimoniales", "b", ""),
        ("actes signées ce mois", "e", ""),
        ("préconisation ou financement", "cd", ""),
        ("quels sont mes deals en cours", "", ""),
        ("le premier dossier", "", ""),
        ("les deals qui signent en décembre", "", ""),
        ("signatures prévues en janvier", "", ""),
        ("celui qui signe", "", ""),
        ("le client il gagne combien", "", ""),
        ("ou en est petit", "", ""),
        ("combien de deals en tout", "", ""),
        ("dossiers hors financement", "", "d"),
        ("ceux pas encore signés", "", "e"),
    ],
)
def test_stages_are_found_wherever_they_stand(message: str, ids: str, left_out: str) -> None:
    """Anywhere in a message, in any gender and number; most messages name none."""
    found = stages_named(message, STAGES)
    assert "".join(sorted(stage.id for stage in found.meant)) == ids
    assert "".join(stage.id for stage in found.left_out) == left_out
    assert bool(found.words) == bool(ids or left_out)


def test_a_word_of_several_labels_names_none_of_them() -> None:
    """« étude » alone would be a guess."""
    two = (Stage("a", "Étude patrimoniale", "x"), Stage("b", "Étude fiscale", "x"))
    assert stages_named("dossiers en étude", two).meant == ()
    assert stages_named("dossiers en étude fiscale", two).meant == two[1:]


ROBERT = ("Dossier Robert - T2 Toulon Mourillon 9028", "Dossier Robert - viager Toulon 9038")


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("brief Robert viager", (1,)),
        ("tache Robert viager : rappeler jeudi", (1,)),
        ("robert t2", (0,)),
        ("robert 9028", (0,)),
        ("robert", (0, 1)),
        ("robert toulon", (0, 1)),
        ("le t2 et le viager de robert", (0, 1)),
        ("robert viaduc", (0, 1)),
    ],
)
def test_a_word_of_one_name_alone_tells_it_apart(message: str, left: tuple[int, ...]) -> None:
    """What stands in all of them, or as much in each, decides nothing."""
    assert told_apart(ROBERT, message) == left


def test_a_link_in_a_town_s_name_tells_nothing_apart() -> None:
    """« en » stands in Aix-en-Provence."""
    assert told_apart(("Roux - studio Aix-en-Provence", "Roux - maison Brest"), "on en est où avec Roux") == (0, 1)
