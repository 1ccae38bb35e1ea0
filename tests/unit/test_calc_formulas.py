"""Every result that an answer tells comes with its formula, in few lines."""

import re
from typing import Any

import pytest

from pipeline.extractive.candidates import quotable
from pipeline.tools.calculation.formulas import formula_lines
from pipeline.tools.calculator import calculate, told
from tests.calculations import EXAMPLES


def plain(text: str) -> str:
    return text.replace("\u202f", "").replace("\xa0", " ")


def number(text: str) -> str:
    """A formula as Python reads it: without units, percents as shares."""
    text = re.sub(r"([\d,]+) %", r"(\1/100)", plain(text)).replace("€", "").replace(",", ".")
    text = re.sub(r" de (?:charges|frais|travaux)| d'(?:apport|intérêts)", "", text)
    return text.replace("−", "-").replace("×", "*")


@pytest.mark.parametrize("arguments", EXAMPLES, ids=lambda arguments: arguments["kind"])
def test_each_answer_shows_formulas_that_can_be_quoted(arguments: dict[str, Any]) -> None:
    lines = formula_lines(calculate(arguments))
    assert 1 <= len(lines) <= 4
    assert all(line.startswith("Formule") and quotable(line) for line in lines)
    assert all(line in told(calculate(arguments)) for line in lines)


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        ({"kind": "yield", "purchase_price": 210_000, "rent_monthly": 875}, "rendement brut", 0.05),
        ({"kind": "regime", "rent_yearly": 9_000, "charges_yearly": 2_000, "tmi": 30, "furnished": False},
         "impôt et prélèvements, location nue au réel", 7_000 * 0.472),
        ({"kind": "gain", "sale_price": 300_000, "purchase_price": 200_000, "holding_years": 10},
         "impôt sur la plus-value", 0.19 * (300_000 - 200_000 * 1.225) * 0.7),
    ],
)  # fmt: skip
def test_a_formula_gives_its_result(arguments: dict[str, Any], name: str, value: float) -> None:
    """Worked out again from what is shown."""
    shown = " ; ".join(line.split(" : ", 1)[1].rstrip(".") for line in formula_lines(calculate(arguments)))
    formula = next(part for part in shown.split(" ; ") if part.startswith(f"{name} = ")).split(" = ")[1]
    assert eval(number(formula)) == pytest.approx(value)


def test_several_cases_share_one_formula() -> None:
    worked = calculate({"kind": "loan", "loan_amount": 150_000, "rate": [3.1, 3.4], "months": [180, 240]})
    lines = " ".join(formula_lines(worked))
    assert lines.count("mensualité hors assurance =") == 1
    assert "de même pour les autres cas" in lines


def test_an_intermediate_sum_shows_no_formula() -> None:
    worked = calculate({"kind": "yield", "purchase_price": 160_000, "rent_monthly": 700, "property_tax": 900})
    assert "loyers annuels" not in " ".join(formula_lines(worked))
