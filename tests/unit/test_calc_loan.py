"""Loans against an amortisation table paid month by month, and each turned round."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.amounts import cents
from pipeline.tools.calculation.loans.amortisation import Loan, affordable, instalment, months_needed
from pipeline.tools.calculation.loans.loan_years import by_year
from pipeline.tools.calculation.values import Worked
from pipeline.tools.calculator import calculate

LOAN = {"kind": "loan", "loan_amount": 200_000, "rate": 3.3, "months": 240}


def value(worked: Worked, label: str) -> float:
    return next(entry.figure.value for entry in worked.results if entry.figure.label == label)


def schedule(capital: float, rate: float, months: int, *, defer: int = 0) -> list[tuple[float, float]]:
    """(interest, what is still owed) of each month, from the geometric series and not from the code's formula."""
    growth = 1 + rate / 1200
    paid = capital * growth ** (months - defer) / sum(growth**k for k in range(months - defer))
    left, rows = capital, []
    for month in range(months):
        interest = left * (growth - 1)
        left += interest - (interest if month < defer else paid)
        rows.append((interest, left))
    return rows


@pytest.mark.parametrize(
    ("rate", "months", "defer"), [(3.3, 240, 0), (0.5, 60, 0), (12.0, 480, 0), (3.5, 1, 0), (4, 300, 24), (0, 100, 10)]
)
def test_a_loan_agrees_with_its_table(rate: float, months: int, defer: int) -> None:
    """Instalment, interest in all, and what is owed after each year: to the rounding of the instalment."""
    loan, rows = Loan(200_000, rate, months, defer=defer), schedule(200_000, rate, months, defer=defer)
    assert abs(rows[-1][1]) < 0.01
    assert loan.interest == pytest.approx(sum(interest for interest, _ in rows), abs=0.006 * months)
    for after in {1, defer, months // 2, months - 1, months} - {0}:
        assert loan.remaining(after) == pytest.approx(rows[after - 1][1], abs=0.01)
        paid = sum(interest for interest, _ in rows[:after])
        assert loan.interest_paid(after) == pytest.approx(paid, abs=0.02 + 0.006 * defer)


def test_the_worked_examples_of_the_corpus() -> None:
    """200,000 at 3.3 %: 1,139.47 over 20 years, 979.92 over 25, about 73,473 of interest."""
    worked = calculate({**LOAN, "months": [240, 300]})
    assert value(worked, "Mensualité hors assurance à 3,3\u00a0% sur 20 ans") == 1_139.47
    assert value(worked, "Mensualité hors assurance à 3,3\u00a0% sur 25 ans") == 979.92
    assert value(worked, "Écart de mensualité") == 159.55
    assert value(worked, "Intérêts à 3,3\u00a0% sur 20 ans") == 73_472.80


def test_two_rates_side_by_side() -> None:
    """One result a case with the case in its label, the difference of the costs, and a table of both."""
    worked = calculate({**LOAN, "rate": [3.2, 3.5]})
    low, high = (
        value(worked, f"Coût total du crédit hors assurance à {rate}\u00a0% sur 20 ans") for rate in ("3,2", "3,5")
    )
    assert value(worked, "Écart de coût total") == round(high - low, 2)
    assert [row[0] for row in worked.table[1:]] == ["à 3,2\u00a0% sur 20 ans", "à 3,5\u00a0% sur 20 ans"]
    assert "Écart de coût total" in " ".join(worked.sentences)
    assert not calculate(LOAN).table
    assert not calculate({**LOAN, "rate": [3.3, 3.3]}).table


def test_many_cases_are_all_in_the_table_and_the_ends_in_the_sentence() -> None:
    """Nine cases: nine rows; the sentence names the cheapest and the dearest."""
    worked = calculate({**LOAN, "rate": [3, 3.2, 3.4], "months": [180, 240, 300]})
    assert len(worked.table) == 10
    assert worked.sentences[0].count(" sur ") == 2


def test_at_no_interest_the_capital_is_split() -> None:
    """0 %: equal parts, no interest to the cent, even when the parts are rounded."""
    worked = calculate({**LOAN, "loan_amount": 100_000, "rate": 0, "months": 7})
    assert value(worked, "Mensualité hors assurance") == 14_285.71
    assert value(worked, "Intérêts") == 0
    assert Loan(120_000, 0, 120, insurance=36).cost == 4_320


def test_one_month_pays_all_with_its_interest() -> None:
    """12,000 at 12 % over a month: 12,120."""
    assert instalment(principal=12_000, annual_rate=12, months=1) == 12_120


def test_an_in_fine_loan_pays_interest_and_then_the_capital() -> None:
    """550 a month at 3.3 % on 200,000, 66,000 over ten years, insurance of 60 a month on the initial capital."""
    worked = calculate({**LOAN, "months": 120, "in_fine": True, "insurance_rate": 0.36, "after_months": 60})
    assert value(worked, "Mensualité hors assurance") == 550
    assert value(worked, "Intérêts") == 66_000
    assert value(worked, "Coût total du crédit assurance comprise") == 73_200
    assert value(worked, "Capital restant dû") == 200_000
    assert value(worked, "Capital à rembourser au terme") == 200_000


def test_insurance_is_counted_on_the_initial_capital() -> None:
    """0.36 % of 200,000 is 60 a month to the end; a monthly amount told goes before the rate."""
    assert value(calculate({**LOAN, "insurance_rate": 0.36}), "Coût de l'assurance") == 14_400
    both = calculate({**LOAN, "insurance_rate": 0.36, "insurance_monthly": 45})
    assert value(both, "Assurance mensuelle") == 45
    assert not any("non indiquée" in said for said in both.assumptions)
    assert any("non indiquée" in said for said in calculate(LOAN).assumptions)


def test_what_was_asked_for_opens_the_answer() -> None:
    """The instalment unless the cost is wanted; what is still owed as soon as its month is told."""
    assert calculate(LOAN).sentences[0].startswith("Mensualité")
    assert calculate({**LOAN, "wanted": "cost"}).sentences[0].startswith("Coût total du crédit")
    assert calculate({**LOAN, "after_months": 84}).sentences[0].startswith("Capital restant dû après 7 ans")


def test_price_and_down_payment_make_the_capital() -> None:
    """250,000 with 50,000 down: 200,000 borrowed; fees nobody spoke of are shown beside it and asked about."""
    bought = {**LOAN, "loan_amount": None, "purchase_price": 250_000, "down_payment": 50_000}
    worked = calculate(bought)
    assert value(worked, "Capital emprunté") == 200_000
    assert value(worked, "Capital emprunté, frais compris") == 220_000
    assert worked.missing == ("fees_amount",)
    told = calculate({**bought, "fees_percent": 8, "works": 10_000})
    assert value(told, "Capital emprunté") == 230_000
    assert not told.asks


def test_no_market_rate_is_made_up() -> None:
    """Without a rate nothing but the capital is computed, and the rate is asked for."""
    assert not calculate({"kind": "loan", "loan_amount": 200_000, "months": 240}).results
    assert calculate({"kind": "loan", "loan_amount": 200_000, "months": 240}).missing == ("rate",)
    worked = calculate({"kind": "loan", "purchase_price": 250_000, "down_payment": 50_000})
    assert [entry.figure.value for entry in worked.results] == [200_000]
    assert worked.missing == ("rate", "months")


def test_without_a_duration_the_usual_ones_are_compared() -> None:
    """15, 20 and 25 years, said as an assumption, and the duration asked for."""
    worked = calculate({"kind": "loan", "loan_amount": 200_000, "rate": 3.3})
    assert len(worked.table) == 4
    assert worked.missing == ("months",)
    assert "Durée non indiquée" in " ".join(worked.assumptions)


def test_a_budget_affords_a_capital_or_needs_a_duration() -> None:
    """1,200 a month over 20 years at 3.3 % borrow 210,624; 150,000 are repaid in 154 months, by the table too."""
    assert (
        value(calculate({"kind": "loan", "monthly_cap": 1_200, "rate": 3.3, "months": 240}), "Capital empruntable")
        == 210_624
    )
    worked = calculate({"kind": "loan", "monthly_cap": 1_200, "rate": 3.3, "loan_amount": 150_000})
    assert value(worked, "Durée nécessaire à 3,3\u00a0%") == 154
    left = 150_000.0
    for _ in range(153):
        left += left * 3.3 / 1200 - 1_200
    assert 0 < left * (1 + 3.3 / 1200) <= 1_200
    never = calculate({"kind": "loan", "monthly_cap": 400, "rate": 3.3, "loan_amount": 150_000})
    assert "jamais remboursé" in never.sentences[0]


def test_a_loan_is_held_against_the_budget_told() -> None:
    """An instalment of 1,139.47 fits 1,200 and not 1,100."""
    assert "tient dans" in " ".join(calculate({**LOAN, "monthly_cap": 1_200}).sentences)
    assert "dépasse la limite" in " ".join(calculate({**LOAN, "monthly_cap": 1_100}).sentences)


def test_a_longer_term_than_the_rule_is_said() -> None:
    """25 years hold, a month more does not."""
    assert "plafond de 25 ans" not in " ".join(calculate({**LOAN, "months": 300}).sentences)
    assert "plafond de 25 ans" in " ".join(calculate({**LOAN, "months": 301}).sentences)


@given(st.floats(300, 20_000), st.floats(0, 12), st.integers(1, 480), st.floats(0, 1))
def test_what_can_be_borrowed_is_what_the_instalment_pays(paid: float, rate: float, months: int, cover: float) -> None:
    """Turned round: the loan of that capital costs the budget a month, to a euro of capital."""
    most = affordable(instalment=paid, annual_rate=rate, months=months, insurance_rate=cover)
    assert instalment(principal=most, annual_rate=rate, months=months) + most * cover / 1200 <= paid + 0.01
    more = most + 2
    assert instalment(principal=more, annual_rate=rate, months=months) + more * cover / 1200 > paid - 0.01


@given(st.floats(10_000, 900_000), st.floats(0, 12), st.integers(1, 480))
def test_the_duration_is_the_one_of_the_instalment(capital: float, rate: float, months: int) -> None:
    """Turned round: an instalment a cent above that of a duration needs no longer than it."""
    exact = instalment(principal=capital, annual_rate=rate, months=months) + 0.01
    needed = months_needed(principal=capital, instalment=exact, annual_rate=rate)
    assert needed is not None
    assert needed <= months


@given(st.floats(10_000, 900_000), st.floats(0.1, 11), st.integers(12, 479))
def test_more_rate_costs_more_and_more_time_costs_less_a_month(capital: float, rate: float, months: int) -> None:
    """Monotonic in rate and duration; what is owed never grows."""
    loan = Loan(capital, rate, months)
    assert Loan(capital, rate + 0.5, months).cost > loan.cost
    assert Loan(capital, rate, months + 1).instalment <= loan.instalment
    assert loan.remaining(months // 2) >= loan.remaining(months // 2 + 1)


@pytest.mark.parametrize("given_", [{}, {"months": 240}, {"rate": 3.3}, {"rate": 3.3, "months": 240}])
def test_without_capital_nor_budget_the_capital_is_asked_for(given_: dict[str, Any]) -> None:
    """Whatever else is known."""
    worked = calculate({"kind": "loan", **given_})
    assert worked.missing[0] == "loan_amount"
    assert not worked.results


@pytest.mark.parametrize(("rate", "months", "defer"), [(3.3, 240, 0), (0.5, 61, 0), (12.0, 480, 0), (4, 306, 24)])
def test_a_loan_by_year_agrees_with_its_table(rate: float, months: int, defer: int) -> None:
    """Capital and interest of each year, the last one short; whole columns are the results of the loan to the cent."""
    loan, rows = Loan(200_000, rate, months, insurance=31.37, defer=defer), schedule(200_000, rate, months, defer=defer)
    capital, interest, insurance = by_year(loan).columns
    for year in range(math.ceil(months / 12)):
        part = rows[12 * year : 12 * year + 12]
        before = rows[12 * year - 1][1] if year else 200_000
        last = 0.006 * months if 12 * (year + 1) >= months else 0.0
        assert capital.values[year] == pytest.approx(before - part[-1][1], abs=0.011)
        assert interest.values[year] == pytest.approx(
            sum(each for each, _ in part), abs=0.011 + last + (0.06 if defer else 0.0)
        )
        assert insurance.values[year] == pytest.approx(31.37 * len(part))
    for column, total in ((capital, 200_000), (interest, loan.interest), (insurance, cents(31.37 * months))):
        assert column.total == total
        assert math.fsum(column.values) == pytest.approx(total, abs=0.005)


def test_loans_side_by_side_show_what_each_costs() -> None:
    """The columns are the results of each case, in its order; a dozen cases are left to the table."""
    told = {**LOAN, "rate": [3.0, 3.6], "insurance_rate": 0.36}
    worked = calculate(told)
    (found,) = worked.schedules
    assert found.steps == ("à 3\u00a0% sur 20 ans", "à 3,6\u00a0% sur 20 ans")
    for column, label in zip(
        found.columns, ("Intérêts", "Coût de l'assurance", "Mensualité assurance comprise"), strict=True
    ):
        assert column.values == tuple(value(worked, f"{label} {step}") for step in found.steps)
    assert calculate({**told, "rate": [1, 2, 3, 4], "months": [60, 90, 120]}).schedules == ()
