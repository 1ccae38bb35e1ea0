"""The calculator: worked examples, rules at their edges, and no figure for absurd inputs."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.figures import figures, supports
from pipeline.tools.calculation.capacity import capacity
from pipeline.tools.calculation.capital_gain import capital_gain
from pipeline.tools.calculation.holding import income_tax_allowance, social_allowance
from pipeline.tools.calculation.loan import cost_of_loan, debt_ratio, instalment
from pipeline.tools.calculation.relance import deduction
from pipeline.tools.calculation.values import Nonsense
from pipeline.tools.calculation.yields import gross_yield, net_net_yield, net_yield
from pipeline.tools.calculator import KINDS, CalculatorTool, calculate
from pipeline.types import ToolCall, ToolResult

PURCHASE = {"kind": "yield", "cost": 190_000, "rent_per_month": 800, "charges_per_year": 2_400, "marginal_rate": 30}
SALE = {"kind": "capital_gain", "sale_price": 300_000, "purchase_price": 200_000}
LOAN = {"kind": "loan", "principal": 200_000, "annual_rate": 3.3, "years": 20}


async def run(arguments: dict[str, Any]) -> ToolResult:
    return await CalculatorTool().run(ToolCall("calculator", arguments))


def value(arguments: dict[str, Any], label: str) -> float:
    return next(entry.figure.value for entry in calculate(arguments).results if entry.figure.label == label)


def test_yields_of_the_worked_example() -> None:
    """800 a month for 190,000, 2,400 of charges, 30 %: 5.05, 3.79 and 2.00 %."""
    assert gross_yield(cost=190_000, rent_per_month=800) == 5.05
    assert net_yield(cost=190_000, rent_per_month=800, charges_per_year=2_400) == 3.79
    assert net_net_yield(cost=190_000, net_rent=7_200, marginal_rate=30) == 2.00


async def test_the_text_states_formula_inputs_and_result() -> None:
    """Each level with what it rests on; the base of the rule; the ledger with its formulas."""
    result = await run(PURCHASE)
    for part in ("5,05\u00a0%", "3,79\u00a0%", "2,00\u00a0%", "9\u202f600\u00a0€", "17,2\u00a0%", "CGI"):
        assert part in result.text
    assert result.as_of is not None
    assert all(entry.formula for entry in calculate(PURCHASE).results)
    assert "net-net" not in (await run({**PURCHASE, "marginal_rate": None})).text
    assert "n'ont pas été indiqués" in (await run({**PURCHASE, "fees_known": False})).text


def test_instalments_agree_with_the_schedule() -> None:
    """Paying the instalment month by month ends within a few euros of zero, also at 0 %."""
    for rate, months in ((3.3, 240), (0.5, 60), (12.0, 480), (0.0, 100)):
        left, paid = 200_000.0, instalment(principal=200_000, annual_rate=rate, months=months)
        for _ in range(months):
            left += left * rate / 1200 - paid
        assert abs(left) < 0.005 * months * (1 + rate / 1200) ** months
    assert instalment(principal=200_000, annual_rate=0, months=100) == 2_000
    assert cost_of_loan(principal=120_000, annual_rate=0, months=120, insurance_rate=0.36) == 36 * 120


def test_a_longer_term_than_the_rule_and_a_ratio_at_its_edge() -> None:
    """35 % exactly holds, a euro more does not; 25 years, 27 when deferred."""
    assert debt_ratio(monthly_debts=1_400, monthly_income=4_000) == 35.0
    edge = {"kind": "debt", "monthly_debts": 1_400, "monthly_income": 4_000}
    assert "il respecte" in " ".join(calculate(edge).sentences)
    assert "il dépasse" in " ".join(calculate({**edge, "monthly_debts": 1_400.01}).sentences)
    assert "respecte la durée" in " ".join(calculate({**edge, "years": 25}).sentences)
    assert "dépasse la durée" in " ".join(calculate({**edge, "years": 26}).sentences)
    assert "respecte la durée" in " ".join(calculate({**edge, "years": 27, "deferred": True}).sentences)


@pytest.mark.parametrize(
    ("years", "ir", "ps"),
    [(0, 0, 0), (5, 0, 0), (6, 6, 1.65), (10, 30, 8.25), (21, 96, 26.4), (22, 100, 28), (23, 100, 37), (29, 100, 91),
     (30, 100, 100), (60, 100, 100)],
)  # fmt: skip
def test_allowances_by_year_of_holding(years: int, ir: float, ps: float) -> None:
    """Free of income tax at 22 years, of social levies at 30."""
    assert income_tax_allowance(years) == ir
    assert social_allowance(years) == ps


def test_a_private_sellers_gain_with_both_lump_sums() -> None:
    """200,000 sold 300,000 after 10 years: 245,000 corrected, 55,000 gross, 38,500 at 19 %, 50,462.50 at 17.2 %."""
    held = {**SALE, "years": 10}
    assert value(held, "Prix d'achat corrigé") == 245_000
    assert value(held, "Plus-value brute") == 55_000
    assert value(held, "Impôt sur la plus-value") == 7_315
    assert value(held, "Prélèvements sociaux") == 8_680
    assert value(held, "Impôt et prélèvements") == 15_995


def test_the_works_lump_sum_needs_more_than_five_years() -> None:
    """Five years to the day are not more than five; a day later they are; what was proved counts instead."""
    dates = {**SALE, "acquired": "2020-03-10", "sold": "2025-03-10"}
    assert value(dates, "Travaux retenus") == 0
    assert value({**dates, "sold": "2025-03-11"}, "Travaux retenus") == 30_000
    assert value({**SALE, "years": 5}, "Travaux retenus") == 0
    assert value({**SALE, "years": 6, "works": 10_000, "acquisition_costs": 1}, "Prix d'achat corrigé") == 210_001


def test_the_yield_that_was_asked_for_comes_first() -> None:
    """Net-net before net before gross: the first sentence is what an answer opens with."""
    told = {"kind": "yield", "cost": 220_000, "rent_per_month": 900}
    assert calculate(told).sentences[0].startswith("Rendement brut")
    assert calculate({**told, "charges_per_year": 1_100}).sentences[0].startswith("Rendement net :")
    deepest = calculate({**told, "charges_per_year": 1_100, "marginal_rate": 30}).sentences
    assert [sentence.split(" :")[0] for sentence in deepest[:3]] == [
        "Rendement net-net",
        "Rendement net",
        "Rendement brut",
    ]


def test_a_loss_is_not_taxed() -> None:
    """No tax below zero, and a sentence that says so."""
    loss = capital_gain(net_sale=100, corrected_purchase=200, years=1)
    assert (loss.gross, loss.tax) == (-100, 0)
    assert "pas de plus-value" in " ".join(calculate({**SALE, "sale_price": 150_000, "years": 3}).sentences)


def test_depreciation_comes_back_into_the_gain_of_a_furnished_let() -> None:
    """Bought 200,000, 50,000 depreciated, sold 250,000: 100,000 of gross gain, and nothing before February 2025."""
    sale = {"kind": "lmnp", "sale_price": 250_000, "purchase_price": 200_000, "depreciation": 50_000}
    assert value({**sale, "years": 8}, "Plus-value brute") == 100_000
    with pytest.raises(Nonsense, match="15/02/2025"):
        calculate({**sale, "acquired": "2015-01-01", "sold": "2025-02-14"})
    assert value({**sale, "acquired": "2015-01-01", "sold": "2025-02-15"}, "Plus-value brute") == 100_000


@pytest.mark.parametrize(
    ("price", "level", "state", "raw", "kept"),
    [
        (220_000, "intermediate", "new", 6_160, 6_160),
        (300_000, "intermediate", "new", 8_400, 8_000),
        (300_000, "social", "new", 10_800, 10_000),
        (300_000, "very_social", "new", 13_200, 12_000),
        (220_000, "intermediate", "existing", 5_280, 5_280),
        (220_000, "social", "existing", 6_160, 6_160),
        (220_000, "very_social", "existing", 7_040, 7_040),
    ],
)
def test_relance_deduction_and_its_ceilings(price: float, level: str, state: str, raw: float, kept: float) -> None:
    """80 % of the price at the rate of the rent's level, within the household's ceiling."""
    assert deduction(price=price, level=level, state=state) == (raw, kept)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Précisez le calcul"),
        ({"kind": "__class__"}, "Précisez le calcul"),
        ({**LOAN, "annual_rate": -1}, "négative"),
        ({**LOAN, "annual_rate": 900}, "bornes"),
        ({**LOAN, "years": 0}, "au moins un mois"),
        ({**LOAN, "years": -3}, "négative"),
        ({**LOAN, "years": 1e300}, "bornes"),
        ({**LOAN, "months": 12.5}, "entier"),
        ({**LOAN, "principal": float("nan")}, "illisible"),
        ({**LOAN, "principal": float("inf")}, "illisible"),
        ({**LOAN, "principal": 10**400}, "illisible"),
        ({**LOAN, "principal": True}, "illisible"),
        ({**LOAN, "principal": "200000"}, "illisible"),
        ({**LOAN, "principal": None}, "manque"),
        ({**PURCHASE, "cost": -190_000}, "négative"),
        ({**PURCHASE, "cost": 1}, "bornes"),
        ({**PURCHASE, "cost": 2_000}, "dépasserait"),
        ({**PURCHASE, "charges_per_year": None}, "charges"),
        ({**PURCHASE, "marginal_rate": 90}, "bornes"),
        ({"kind": "debt", "monthly_debts": 900_000, "monthly_income": 10}, "dix fois"),
        ({"kind": "debt", "monthly_debts": 900, "monthly_income": 0}, "bornes"),
        ({**SALE}, "durée de détention"),
        ({**SALE, "acquired": "2025-01-01", "sold": "2020-01-01"}, "précéder"),
        ({**SALE, "acquired": "hier", "sold": "2020-01-01"}, "date de l'achat"),
        ({**SALE, "kind": "lmnp", "depreciation": 300_000, "years": 3}, "dépassent"),
        ({"kind": "relance", "price": 220_000}, "niveau de loyer"),
        ({"kind": "relance", "price": 220_000, "level": "social", "house": True}, "exclues"),
        ({"kind": "relance", "price": 220_000, "level": "social", "state": "existing"}, "travaux"),
        ({"kind": "relance", "price": 220_000, "level": "social", "state": "existing", "works": 65_999}, "30 %"),
    ],
)
async def test_absurd_or_missing_inputs_give_a_sentence_and_no_figure(arguments: dict[str, Any], said: str) -> None:
    """Negative rates, a loan over 0 years, infinite amounts: a reason, nothing computed."""
    result = await run(arguments)
    assert said in (result.error or "")
    assert not result.figures
    assert not result.text


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.floats(1, 500_000), st.floats(0, 30),
    st.sampled_from(["intermediate", "social", "existing", "2020-01-01", "2026-06-01"]),
)  # fmt: skip
INPUTS = (
    "cost rent_per_month charges_per_year marginal_rate principal annual_rate years months insurance_rate "
    "monthly_debts monthly_income sale_price purchase_price depreciation works acquired sold price level "
    "state house sale_costs"
)


@given(kind=st.sampled_from(sorted(KINDS)), inputs=st.dictionaries(st.sampled_from(INPUTS.split(" ")), ANYTHING))
def test_no_input_escapes(kind: str, inputs: dict[str, Any]) -> None:
    """A result with finite figures, or an error; never an exception."""
    result = asyncio.run(run({"kind": kind, **inputs}))
    assert bool(result.error) != bool(result.figures)
    assert all(abs(figure.value) < 1e12 for figure in result.figures)


@given(
    cost=st.floats(50_000, 2e6),
    rent=st.floats(100, 3_000),
    charges=st.floats(0, 9_000),
    rate=st.sampled_from([0, 11, 30, 41, 45]),
)
def test_every_figure_of_a_yield_is_listed(cost: float, rent: float, charges: float, rate: int) -> None:
    """The figure check must find each number of the text among the tool's own."""
    given_ = {
        "kind": "yield",
        "cost": round(cost, 2),
        "rent_per_month": round(rent, 2),
        "charges_per_year": round(charges, 2),
    }
    worked = calculate({**given_, "marginal_rate": rate})
    values = [*worked.inputs, *(entry.figure for entry in worked.results)]
    listed = [v for f in values for v in figures(f"{f.value:.2f} {f.unit}".replace(".", ","))]
    for claim in figures(" ".join(worked.sentences)):
        assert any(supports(source, claim) for source in listed), claim


@given(st.floats(1_000, 20_000), st.floats(0, 10), st.integers(12, 480), st.floats(0, 1))
def test_what_can_be_borrowed_is_what_the_instalment_pays(
    income: float, rate: float, months: int, insurance: float
) -> None:
    """Turned round: the loan of that capital costs 35 % of the income by the month, to a euro of capital."""
    most = capacity(instalment=income * 0.35, annual_rate=rate, months=months, insurance_rate=insurance)
    paid = instalment(principal=most, annual_rate=rate, months=months) + most * insurance / 1200
    assert paid <= income * 0.35 + 0.01
    more = most + 2
    assert instalment(principal=more, annual_rate=rate, months=months) + more * insurance / 1200 > income * 0.35 - 0.01


def test_the_capacity_says_its_rule_and_refuses_without_room() -> None:
    """5,000 a month less 300 of instalments, 20 years at 3.5 %: 1,450 a month, 250,017 euros."""
    told = {"kind": "capacity", "monthly_income": 5_000, "monthly_debts": 300, "annual_rate": 3.5, "months": 240}
    assert value(told, "Mensualité possible") == 1_450
    assert value(told, "Capacité d'emprunt") == 250_017
    assert "27 ans" not in " ".join(calculate(told).sentences)
    assert "dépasse la durée maximale" in " ".join(calculate({**told, "months": 312}).sentences)
    with pytest.raises(Nonsense, match="pas de marge"):
        calculate({**told, "monthly_debts": 1_800})


def test_the_cost_of_a_loan_comes_first_when_it_is_asked_for() -> None:
    """The same sentences in another order."""
    told = {"kind": "loan", "principal": 300_000, "annual_rate": 3.5, "months": 300}
    assert calculate(told).sentences[0].startswith("Mensualité")
    assert calculate({**told, "cost_first": True}).sentences[0].startswith("Coût total du crédit")
