"""Regimes side by side, land deficits and the income scale, against figures worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.calculation.taxes.income_tax import bracket, income_tax
from pipeline.tools.calculation.taxes.regime_cases import UNCLASSIFIED, Year, bare_real, furnished_real, micro
from pipeline.tools.calculation.values import Worked
from pipeline.tools.calculator import calculate

RENTS = {"kind": "regime", "rent_yearly": 12_000, "charges_yearly": 5_000, "tmi": 30}


def value(worked: Worked, label: str) -> float:
    return next(entry.figure.value for entry in worked.results if entry.figure.label == label)


def test_micro_and_real_of_a_bare_let() -> None:
    """12,000 of rents, 5,000 of charges, 47.2 %: 3,964.80 and 3,304."""
    worked = calculate({**RENTS, "furnished": False})
    assert value(worked, "Impôt et prélèvements, location nue au micro-foncier") == 3_964.80
    assert value(worked, "Impôt et prélèvements, location nue au réel") == 3_304
    assert value(worked, "Écart d'impôt entre régimes") == 660.80
    assert worked.sentences[0].startswith("Régime le moins imposé : location nue au réel")
    assert len(worked.table) == 3


def test_micro_and_real_of_a_furnished_let() -> None:
    """20,000 of rents, 6,000 of charges, 7,000 of depreciation, 48.6 %: 4,860 and 3,402."""
    told = {"kind": "regime", "rent_yearly": 20_000, "charges_yearly": 6_000, "depreciation": 7_000, "tmi": 30}
    worked = calculate({**told, "furnished": True})
    assert value(worked, "Impôt et prélèvements, meublé au micro-BIC") == 4_860
    assert value(worked, "Impôt et prélèvements, meublé au réel") == 3_402
    assert not worked.asks


def test_all_four_are_compared_when_nobody_said_which() -> None:
    """Bare and furnished, micro and real, at the same rent, which is said."""
    worked = calculate({**RENTS, "depreciation": 3_000})
    assert [row[0] for row in worked.table[1:]] == [
        "location nue au micro-foncier", "location nue au réel", "meublé au micro-BIC", "meublé au réel"
    ]  # fmt: skip
    assert any("les deux sont comparées" in said for said in worked.assumptions)


def test_a_micro_above_its_ceiling_is_not_offered() -> None:
    """15,000 bare and 83,600 furnished hold, a euro more does not; the reason is said."""
    for rent, furnished, name in ((15_000, False, "micro-foncier"), (83_600, True, "micro-BIC")):
        told = {**RENTS, "rent_yearly": rent, "furnished": furnished}
        assert name in str(calculate(told).table)
        above = calculate({**told, "rent_yearly": rent + 1})
        assert name not in str(above.table)
        assert "n'est pas ouvert" in " ".join(above.sentences)


def test_tourist_lets_have_their_own_allowance() -> None:
    """12,000 of receipts: 6,000 taxed when classified, 8,400 when not; nobody said: both, and the question."""
    told = {"kind": "regime", "rent_yearly": 12_000, "tmi": 30, "tourist": True}
    classified = value(
        calculate({**told, "classified": True}), "Revenu imposable, meublé de tourisme classé au micro-BIC"
    )
    assert classified == 6_000
    not_ = value(
        calculate({**told, "classified": False}), "Revenu imposable, meublé de tourisme non classé au micro-BIC"
    )
    assert not_ == 8_400
    both = calculate({**told, "charges_yearly": 500, "depreciation": 2_000})
    assert both.missing == ("classified",)
    assert len(both.table) == 4
    assert micro(UNCLASSIFIED, Year(15_001)) is None


def test_the_micro_allowance_is_at_least_305() -> None:
    """500 of receipts leave 195, and 200 leave nothing."""
    assert (
        value(calculate({**RENTS, "rent_yearly": 500, "furnished": True}), "Revenu imposable, meublé au micro-BIC")
        == 195
    )
    assert (
        value(calculate({**RENTS, "rent_yearly": 200, "furnished": True}), "Revenu imposable, meublé au micro-BIC") == 0
    )


def test_a_land_deficit_comes_off_the_overall_income_up_to_its_ceiling() -> None:
    """9,000 of rents, 24,000 of works: 10,700 off, 4,300 carried, 3,210 saved at 30 %."""
    worked = calculate({"kind": "regime", "rent_yearly": 9_000, "works": 24_000, "tmi": 30, "furnished": False})
    assert value(worked, "Déficit foncier imputé sur le revenu global") == 10_700
    assert value(worked, "Report, location nue au réel (déficit foncier)") == 4_300
    assert value(worked, "Impôt et prélèvements, location nue au réel") == -3_210


@pytest.mark.parametrize(
    ("rents", "charges", "interest", "imputed", "carried"),
    [
        (9_000, 24_000, 0, 10_700, 4_300),
        (9_000, 12_000, 3_000, 6_000, 0),
        (9_000, 2_000, 10_000, 2_000, 1_000),
        (9_000, 0, 12_000, 0, 3_000),
        (9_000, 20_000, 12_000, 10_700, 12_300),
    ],
)
def test_interest_never_comes_off_the_overall_income(
    rents: float, charges: float, interest: float, imputed: float, carried: float
) -> None:
    """The rents bear the interest first; its surplus and what passes 10,700 are carried on."""
    case = bare_real(Year(rents, charges, interest))
    assert (case.base, case.imputed, case.carried) == (0, imputed, carried)


def test_earlier_deficits_lower_the_taxed_rents() -> None:
    """7,000 of profit less 4,000 carried; beyond, what is left is carried on."""
    assert bare_real(Year(12_000, 5_000, earlier=4_000)).base == 3_000
    case = bare_real(Year(12_000, 5_000, earlier=9_000))
    assert (case.base, case.carried) == (0, 2_000)


def test_depreciation_never_makes_a_deficit() -> None:
    """12,000 of rents, 9,000 of charges, 6,000 of depreciation: 3,000 used, 3,000 carried; a loss is carried apart."""
    case = furnished_real(Year(12_000, 9_000, depreciation=6_000))
    assert (case.base, case.carried, case.carries) == (0, 3_000, "amortissement")
    loss = furnished_real(Year(5_000, 9_000, depreciation=6_000))
    assert (loss.base, loss.carried) == (0, 4_000)
    assert "location meublée" in loss.carries


def test_depreciation_is_assumed_from_the_price_or_left_out_and_said() -> None:
    """300,000 less a fifth of land over 30 years: 8,000; without a price, the threshold of the real regime."""
    told = {**RENTS, "furnished": True}
    worked = calculate({**told, "purchase_price": 300_000})
    assert value(worked, "Amortissement annuel estimé") == 8_000
    assert any("à vérifier" in said for said in worked.assumptions)
    without = calculate(told)
    assert value(without, "Amortissement à partir duquel le réel l'emporte") == 1_000
    assert without.missing == ("purchase_price", "depreciation")


def test_receipts_above_23000_name_the_professional_landlord() -> None:
    """Only for furnished lets."""
    assert "professionnel" in " ".join(calculate({**RENTS, "rent_yearly": 23_001, "furnished": True}).sentences)
    assert "professionnel" not in " ".join(calculate({**RENTS, "rent_yearly": 23_000, "furnished": True}).sentences)
    assert "professionnel" not in " ".join(calculate({**RENTS, "rent_yearly": 23_001, "furnished": False}).sentences)


def test_without_a_bracket_the_bases_are_given_and_the_bracket_asked_for() -> None:
    """No tax is guessed."""
    worked = calculate({**RENTS, "tmi": None})
    assert worked.missing == ("tmi", "income_yearly")
    assert worked.sentences[0].startswith("Revenu imposable")
    assert not any("Impôt" in entry.figure.label for entry in worked.results)


def test_a_deficit_alone() -> None:
    """18,000: 10,700 off, 7,300 carried, 4,387 saved at 41 %; the bracket is asked for when nobody told it."""
    worked = calculate({"kind": "regime", "deficit": 18_000, "tmi": 41})
    assert value(worked, "Économie d'impôt sur le revenu") == 4_387
    assert value(worked, "Déficit reporté") == 7_300
    assert calculate({"kind": "regime", "deficit": 8_000}).missing == ("tmi", "income_yearly")
    assert value(calculate({"kind": "regime", "deficit": 8_000}), "Déficit imputé sur le revenu global") == 8_000


@pytest.mark.parametrize(
    ("quotient", "rate"),
    [(0, 0), (11_600, 0), (11_600.01, 11), (29_579, 11), (29_580, 30), (84_577, 30), (84_578, 41), (181_917, 41),
     (181_918, 45), (1e7, 45)],
)  # fmt: skip
def test_the_bracket_at_each_threshold(quotient: float, rate: float) -> None:
    """The scale of the income of 2025."""
    assert bracket(quotient) == rate


@pytest.mark.parametrize(
    ("income", "parts", "due"),
    [
        (45_000, 1, 6_604),  # 11 % of 17,979 + 30 % of 15,421
        (11_600, 1, 0),
        (18_000, 1, 126),  # 704 less a relief of 897 - 45.25 % of 704
        (90_000, 2, 13_207),  # twice 6,603.99
        (90_000, 3, 9_593),  # capped: 13,207.98 - 2 x 1,807
        (40_000, 3, 0),  # 3 x 11 % of 1,733.33 = 572, less a relief of 1,224
    ],
)
def test_income_tax_by_hand(income: float, parts: float, due: float) -> None:
    """Scale, ceiling of the half-parts, relief; the articles' example of 45,000 among them."""
    assert income_tax(income, parts).due == pytest.approx(due, abs=1)


def test_the_ceiling_of_the_half_parts_keeps_the_bracket_of_the_couple() -> None:
    """With 4 parts and 95,000, one more euro is taxed at 30 % and not at 11 %."""
    assert income_tax(95_000, 4).capped
    assert income_tax(95_000, 4).marginal == 30
    assert income_tax(40_000, 4).marginal == 0


def test_the_household_gives_the_bracket_of_the_rents() -> None:
    """45,000 alone: 30 %; the parts nobody told are said to be one."""
    worked = calculate({"kind": "regime", "rent_yearly": 10_000, "charges_yearly": 0, "income_yearly": 45_000,
                        "furnished": False})  # fmt: skip
    assert value(worked, "Tranche marginale d'imposition") == 30
    assert value(worked, "Impôt et prélèvements, location nue au micro-foncier") == 3_304
    assert worked.missing == ("parts",)
    assert any("une seule part" in said for said in worked.assumptions)


@given(st.floats(0, 500_000), st.sampled_from([1, 1.5, 2, 2.5, 3, 4, 6]), st.floats(1, 20_000))
def test_more_income_is_never_less_tax_and_more_parts_never_more(income: float, parts: float, more: float) -> None:
    """Monotonic; the tax never passes 45 % of the income."""
    here = income_tax(income, parts)
    assert income_tax(income + more, parts).due >= here.due
    assert income_tax(income, parts + 0.5).due <= here.due
    assert here.due <= income * 0.45 + 1


@given(st.floats(100, 15_000), st.floats(0, 15_000), st.floats(0, 9_000), st.sampled_from([0, 11, 30, 41, 45]))
def test_more_charges_are_never_more_tax_at_the_real_regime(
    rent: float, charges: float, interest: float, tmi: int
) -> None:
    """Bare and furnished alike, and nothing is lost: base, deficit and what is carried add up."""
    year, more = Year(rent, charges, interest, 0.0), Year(rent, charges + 500, interest, 0.0)
    assert bare_real(more).tax(tmi) <= bare_real(year).tax(tmi)
    assert furnished_real(more).tax(tmi) <= furnished_real(year).tax(tmi)
    for case in (bare_real(year), furnished_real(year)):
        assert case.base - case.imputed - case.carried == pytest.approx(rent - charges - interest, abs=0.03)
