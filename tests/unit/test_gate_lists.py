"""Parallel lists: each figure is bound to its own condition, in the source and in the claim."""

import pytest

from pipeline.grounding.lists import read_out
from tests.unit.test_gate_ties import gated

LOAN = (
    "Le prêt couvre 50 %, 40 %, 30 % ou 20 % du coût selon que l'emprunteur relève de la première, deuxième, "
    "troisième ou quatrième tranche."
)
AID = "Les taux de l'aide sont de 45 % et de 10 % pour les revenus intermédiaires et supérieurs."
DUTY = "Le neuf et l'ancien supportent respectivement 2 % et 8 % de frais."
SOLACE = "L'abattement est de 1,65 % la 21e année et de 1,60 % la 22e année."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("12 %, 18 % ou 21 % pour 6, 9 ou 12 ans.", "12 % pour 6 ans, 18 % pour 9 ans, 21 % pour 12 ans."),
        ("9/12/14 % pour 6/9/12 ans", "9 % pour 6 ans, 12 % pour 9 ans, 14 % pour 12 ans"),
        ("50 et 40 € en 1ère et 2ème tranche.", "50 € en 1ère tranche, 40 € en 2ème tranche."),
        ("entre 3 et 5 % pour les maisons et les appartements", "entre 3 et 5 % pour les maisons et les appartements"),
        ("45 % et 10 % pour les revenus moyens", "45 % et 10 % pour les revenus moyens"),
    ],
)
def test_a_list_is_read_out_where_it_has_as_many_conditions(text: str, told: str) -> None:
    """A range is none, nor is a list without conditions of its own."""
    assert read_out(text) == told


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Le prêt couvre 30 % du coût quand l'emprunteur relève de la troisième tranche.", LOAN),
        ("Pour les revenus intermédiaires, le taux de l'aide est de 45 %.", AID),
        ("L'ancien supporte 8 % de frais.", DUTY),
        ("L'abattement est de 1,60 % la 22e année.", SOLACE),
    ],
)
def test_a_figure_with_its_own_condition_stands(claim: str, source: str) -> None:
    assert gated(f"{claim[:-1]} [1].", source).kept == (claim,)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("En troisième tranche, le prêt couvre 20 % du coût.", LOAN),
        ("Pour les revenus intermédiaires, le taux de l'aide est de 10 %.", AID),
        ("Le neuf supporte 8 % de frais.", DUTY),
        ("L'abattement est de 1,60 % la 21e année.", SOLACE),
        ("Le prêt couvre 40 % en première et 50 % en deuxième tranche.", LOAN),
    ],
)
def test_a_figure_with_the_condition_of_another_gives_way(claim: str, source: str) -> None:
    assert gated(f"{claim[:-1]} [1].", source).kept == ()
