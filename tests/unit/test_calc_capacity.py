"""What a household can borrow, and what share of its income an instalment takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.calculation.loans.amortisation import instalment
from pipeline.tools.calculation.values import Worked
from pipeline.tools.calculator import calculate

HOME = {"kind": "capacity", "income_monthly": 5_000, "debts_monthly": 300, "rate": 3.5, "months": 240}


def value(worked: Worked, label: str) -> float:
    return next(entry.figure.value for entry in worked.results if entry.figure.label == label)


def test_the_worked_example() -> None:
    """5,000 a month less 300 of instalments, 20 years at 3.5 %: 1,450 a month, 250,017 euros."""
    worked = calculate(HOME)
    assert value(worked, "Mensualité possible") == 1_450
    assert value(worked, "Capacité d'emprunt") == 250_017
    assert worked.sentences[0].startswith("Capacité d'emprunt : 250\u202f017")


def test_two_incomes_and_two_debts_are_summed() -> None:
    """Lists and single values say the same."""
    several = calculate({**HOME, "income_monthly": [2_600, 2_400], "debts_monthly": [200, 100]})
    assert value(several, "Capacité d'emprunt") == 250_017
    assert value(several, "Revenus retenus") == 5_000


def test_rents_count_for_seventy_percent_unless_told() -> None:
    """700 of rent add 490, or 560 at 80 %; the custom is said to be one."""
    worked = calculate({**HOME, "rent_monthly": 700})
    assert value(worked, "Revenus retenus") == 5_490
    assert "à vérifier auprès de la banque" in " ".join(worked.assumptions)
    assert value(calculate({**HOME, "rent_monthly": [400, 300], "rent_weight": 80}), "Revenus retenus") == 5_560


def test_durations_side_by_side() -> None:
    """20 and 25 years when none is told, with the gap; any told are compared."""
    worked = calculate({**HOME, "months": None})
    assert [row[0] for row in worked.table[1:]] == ["à 3,5\u00a0% sur 20 ans", "à 3,5\u00a0% sur 25 ans"]
    assert worked.missing == ("months",)
    both = calculate({**HOME, "months": [180, 240]})
    low, high = (value(both, f"Capacité d'emprunt à 3,5\u00a0% sur {years} ans") for years in (15, 20))
    assert value(both, "Écart de capacité") == high - low
    assert not both.asks


def test_without_a_rate_the_instalment_is_given_and_the_rate_asked_for() -> None:
    """No market rate is made up."""
    worked = calculate({"kind": "capacity", "income_monthly": 5_000})
    assert value(worked, "Mensualité possible") == 1_750
    assert worked.missing == ("rate", "months")
    assert not any("Capacité" in entry.figure.label for entry in worked.results)


def test_the_budget_adds_the_down_payment_and_takes_the_fees_off() -> None:
    """(250,017 + 30,000) / 1.08, or / 1.03 in a new home."""
    worked = calculate({**HOME, "down_payment": 30_000})
    assert value(worked, "Prix d'achat possible, hors frais") == 259_275
    assert "supposés de 8" in " ".join(worked.assumptions)
    new = calculate({**HOME, "down_payment": 30_000, "fees_percent": 3, "wanted": "budget"})
    assert value(new, "Prix d'achat possible, hors frais") == 271_861.17
    assert new.sentences[0].startswith("Budget d'achat")


def test_a_wished_instalment_gives_the_debt_ratio() -> None:
    """35 % exactly holds, a cent more does not; debts are added."""
    edge = {"kind": "capacity", "income_monthly": 4_000, "monthly_payment": 1_400}
    assert value(calculate(edge), "Taux d'effort") == 35
    assert "il respecte" in calculate(edge).sentences[0]
    assert "il dépasse" in calculate({**edge, "monthly_payment": 1_400.01}).sentences[0]
    assert value(calculate({**edge, "debts_monthly": [50, 50]}), "Taux d'effort") == 37.5


def test_a_wished_loan_gives_the_debt_ratio_too() -> None:
    """200,000 at 3.3 % over 20 years with 0.36 % of insurance: 1,199.47 of 4,000."""
    told = {"kind": "capacity", "income_monthly": 4_000, "loan_amount": 200_000, "rate": 3.3, "months": 240}
    worked = calculate({**told, "insurance_rate": 0.36})
    assert value(worked, "Mensualité du prêt") == 1_199.47
    assert value(worked, "Taux d'effort") == 29.99
    assert calculate({**told, "rate": None}).missing == ("rate",)


def test_an_insurance_told_beside_the_instalment_is_paid_too() -> None:
    """1,362 and 58 of insurance, 95 of another loan, of 4,480: 33.82 %."""
    told = {"income_monthly": 4_480, "monthly_payment": 1_362, "insurance_monthly": 58, "debts_monthly": 95}
    assert value(calculate({"kind": "capacity", **told}), "Taux d'effort") == pytest.approx(33.82, abs=0.005)


def test_the_income_of_which_instalments_take_the_ceiling() -> None:
    """1,680 and 210 are 35 % of 5,400; without any instalment it is asked for."""
    told = {"kind": "capacity", "monthly_payment": 1_680, "debts_monthly": 210, "wanted": "income"}
    worked = calculate(told)
    assert value(worked, "Revenu mensuel nécessaire") == 5_400
    assert worked.sentences[0].startswith("Revenu mensuel nécessaire : 5\u202f400")
    unpaid = calculate({"kind": "capacity", "debts_monthly": 210, "wanted": "income"})
    assert "monthly_payment" in unpaid.missing
    assert not unpaid.sentences


def test_a_loan_without_its_rate_says_nothing_of_a_ratio() -> None:
    """« Une banque peut déroger à ce plafond » stood alone."""
    told = {"kind": "capacity", "income_monthly": 4_480, "debts_monthly": [1_362, 95], "loan_amount": 248_000}
    assert not calculate({**told, "months": 300, "wanted": "ratio"}).sentences


def test_debts_above_the_ceiling_leave_nothing_to_borrow() -> None:
    """An answer and not an error: the room is negative, and how much is said."""
    worked = calculate({**HOME, "debts_monthly": 1_800})
    assert value(worked, "Dépassement de mensualité") == 50
    assert "Aucune marge" in worked.sentences[0]


def test_a_longer_term_than_the_rule_is_said() -> None:
    """25 years hold, 26 do not."""
    assert "durée maximale" not in " ".join(calculate({**HOME, "months": 300}).sentences)
    assert "durée maximale" in " ".join(calculate({**HOME, "months": 312}).sentences)


@given(st.floats(1_000, 20_000), st.floats(0, 10), st.integers(12, 480), st.floats(0, 1))
def test_the_instalment_of_the_capacity_is_the_room(income: float, rate: float, months: int, insurance: float) -> None:
    """Turned round, to a euro of capital: what can be borrowed costs 35 % of the income by the month."""
    told = {"kind": "capacity", "income_monthly": income, "rate": rate, "months": months, "insurance_rate": insurance}
    most = value(calculate(told), "Capacité d'emprunt")
    paid = instalment(principal=most, annual_rate=rate, months=months) + most * insurance / 1200
    assert paid <= income * 0.35 + 0.02
    assert paid == pytest.approx(income * 0.35, abs=0.02 + 1.2 * (1 / months + rate / 1200 + insurance / 1200))


@given(st.floats(1_000, 20_000), st.floats(0, 300), st.floats(0, 9))
def test_more_debts_or_a_higher_rate_borrow_less(income: float, debt: float, rate: float) -> None:
    """Monotonic in both."""
    told = {"kind": "capacity", "income_monthly": income, "debts_monthly": debt, "rate": rate, "months": 240}
    most = value(calculate(told), "Capacité d'emprunt")
    assert value(calculate({**told, "debts_monthly": debt + 10}), "Capacité d'emprunt") < most
    assert value(calculate({**told, "rate": rate + 1}), "Capacité d'emprunt") < most


def test_the_insurance_paid_by_the_month_is_part_of_a_wished_loans_instalment() -> None:
    """1,287.72 and 60 of 4,800: 28.08 %; it was told, and must not be left out."""
    told = {"kind": "capacity", "income_monthly": 4_800, "loan_amount": 260_000, "rate": 3.4, "months": 300}
    assert value(calculate({**told, "insurance_monthly": 60, "wanted": "ratio"}), "Taux d'effort") == 28.08


@pytest.mark.parametrize("wanted", ["ratio", "left"])
def test_a_share_of_income_that_nothing_takes_is_asked_back(wanted: str) -> None:
    """« Taux d'effort : 0 % » is no answer; a household that says it owes nothing has one."""
    told = {"kind": "capacity", "income_monthly": 4_800, "wanted": wanted}
    asked = calculate(told)
    assert not asked.results
    assert asked.missing == ("monthly_payment",)
    assert value(calculate({**told, "debts_monthly": 0}), "Taux d'effort") == 0
