"""Everyday words count as what the texts call them where it is decided whether anything found answers."""

from dataclasses import replace

import pytest

from corpus.everyday import stand_ins
from corpus.types import Passage
from pipeline.relevance.floors import enough

TEXT = "La taxe foncière est déductible des revenus fonciers au régime réel, hors taxe d'ordures ménagères."


def found(text: str) -> list[Passage]:
    return [Passage("a#0", "a", 0, "Régime réel", (), text, "https://www.impots.gouv.fr", "regulation", coverage=0.8)]


def test_an_abbreviation_is_known_by_what_it_stands_for() -> None:
    assert {"tf"} == set(stand_ins("la TF est déductible ?"))
    assert enough("la TF est déductible ?", found(TEXT))


@pytest.mark.parametrize("text", ["la GRL est déductible ?", "la TF ?"])
def test_what_no_text_holds_stays_unknown(text: str) -> None:
    """Another abbreviation, or a text that speaks of something else."""
    passages = found(TEXT) if "GRL" in text else found("Le dépôt de garantie est rendu sous un mois.")
    assert not enough(text, passages)


def test_what_came_a_moment_ago_is_enough_by_its_words_beside_older_vectors() -> None:
    """Its own vector comes after; until then only the words can say that it answers."""
    older = replace(found("Le dépôt de garantie est rendu sous un mois.")[0], similarity=0.8, coverage=0.1)
    assert enough("la taxe foncière est déductible ?", [older, *found(TEXT)])
    assert not enough("la taxe foncière est déductible ?", [older])
