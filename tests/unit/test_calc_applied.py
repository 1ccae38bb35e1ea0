"""Rules of one rate or ceiling, applied to the figure of a case."""

from typing import Any

import pytest

from pipeline.tools.calculation.values import Nonsense
from pipeline.tools.calculator import calculate
from tests.asking import ask
from tests.calculating import last


def opening(**arguments: Any) -> str:
    return calculate(arguments).sentences[0].replace("\u202f", " ").replace("\xa0", " ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"kind": "deposit", "rent_monthly": 640, "furnished": True}, "1 280 €"),
        ({"kind": "deposit", "rent_monthly": 640, "furnished": False}, "640 €"),
        ({"kind": "carrez", "sale_price": 310_000, "areas": [62, 57]}, "25 000 €"),
        ({"kind": "carrez", "sale_price": 310_000, "areas": [57, 62]}, "25 000 €"),
        ({"kind": "carrez", "sale_price": 310_000, "areas": [62, 60]}, "pas de baisse"),
        ({"kind": "malraux", "works": 450_000, "plan": "psmv"}, "120 000 €"),
        ({"kind": "malraux", "works": 100_000, "plan": "pvap"}, "22 000 €"),
        ({"kind": "letting", "rent_yearly": 7_200, "level": "loc2"}, "2 520 €"),
        ({"kind": "letting", "rent_yearly": 7_200, "level": "loc3", "intermediation": True}, "4 680 €"),
        ({"kind": "allowance", "holding_years": 5}, "0 % pour l'impôt sur le revenu et 0 %"),
        ({"kind": "allowance", "holding_years": 16}, "66 % pour l'impôt sur le revenu et 18,15 %"),
        ({"kind": "allowance", "holding_years": 22}, "100 % pour l'impôt sur le revenu et 28 %"),
        ({"kind": "allowance", "holding_years": 30}, "100 % pour les prélèvements sociaux"),
    ],
)
def test_the_rule_is_worked_out(arguments: dict[str, Any], told: str) -> None:
    assert told in opening(**arguments)


def test_what_is_not_told_is_told_for_each_case() -> None:
    assert len(calculate({"kind": "deposit", "rent_monthly": 700}).sentences) == 2
    assert len(calculate({"kind": "malraux", "works": 90_000}).sentences) == 2
    assert len(calculate({"kind": "letting", "rent_yearly": 6_000}).sentences) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "letting", "rent_yearly": 7_200, "level": "loc3"},
        {"kind": "carrez", "sale_price": 310_000, "areas": [62, 62]},
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any]) -> None:
    """The highest level goes through an agency; two equal areas are no mistake."""
    with pytest.raises(Nonsense):
        calculate(arguments)


@pytest.mark.parametrize("kind", ["deposit", "carrez", "malraux", "letting", "allowance"])
def test_what_is_missing_is_asked_back(kind: str) -> None:
    assert calculate({"kind": kind}).asks


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("studio meublé à 530 hors charges, caution max que je peux demander ?", "deposit"),
        ("on annonçait 71 m² Carrez, le géomètre mesure 66 m², vendu 240 000 : quelle baisse de prix ?", "carrez"),
        ("Malraux en PVAP, 180 000 de travaux, économie d'impôt ?", "malraux"),
        ("loc'avantages loc1 à 8 400 de loyers par an, réduction d'impôt ?", "letting"),
        ("appart vide loué 9 600 € par an, dépôt de garantie max ?", "deposit"),
        ("maison de campagne détenue 14 ans, quel abattement sur la plus-value ?", "allowance"),
    ],
)
def test_a_few_words_and_the_figure_ask_for_it(text: str, kind: str) -> None:
    call, *_ = last(text)
    assert call.arguments["kind"] == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("revendu 310 000, acheté 200 000 il y a 12 ans, quel impôt après abattement ?", "gain"),
        ("appart à 150 000 loué meublé 640, rendement brut avec le dépôt de garantie combien ?", "yield"),
    ],
)
def test_beside_the_inputs_of_a_larger_calculation_it_is_not_asked(text: str, kind: str) -> None:
    call, *_ = last(text)
    assert call.arguments["kind"] == kind


def test_a_price_that_holds_the_works_is_the_whole_cost() -> None:
    """What the works were was asked back, and nobody needs it for the reduction."""
    call, _, said = last("Denormandie 220 000 travaux compris, 90 m2, engagement 9 ans, réduction d'impôt ?")
    assert (call.arguments.get("total_cost"), call.arguments.get("purchase_price")) == (220_000, None)
    assert "39 600" in said.replace("\u202f", " ").replace("\xa0", " ")
    assert calculate({"kind": "reduction", "total_cost": 220_000}).assumptions
    assert calculate({"kind": "reduction", "purchase_price": 220_000}).asks


def test_a_letting_without_an_agency_between_is_told_once() -> None:
    """« calculé sans elle » was assumed of what had been said."""
    for text, said in (("sans intermédiation", False), ("avec intermédiation", True), ("", None)):
        call, _, _ = last(f"loc'avantages loc2 {text}, 8 400 de loyers par an, réduction d'impôt ?")
        assert call.arguments.get("intermediation") is said


def test_a_rent_of_a_year_is_twelve_deposits() -> None:
    _, values, _ = last("appart vide loué 9 600 € par an, dépôt de garantie max ?")
    assert values["Dépôt de garantie au plus, en location nue"] == 800


def test_both_areas_are_taken() -> None:
    call, *_ = last("on annonçait 71 m² Carrez, le géomètre mesure 66 m², vendu 240 000 : quelle baisse de prix ?")
    assert call.arguments["areas"] == [71, 66]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("à 17 ans de détention, l'abattement de plus-value ?", 17),
        ("abattement plus-value pour une vente au bout de 9 ans", 9),
        ("plus-value : quel abattement si on garde 25 ans", 25),
        ("abattement sur la plus-value, 18 ans", 18),
    ],
)
def test_the_years_are_those_of_holding(text: str, years: int) -> None:
    call, *_ = last(text)
    assert (call.arguments["kind"], call.arguments.get("holding_years")) == ("allowance", years)


def test_without_years_an_allowance_is_a_rule() -> None:
    assert ask("quel abattement sur la plus-value pour un bien détenu en indivision ?").mode == "rag"
