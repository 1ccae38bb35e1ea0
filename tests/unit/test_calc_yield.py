"""Yields, cash flow and prices for a wanted yield, against figures worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.calculation.values import Worked
from pipeline.tools.calculator import calculate

PURCHASE = {"kind": "yield", "total_cost": 190_000, "rent_monthly": 800, "charges_yearly": 2_400, "tmi": 30}


def value(worked: Worked, label: str) -> float:
    return next(entry.figure.value for entry in worked.results if entry.figure.label == label)


def test_yields_of_the_worked_example() -> None:
    """800 a month for 190,000, 2,400 of charges, 30 %: 5.05, 3.79 and 2.00 %."""
    worked = calculate(PURCHASE)
    assert value(worked, "Rendement brut") == 5.05
    assert value(worked, "Rendement net") == 3.79
    assert value(worked, "Rendement net-net") == 2.00
    assert not worked.asks


def test_the_deepest_yield_comes_first_unless_another_is_wanted() -> None:
    """Net-net before net before gross: the first sentence is what an answer opens with."""
    deepest = calculate(PURCHASE).sentences
    assert [said.split(" :")[0] for said in deepest[:3]] == [
        "Rendement net-net", "Rendement net de charges", "Rendement brut"
    ]  # fmt: skip
    assert calculate({**PURCHASE, "wanted": "gross"}).sentences[0].startswith("Rendement brut")
    assert calculate({**PURCHASE, "wanted": "net"}).sentences[0].startswith("Rendement net de charges")


def test_several_lots_are_summed() -> None:
    """500 and 450 a month make 11,400 a year."""
    assert value(calculate({**PURCHASE, "rent_monthly": [500, 450]}), "Loyers annuels") == 11_400


def test_fees_in_percent_or_euros_and_works_make_the_cost() -> None:
    """200,000 + 8 % + 10,000 = 226,000, the same with 16,000 of fees."""
    bought = {"kind": "yield", "purchase_price": 200_000, "works": 10_000, "rent_monthly": 950, "charges_yearly": 0}
    for fees in ({"fees_percent": 8}, {"fees_amount": 16_000}):
        worked = calculate({**bought, **fees})
        assert value(worked, "Coût total de l'achat") == 226_000
        assert value(worked, "Rendement brut") == 5.04
    assert not any("Frais" in said for said in worked.assumptions)


def test_fees_nobody_spoke_of_are_not_counted_but_shown() -> None:
    """150,000 let at 690: 5.52 % as told, 5.11 % with 8 % of fees."""
    worked = calculate({"kind": "yield", "purchase_price": 150_000, "rent_monthly": 690})
    assert value(worked, "Rendement brut") == 5.52
    assert value(worked, "Rendement brut, frais estimés compris") == 5.11
    assert "à vérifier" in " ".join(worked.assumptions)
    assert worked.missing == ("charges_yearly", "property_tax")


@pytest.mark.parametrize(
    ("vacancy", "lost"), [({"vacancy_percent": 5}, 480), ({"vacancy_months": 1}, 800), ({"vacancy_weeks": 3}, 553.85)]
)
def test_vacancy_in_each_of_its_units(vacancy: dict[str, float], lost: float) -> None:
    """5 % of a year, one month of twelve, three weeks of 52; management is taken on what comes in."""
    worked = calculate({**PURCHASE, **vacancy, "management_percent": 10})
    assert value(worked, "Loyers perdus (vacance)") == lost
    assert value(worked, "Gestion") == pytest.approx((9_600 - lost) / 10, abs=0.01)
    assert value(worked, "Charges et vacance") == pytest.approx(2_400 + lost + (9_600 - lost) / 10, abs=0.02)


def test_a_month_of_vacancy_of_the_corpus() -> None:
    """7,200 of net rent less 800: 3.37 %."""
    assert value(calculate({**PURCHASE, "vacancy_months": 1}), "Rendement net") == 3.37


def test_furnished_and_bare_are_taxed_each_their_way() -> None:
    """Bare at the real regime: 47.2 % of 7,200. Furnished at the micro: 48.6 % of half of 9,600."""
    assert value(calculate({**PURCHASE, "furnished": False}), "Impôt et prélèvements") == 3_398.40
    assert value(calculate({**PURCHASE, "furnished": True}), "Impôt et prélèvements") == 2_332.80
    assert any("nue" in said for said in calculate(PURCHASE).assumptions)
    assert not any("nue" in said for said in calculate({**PURCHASE, "furnished": False}).assumptions)


def test_a_deficit_is_not_taxed() -> None:
    """Charges above the rents: no tax, a negative net yield."""
    worked = calculate({**PURCHASE, "charges_yearly": 12_000})
    assert value(worked, "Impôt et prélèvements") == 0
    assert value(worked, "Rendement net") == -1.26


def test_cash_flow_from_an_instalment_or_from_the_loan() -> None:
    """(9,600 - 2,400) / 12 - 601.25 = -1.25; 150,000 at 3.3 % over 240 months cost 854.60."""
    told = {**PURCHASE, "tmi": None, "monthly_payment": 601.25}
    assert value(calculate(told), "Cash-flow mensuel avant impôt") == -1.25
    loan = {**PURCHASE, "tmi": None, "down_payment": 40_000, "rate": 3.3, "months": 240}
    worked = calculate(loan)
    assert value(worked, "Capital emprunté") == 150_000
    assert value(worked, "Mensualité hors assurance") == 854.60
    assert value(worked, "Cash-flow mensuel avant impôt") == -254.60
    assert calculate({**loan, "wanted": "cash_flow"}).sentences[0].startswith("Cash-flow")
    missing = calculate({**loan, "months": None})
    assert missing.missing == ("months",)
    assert value(missing, "Rendement net") == 3.79


def test_cash_flow_after_tax_deducts_the_first_years_interest() -> None:
    """Bare: 7,200 less the interest of twelve months, at 47.2 %."""
    worked = calculate({**PURCHASE, "furnished": False, "loan_amount": 100_000, "rate": 3, "months": 240})
    left, interest = 100_000.0, 0.0
    paid = 554.60  # 100,000 at 3 % over 240 months
    for _ in range(12):
        interest += left * 0.0025
        left += left * 0.0025 - paid
    base = value(worked, "Revenu imposable avec le prêt")
    assert base == pytest.approx(7_200 - interest, abs=0.1)
    tax = value(worked, "Impôt et prélèvements avec le prêt")
    assert tax == pytest.approx(base * 0.472, abs=0.01)
    before = value(worked, "Cash-flow mensuel avant impôt")
    assert value(worked, "Cash-flow mensuel après impôt") == pytest.approx(before - tax / 12, abs=0.01)


def test_the_price_of_a_wanted_yield() -> None:
    """9,600 a year at 6 %: 160,000 in all, 148,148.15 without 8 % of fees; net of 900 of tax: 145,000."""
    wanted = {"kind": "yield", "rent_monthly": 800, "target_yield": 6}
    assert value(calculate(wanted), "Coût total pour le rendement visé") == 160_000
    assert value(calculate(wanted), "Prix d'achat pour le rendement visé") == 148_148.15
    net = calculate({**wanted, "property_tax": 900, "fees_percent": 0, "purchase_price": 150_000})
    assert value(net, "Prix d'achat pour le rendement visé") == 145_000
    assert value(net, "Écart avec le prix annoncé") == 5_000
    assert net.sentences[0].startswith("Prix d'achat pour un rendement net de 6\u00a0%")
    rent = calculate({"kind": "yield", "purchase_price": 180_000, "target_yield": 6})
    assert value(rent, "Loyer mensuel pour le rendement visé") == 900


def test_a_rent_alone_or_a_price_alone_asks_for_the_other() -> None:
    """What can be computed is, and the first thing missing is asked for."""
    assert calculate({"kind": "yield", "rent_monthly": 800}).missing == ("purchase_price",)
    assert value(calculate({"kind": "yield", "rent_monthly": 800}), "Loyers annuels") == 9_600
    assert calculate({"kind": "yield", "purchase_price": 150_000}).missing == ("rent_monthly",)


def test_price_and_rent_by_the_square_metre() -> None:
    """190,000 and 800 for 50 m²: 3,800 and 16."""
    worked = calculate({**PURCHASE, "area": 50})
    assert value(worked, "Prix au m²") == 3_800
    assert value(worked, "Loyer au m²") == 16


def test_charges_of_one_kind_leave_the_others_said() -> None:
    """Only the management told: the property tax counts for zero, and is asked for."""
    told = {**PURCHASE, "charges_yearly": None, "tmi": None, "management_percent": 7}
    worked = calculate(told)
    assert worked.missing == ("property_tax", "charges_yearly")
    assert any("comptées pour zéro" in said for said in worked.assumptions)
    assert not calculate({**told, "property_tax": 900}).asks


@given(st.floats(300, 5_000), st.floats(1, 15), st.floats(0, 15), st.floats(0, 200))
def test_the_price_for_a_yield_gives_that_yield(rent: float, target: float, fees: float, charges: float) -> None:
    """Turned round: bought at that price with those fees, the net yield is the one wanted."""
    told = {"kind": "yield", "rent_monthly": rent, "charges_yearly": charges, "fees_percent": fees}
    price = value(calculate({**told, "target_yield": target}), "Prix d'achat pour le rendement visé")
    assert value(calculate({**told, "purchase_price": price}), "Rendement net") == pytest.approx(target, abs=0.011)


@given(st.floats(300, 3_000), st.floats(0, 3_000), st.floats(1, 500))
def test_more_charges_yield_less(rent: float, charges: float, more: float) -> None:
    """Monotonic, and net is never above gross."""
    told = {"kind": "yield", "total_cost": 200_000, "rent_monthly": rent}
    less = calculate({**told, "charges_yearly": charges + more})
    assert value(less, "Rendement net") <= value(calculate({**told, "charges_yearly": charges}), "Rendement net")
    assert value(less, "Rendement net") <= value(less, "Rendement brut")


def test_scenarios_change_the_rent_and_nothing_else() -> None:
    """10 % less, as told, 10 % more: each column is what that rent alone would give, the middle the answer's own."""
    told = {**PURCHASE, "purchase_price": 190_000, "rate": 3.4, "months": 240, "property_tax": 900}
    (found,) = calculate(told).schedules
    assert found.steps == ("Prudent", "Central", "Favorable")
    assert [column.unit for column in found.columns] == ["%", "%", "%", "€/mois", "€/mois"]
    for column in found.columns:
        for place, rent in enumerate((720, 800, 880)):
            assert column.values[place] == value(calculate({**told, "rent_monthly": rent}), column.label)
    gross, net = found.columns[0].values, found.columns[1].values
    assert gross == (4.55, 5.05, 5.56)  # 8,640, 9,600 and 10,560 for 190,000
    assert net == (2.81, 3.32, 3.82)  # 3,300 of charges off each


@pytest.mark.parametrize(
    "told",
    [{"kind": "yield", "purchase_price": 187_500, "rent_monthly": 812.5}, {**PURCHASE, "target_yield": 6},
     {"kind": "yield", "rent_monthly": 800}, {**PURCHASE, "rent_monthly": 15_000}],
)  # fmt: skip
def test_rents_that_would_explain_nothing_make_no_scenarios(told: dict[str, object]) -> None:
    """A gross yield alone moves as the rent does; a price wanted; no price; a rent whose tenth more is nonsense."""
    assert calculate(told).schedules == ()


def test_a_yield_below_zero_is_a_value_like_others() -> None:
    (found,) = calculate({**PURCHASE, "rent_monthly": 180, "tmi": None}).schedules
    assert found.columns[1].values[0] < 0 < found.columns[0].values[0]
