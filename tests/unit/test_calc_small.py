"""The small calculators, and what stands beside a loan: every number worked out here again, by another way."""

from typing import Any

import pytest

from pipeline.tools.calculator import calculate


def value(label: str, **arguments: Any) -> float:
    found = {entry.figure.label: entry.figure.value for entry in calculate(arguments).results}
    return found[label]


def said(**arguments: Any) -> str:
    worked = calculate(arguments)
    return " ".join((*worked.sentences, *worked.assumptions)).replace("\u202f", "").replace("\xa0", " ")


def repaid(capital: float, rate: float, months: int, after: int) -> tuple[float, float]:
    """(instalment, capital left), month by month."""
    i = rate / 1200
    paid = capital * i * (1 + i) ** months / ((1 + i) ** months - 1)
    for _ in range(after):
        capital -= paid - capital * i
    return paid, capital


def test_purchase_fees_of_an_old_home() -> None:
    """Price 300 000: 6.3185 %, 0.10 %, and the notary's scale step by step with its VAT."""
    notary = (6_500 * 0.0387 + 10_500 * 0.01596 + 43_000 * 0.01064 + 240_000 * 0.00799) * 1.2
    due = value("Frais d'acquisition", kind="fees", purchase_price=300_000)
    assert due == pytest.approx(300_000 * 0.063185 + 300 + notary, abs=0.02)
    assert 0.07 < due / 300_000 < 0.08
    told = said(kind="fees", purchase_price=300_000)
    assert "Logement supposé ancien" in told
    assert "31/03/2028" in told


def test_purchase_fees_at_a_told_share_are_that_share() -> None:
    """« 7,8 % de l'assiette », says the notary: 250,000 at 7.8 %, and no scale."""
    assert value("Frais d'acquisition", kind="fees", purchase_price=250_000, fees_percent=7.8) == 19_500


def test_purchase_fees_of_a_new_home_are_far_lower() -> None:
    due = value("Frais d'acquisition", kind="fees", purchase_price=300_000, new=True)
    assert due == pytest.approx(300_000 * 0.00815 + 3_353.10, abs=0.02)


@pytest.mark.parametrize(("capital", "rate", "due"), [(150_000, 3.5, 2_625), (100_000, 7.2, 3_000), (80_000, 1.1, 440)])
def test_an_early_repayment_costs_six_months_of_interest_at_most_three_percent(
    capital: float, rate: float, due: float
) -> None:
    assert value("Indemnité au plus", kind="early_repayment", loan_amount=capital, rate=rate) == due


def test_an_early_repayment_of_a_loan_on_its_way() -> None:
    _, left = repaid(240_000, 3.1, 240, 60)
    told: dict[str, Any] = {"loan_amount": 240_000, "rate": 3.1, "months": 240, "after_months": 60}
    assert value("Capital restant dû", kind="early_repayment", **told) == pytest.approx(left, abs=0.01)
    assert value("Indemnité au plus", kind="early_repayment", **told) == pytest.approx(left * 0.0155, abs=0.01)


@pytest.mark.parametrize(
    ("zone", "area", "rent"), [("B1", 60, 722.4), ("A", 45, 738), ("C", 20, 246.2), ("Abis", 200, 3_154)]
)
def test_the_highest_intermediate_rent(zone: str, area: float, rent: float) -> None:
    """The two first as the articles have them, from BOI-BAREME-000017: cents are rounded a m²."""
    found = value("Loyer mensuel maximal", kind="rent_ceiling", zone=zone, area=area)
    assert found == pytest.approx(rent, abs=0.01)


@pytest.mark.parametrize(("price", "fees", "works"), [(110_000, 10_000, 40_000), (90_000, 7_200, 32_400)])
def test_denormandie_works_are_a_quarter_of_all(price: float, fees: float, works: float) -> None:
    least = value("Travaux minimaux", kind="works_share", purchase_price=price, fees_amount=fees)
    assert least == works
    assert least / (price + fees + least) == pytest.approx(0.25)
    assert "donc non comptés" in said(kind="works_share", purchase_price=price)
    assert value("Travaux minimaux", kind="works_share", total_cost=200_000) == 50_000


def test_a_price_beside_the_median() -> None:
    told: dict[str, Any] = {"kind": "market", "purchase_price": 195_000, "area": 65, "median": 3_200}
    assert value("Prix au m²", **told) == 3_000
    assert value("Écart avec la médiane", **told) == 6.25
    assert "au-dessous" in said(**told)
    assert value("Prix estimé", kind="market", area=65, median=3_200) == 208_000


@pytest.mark.parametrize(
    ("claimed", "verdict"), [(1_300, "ne correspond pas"), (1_027, "juste"), (900, "de moins que")]
)
def test_an_instalment_that_somebody_claims_is_checked(claimed: float, verdict: str) -> None:
    paid, _ = repaid(185_000, 3, 240, 0)
    told: dict[str, Any] = {"kind": "loan", "loan_amount": 185_000, "rate": 3, "months": 240, "claimed": claimed}
    assert value("Mensualité hors assurance", **told) == pytest.approx(paid, abs=0.01)
    assert verdict in calculate(told).sentences[0]


def test_a_year_of_instalments_with_insurance() -> None:
    paid, _ = repaid(185_000, 3, 240, 0)
    told: dict[str, Any] = {"loan_amount": 185_000, "rate": 3, "months": 240, "insurance_rate": 0.36}
    year = value("Total annuel des mensualités", kind="loan", wanted="yearly", **told)
    assert year == pytest.approx(12 * (round(paid, 2) + 55.5), abs=0.01)


def test_a_down_payment_beside_an_amount_borrowed_is_not_dropped_in_silence() -> None:
    told = said(kind="loan", loan_amount=210_000, rate=3.4, months=240, down_payment=30_000)
    assert "si c'est le prix, il reste 180000 € à emprunter" in told


def test_what_is_left_to_live_on() -> None:
    told: dict[str, Any] = {"income_monthly": [2_600, 1_900], "debts_monthly": 180, "monthly_payment": 1_150}
    assert value("Reste à vivre", kind="capacity", wanted="left", **told) == 3_170
    assert calculate({"kind": "capacity", "wanted": "left", **told}).sentences[0].startswith("Reste à vivre")


@pytest.mark.parametrize(
    ("charges", "rent"),
    [
        ({}, 1_000),
        ({"property_tax": 1_200}, 1_100),
        ({"property_tax": 1_200, "vacancy_months": 1}, 1_200),
        ({"property_tax": 1_200, "management_percent": 12}, 1_250),
    ],
)
def test_the_rent_of_a_wanted_yield_gives_it_back(charges: dict[str, float], rent: float) -> None:
    """6 % of 200 000 is 12 000 a year, after what comes off."""
    told: dict[str, Any] = {"kind": "yield", "total_cost": 200_000, **charges}
    found = value("Loyer mensuel pour le rendement visé", **told, target_yield=6, wanted="rent")
    assert found == pytest.approx(rent, abs=0.01)
    level = "Rendement net" if charges else "Rendement brut"
    assert value(level, **told, rent_monthly=found) == pytest.approx(6, abs=0.01)


def test_transfer_taxes_alone_and_the_department_that_was_told() -> None:
    """5 %: 1.2 % of the commune and 2.37 % of the department's own come on top, 6.3185 %."""
    told: dict[str, Any] = {"kind": "fees", "purchase_price": 285_000, "wanted": "transfer"}
    assert value("Droits et taxes de mutation", transfer_rate=5, **told) == pytest.approx(18_007.73, abs=0.01)
    assert value("Droits et taxes de mutation", transfer_rate=4.5, **told) == pytest.approx(
        285_000 * 0.0580665, abs=0.01
    )
    assert value("Droits et taxes de mutation", transfer_rate=6.3185, **told) == pytest.approx(18_007.73, abs=0.01)
    assert said(**told).startswith("Droits et taxes de mutation : 18007,73 €")


def test_the_notarys_own_pay_with_and_without_vat() -> None:
    told = said(kind="fees", purchase_price=400_000, wanted="notary")
    assert told.startswith("Émoluments du notaire : 4311,90 € TVA comprise, soit 3593,25 € hors taxes")


@pytest.mark.parametrize(("years", "worth"), [(10, 57_500), (11, 115_000), (15, 115_000), (20, 115_000), (21, 172_500)])
def test_a_usufruct_for_a_time_counts_each_period_begun(years: int, worth: int) -> None:
    assert value("Usufruit", kind="usufruct", amount=250_000, term=years) == worth


def test_a_gift_of_bare_ownership_is_taxed_on_what_is_given() -> None:
    """68 years: 60 % of 400,000 to two children, 20,000 each above the allowance."""
    told: dict[str, Any] = {"kind": "duties", "amount": 400_000, "age": 68, "relation": "child", "heirs": 2}
    assert value("Droits", passes="bare", **told) == 4_388.70
    assert value("Droits par bénéficiaire", passes="bare", **told) == 2_194.35
    assert value("Droits", passes="usufruct", **told) == 0
    assert value("Droits", **told) == pytest.approx(2 * 18_194.35)
    worked = calculate({"kind": "duties", "amount": 400_000, "passes": "bare", "relation": "child"})
    assert (worked.results, worked.missing) == ((), ("age",))


def test_wealth_is_added_up_home_by_home() -> None:
    told: dict[str, Any] = {"kind": "wealth_tax", "main_home": 900_000}
    assert value("Montant de l'IFI", assets=[1_270_000], **told) == 6_700
    assert value("Montant de l'IFI", wealth=2_170_000, **told) == 6_700
    assert value("Montant de l'IFI", wealth=2_400_000, debts=600_000, kind="wealth_tax") == 6_000
    assert "au-dessus du seuil de 1300000 €" in said(wealth=2_170_000, **told)


def test_a_home_shared_out() -> None:
    told: dict[str, Any] = {"kind": "partition", "amount": 380_000, "debt": 140_000}
    assert value("Soulte", **told) == 120_000
    assert value("Montant du droit de partage", couple_ends=True, **told) == 2_640
    assert value("Montant du droit de partage", **told) == 6_000


def test_a_denormandie_reduction_keeps_its_ceilings_and_its_works() -> None:
    told: dict[str, Any] = {"kind": "reduction", "purchase_price": 100_000, "works": 50_000, "months": 108}
    assert value("Réduction d'impôt sur 9 ans", **told) == 27_000
    assert value("Réduction d'impôt sur 9 ans", area=20, **told) == 110_000 * 0.18
    assert "pas de réduction" in said(**{**told, "works": 30_000})


def test_shares_and_rents_by_area() -> None:
    assert value("Montant des droits d'enregistrement", kind="shares_duty", amount=80_000) == 4_000
    assert value("Loyer au m²", kind="rent_area", rent_monthly=689, area=47) == 14.66
