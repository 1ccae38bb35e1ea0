"""What one of several owes of an amount, and what the law takes of one amount."""

from typing import Any

import pytest

from pipeline.tools.calculation.values import Nonsense
from pipeline.tools.calculator import calculate


def told(**arguments: Any) -> str:
    return " ".join(calculate(arguments).sentences).replace("\u202f", " ").replace("\xa0", " ")


@pytest.mark.parametrize(
    ("arguments", "opening"),
    [
        ({"kind": "quota", "shared": 46_000, "part": 8.4}, "Quote-part : 3 864 €"),
        ({"kind": "charges_balance", "real": 1_487, "provisions_monthly": 110}, "167 € que le locataire doit encore"),
        ({"kind": "charges_balance", "real": 655, "provisions_monthly": 90, "paid_months": 8}, "65 € à rendre"),
        ({"kind": "charges_balance", "real": 905, "provisions_yearly": 720}, "185 € que le locataire doit encore"),
        ({"kind": "charges_balance", "real": 720, "provisions_yearly": 720}, "0 € à régler"),
        ({"kind": "late_deposit", "rent_monthly": 800, "months_late": 1.5}, "Majoration : 160 €"),
        ({"kind": "late_deposit", "rent_monthly": 650, "months_late": 3}, "Majoration : 195 €"),
        ({"kind": "completion_call", "price": 280_000, "stage": "roof"}, "196 000 € au plus, soit 70 %"),
        ({"kind": "completion_call", "price": 280_000, "stage": "finished"}, "Pour ce stade seul, 70 000 €"),
        ({"kind": "annuity", "annuity_yearly": 10_800, "age": 74}, "Rente imposable : 3 240 € par an"),
        ({"kind": "annuity", "annuity_yearly": 10_000, "age": 69}, "Rente imposable : 4 000 € par an"),
        ({"kind": "annuity", "annuity_yearly": 10_000, "age": 49}, "Rente imposable : 7 000 € par an"),
        ({"kind": "home_in_estate", "amount": 340_000}, "Valeur retenue : 272 000 €"),
    ],
)
def test_it_is_worked_out(arguments: dict[str, Any], opening: str) -> None:
    assert opening in told(**arguments)


def test_each_stage_is_told_where_none_is_named() -> None:
    """Without the step from one to the next, which nobody asked for."""
    worked = calculate({"kind": "completion_call", "price": 200_000})
    assert [result.figure.value for result in worked.results] == [70_000, 140_000, 190_000, 200_000]


@pytest.mark.parametrize(
    "kind", ["quota", "charges_balance", "late_deposit", "completion_call", "annuity", "home_in_estate"]
)
def test_what_is_missing_is_asked_back(kind: str) -> None:
    assert calculate({"kind": kind}).asks


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "annuity", "annuity_yearly": 9_000, "age": 12},
        {"kind": "quota", "shared": 9_000, "part": 120},
        {"kind": "completion_call", "price": 200_000, "stage": "cellar"},
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(Nonsense):
        calculate(arguments)
