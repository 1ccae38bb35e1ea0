"""What a household owns, passes on and pays: usufruct, duties, IFI, income tax, a revised rent. Worked out by hand."""

from typing import Any

import pytest

from pipeline.tools.calculation.values import Nonsense
from pipeline.tools.calculator import calculate
from tests.asking import ask


def value(label: str, **arguments: Any) -> float:
    return {entry.figure.label: entry.figure.value for entry in calculate(arguments).results}[label]


@pytest.mark.parametrize(("age", "use"), [(20, 360_000), (21, 320_000), (60, 200_000), (61, 160_000), (91, 40_000)])
def test_an_usufruct_changes_at_the_birthday_after_each_ten_years(age: int, use: float) -> None:
    told: dict[str, Any] = {"kind": "usufruct", "amount": 400_000, "age": age}
    assert (value("Usufruit", **told), value("Nue-propriété", **told)) == (use, 400_000 - use)


def test_duties_of_a_child_go_step_by_step_after_the_allowance() -> None:
    """50 000 are left: 8 072 at 5 %, 4 037 at 10 %, 3 823 at 15 %, 34 068 at 20 %."""
    assert value("Droits", kind="duties", amount=150_000, relation="child") == 8_194.35
    assert value("Droits", kind="duties", amount=100_000, relation="child") == 0


def test_each_parent_has_an_allowance_for_each_child() -> None:
    told: dict[str, Any] = {"kind": "duties", "relation": "child", "heirs": 2}
    assert value("Droits", **told, amount=400_000, givers=2) == 0
    assert value("Droits", **told, amount=600_000, givers=2) == 4 * 8_194.35
    assert value("Droits", **told, amount=300_000, estate=True, givers=2) == 2 * 8_194.35  # one dies


@pytest.mark.parametrize(
    ("relation", "amount", "due"),
    [("sibling", 115_932, 24_430 * 0.35 + 75_570 * 0.45), ("niece", 107_967, 55_000), ("unrelated", 10_000, 6_000)],
)
def test_others_pay_by_their_own_scale(relation: str, amount: float, due: float) -> None:
    assert value("Droits", kind="duties", amount=amount, relation=relation) == pytest.approx(due, abs=0.01)


def test_what_the_records_do_not_hold_is_not_computed() -> None:
    """A spouse's gift beyond the allowance, an estate that passes to a grandchild."""
    given = calculate({"kind": "duties", "amount": 200_000, "relation": "spouse"})
    assert given.results == ()
    assert "époux" in given.asks
    with pytest.raises(Nonsense, match="petit-enfant"):
        calculate({"kind": "duties", "amount": 200_000, "relation": "grandchild", "estate": True})
    assert value("Droits", kind="duties", amount=200_000, relation="spouse", estate=True) == 0


@pytest.mark.parametrize(
    ("wealth", "home", "due"),
    [(1_300_000, 0, 0), (1_350_000, 0, 2_225), (2_000_000, 0, 7_400), (1_900_000, 700_000, 5_230), (800_000, 0, 0)],
)
def test_wealth_tax_starts_at_its_threshold_and_counts_from_below(wealth: float, home: float, due: float) -> None:
    assert value("Montant de l'IFI", kind="wealth_tax", wealth=wealth, main_home=home) == due


def test_a_rent_follows_its_index() -> None:
    told: dict[str, Any] = {"kind": "rent_revision", "rent_monthly": 750, "indices": [143.46, 145.47]}
    assert value("Loyer révisé", **told) == 760.51


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("usufruit d'une maison de 310k si le vendeur a 78 ans ?", {"kind": "usufruct", "amount": 310_000, "age": 78}),
        ("la nue-propriété d'un studio de 120k vaut combien si papa a 69 ans",
         {"kind": "usufruct", "amount": 120_000, "age": 69, "wanted": "bare"}),
        ("cb de droits si mamie donne 60 000 à son petit-fils",
         {"kind": "duties", "amount": 60_000, "relation": "grandchild"}),
        ("héritage de 500 000 pour 3 enfants, droits à payer ?",
         {"kind": "duties", "amount": 500_000, "relation": "child", "heirs": 3, "estate": True}),
        ("leurs parents donnent 320 000 € à leurs deux filles, quels droits de donation ?",
         {"kind": "duties", "amount": 320_000, "relation": "child", "heirs": 2, "givers": 2}),
        ("ifi sur 1,8 M€ dont rp 500 000", {"kind": "wealth_tax", "wealth": 1_800_000, "main_home": 500_000}),
        ("impôt sur le revenu pour un couple avec 3 enfants et 95 000 €",
         {"kind": "income_tax", "income_yearly": 95_000, "parts": 4}),
        ("un déficit foncier de 12 000 € à 41 %, ça économise combien", {"kind": "deficit", "deficit": 12_000}),
        ("loyer 690, irl 142,06 puis 144,51 : nouveau loyer ?",
         {"kind": "rent_revision", "rent_monthly": 690, "indices": [142.06, 144.51]}),
        ("plus-value brute de 90 000 après 12 ans", {"kind": "gain", "gain": 90_000, "holding_years": 12}),
        ("à quel prix d'achat avec 640 de loyer et 5,5 % brut",
         {"kind": "yield", "rent_monthly": 640, "target_yield": 5.5}),
        ("prix au m² de 231 000 pour 58 m²", {"kind": "market", "purchase_price": 231_000, "area": 58}),
    ],
)  # fmt: skip
def test_what_an_advisor_asks_reaches_its_calculator(text: str, arguments: dict[str, Any]) -> None:
    (call,) = (call for call in ask(text).tool_calls if call.tool == "calculator")
    assert arguments.items() <= call.arguments.items()


@pytest.mark.parametrize(
    "text",
    ["seuil de l'IFI ?", "barème de l'usufruit", "quel abattement pour une donation à un enfant", "c'est quoi l'IRL"],
)
def test_without_an_amount_these_are_questions_of_rules(text: str) -> None:
    assert all(call.tool != "calculator" for call in ask(text).tool_calls)
