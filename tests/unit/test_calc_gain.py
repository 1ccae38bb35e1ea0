"""Capital gains by hand: allowances, lump sums, dates, depreciation taken back, shares, exemptions."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.calculation.gains.gain_years import by_years
from pipeline.tools.calculation.gains.holding import income_tax_allowance, social_allowance
from pipeline.tools.calculation.gains.taxed_gain import taxed
from pipeline.tools.calculation.values import Worked
from pipeline.tools.calculator import calculate

SALE = {"kind": "gain", "sale_price": 300_000, "purchase_price": 200_000}
LMNP = {**SALE, "sale_price": 250_000, "depreciation": 50_000}


def value(worked: Worked, label: str) -> float:
    return next(entry.figure.value for entry in worked.results if entry.figure.label == label)


@pytest.mark.parametrize(
    ("years", "ir", "ps"),
    [(0, 0, 0), (5, 0, 0), (6, 6, 1.65), (10, 30, 8.25), (21, 96, 26.4), (22, 100, 28), (23, 100, 37), (29, 100, 91),
     (30, 100, 100), (60, 100, 100)],
)  # fmt: skip
def test_allowances_by_year_of_holding(years: int, ir: float, ps: float) -> None:
    """Free of income tax at 22 years, of social levies at 30."""
    assert income_tax_allowance(years) == ir
    assert social_allowance(years) == ps


def test_a_gain_with_both_lump_sums() -> None:
    """200,000 sold 300,000 after 10 years: 245,000 corrected, 55,000 gross, 38,500 at 19 %, 50,462.50 at 17.2 %."""
    worked = calculate({**SALE, "holding_years": 10})
    assert value(worked, "Prix d'achat corrigé") == 245_000
    assert value(worked, "Plus-value brute") == 55_000
    assert value(worked, "Impôt sur la plus-value") == 7_315
    assert value(worked, "Prélèvements sociaux") == 8_680
    assert value(worked, "Impôt et prélèvements") == 15_995
    assert value(worked, "Prix de vente net d'impôt") == 284_005
    assert worked.sentences[0].startswith("Impôt et prélèvements")
    assert calculate({**SALE, "holding_years": 10, "wanted": "gain"}).sentences[0].startswith("Plus-value brute")
    assert calculate({**SALE, "holding_years": 10, "wanted": "net"}).sentences[0].startswith("Prix de vente net")


def test_the_worked_example_of_the_corpus_after_twelve_years() -> None:
    """31,900 at 19 % = 6,061 and 48,647.50 at 17.2 % = 8,367.37, in whole euros."""
    worked = calculate({**SALE, "holding_years": 12})
    assert value(worked, "Impôt sur la plus-value") == 6_061
    assert value(worked, "Prélèvements sociaux") == 8_367


def test_22_and_30_years_free_the_sale() -> None:
    """Only 72 % of the gain at 17.2 % after 22 years, nothing after 30."""
    after = calculate({**SALE, "holding_years": 22})
    assert value(after, "Impôt sur la plus-value") == 0
    assert value(after, "Prélèvements sociaux") == round(55_000 * 0.72 * 0.172)
    assert value(calculate({**SALE, "holding_years": 30}), "Impôt et prélèvements") == 0


def test_days_decide_of_the_full_years_and_of_the_works() -> None:
    """Five years to the day are not more than five; a day later they are; a day before ten years there are nine."""
    dates = {**SALE, "purchase_date": "2020-03-10", "sale_date": "2025-03-10"}
    assert value(calculate(dates), "Prix d'achat corrigé") == 215_000
    assert value(calculate({**dates, "sale_date": "2025-03-11"}), "Prix d'achat corrigé") == 245_000
    assert value(calculate({**dates, "sale_date": "2030-03-09"}), "Abattement pour l'impôt") == 24
    assert value(calculate({**dates, "sale_date": "2030-03-10"}), "Abattement pour l'impôt") == 30
    assert value(calculate({**SALE, "holding_years": 5}), "Prix d'achat corrigé") == 215_000
    assert value(calculate({**SALE, "holding_years": 5.5}), "Prix d'achat corrigé") == 245_000


def test_years_alone_are_counted_whole_and_the_doubt_is_figured() -> None:
    """2012 to 2026: 14 years, and the tax of 13 beside it."""
    worked = calculate({**SALE, "purchase_year": 2012, "sale_year": 2026})
    assert value(worked, "Impôt et prélèvements") == value(
        calculate({**SALE, "holding_years": 14}), "Impôt et prélèvements"
    )
    doubt = value(worked, "Impôt et prélèvements si l'anniversaire n'est pas passé")
    assert doubt == value(calculate({**SALE, "holding_years": 13}), "Impôt et prélèvements")


def test_bought_and_sold_the_same_year() -> None:
    """No allowance, no lump sum for works, no doubt about the anniversary."""
    worked = calculate({**SALE, "purchase_year": 2026, "sale_year": 2026})
    assert value(worked, "Plus-value brute") == 85_000
    assert value(worked, "Abattement pour l'impôt") == 0
    assert not any("anniversaire" in entry.figure.label for entry in worked.results)


def test_real_fees_and_works_go_before_the_lump_sums() -> None:
    """What was told counts, also zero; fees in percent too."""
    told = {**SALE, "holding_years": 10, "works": 10_000, "fees_amount": 1}
    assert value(calculate(told), "Prix d'achat corrigé") == 210_001
    assert (
        value(calculate({**told, "works": 0, "fees_amount": None, "fees_percent": 7}), "Prix d'achat corrigé")
        == 214_000
    )
    assert value(calculate({**told, "sale_costs": 5_000}), "Plus-value brute") == 84_999


def test_a_loss_is_not_taxed() -> None:
    """No tax below zero, and a sentence that says so."""
    worked = calculate({**SALE, "sale_price": 150_000, "holding_years": 3})
    assert value(worked, "Plus-value brute") == -65_000
    assert value(worked, "Impôt et prélèvements") == 0
    assert "pas de plus-value" in worked.sentences[0]


def test_the_main_residence_is_exempt_whatever_is_told() -> None:
    """0 euros, with and without a price; nothing is asked for."""
    for told in ({"kind": "gain"}, SALE, {**SALE, "holding_years": 2, "furnished": True}):
        worked = calculate({**told, "main_residence": True})
        assert value(worked, "Impôt et prélèvements") == 0
        assert "exonérée" in worked.sentences[0]
        assert not worked.asks
    assert any(
        "autre que la résidence principale" in said for said in calculate({**SALE, "holding_years": 2}).assumptions
    )
    no = calculate({**SALE, "holding_years": 2, "main_residence": False})
    assert not any("résidence principale" in said for said in no.assumptions)


def test_depreciation_comes_back_for_sales_since_february_2025() -> None:
    """Bought 200,000, 50,000 depreciated, sold 250,000: 100,000 of gain; the day before, 5,000 with both lump sums."""
    assert value(calculate({**LMNP, "holding_years": 8}), "Plus-value brute") == 100_000
    dates = {**LMNP, "purchase_date": "2015-01-01"}
    assert value(calculate({**dates, "sale_date": "2025-02-15"}), "Plus-value brute") == 100_000
    before = calculate({**dates, "sale_date": "2025-02-14"})
    assert value(before, "Plus-value brute") == 5_000
    assert any("ne sont pas repris" in said for said in before.assumptions)


def test_a_furnished_let_without_depreciation_is_computed_and_asked_about() -> None:
    """As at the micro regime, which depreciates nothing."""
    worked = calculate({**SALE, "holding_years": 8, "furnished": True})
    assert worked.missing == ("depreciation",)
    assert value(worked, "Plus-value brute") == 55_000


def test_a_known_gain_and_a_share_of_it() -> None:
    """Half of 120,000 after 10 years: 42,000 at 19 %, under the surtax that the whole would bear."""
    whole = calculate({"kind": "gain", "gain": 120_000, "holding_years": 10})
    assert value(whole, "Surtaxe sur les plus-values élevées") > 0
    half = calculate({"kind": "gain", "gain": 120_000, "holding_years": 10, "share": 50})
    assert value(half, "Impôt sur la plus-value") == 7_980
    assert value(half, "Impôt et prélèvements") == 7_980 + round(60_000 * 0.9175 * 0.172)


def test_without_a_date_the_gross_gain_is_given_and_the_date_asked_for() -> None:
    """What can be computed is; nothing is known of the allowances."""
    worked = calculate(SALE)
    assert value(worked, "Plus-value brute") == 85_000
    assert worked.missing[0] == "purchase_date"
    assert calculate({"kind": "gain", "sale_price": 300_000, "holding_years": 9}).missing == ("purchase_price",)


@given(st.floats(0, 3e6), st.integers(0, 35), st.floats(1, 1e5))
def test_longer_held_is_never_taxed_more_and_a_larger_gain_never_less(gross: float, years: int, more: float) -> None:
    """Monotonic in holding and gain, within the 42.2 % that the law takes at most."""
    here = taxed(gross, years)
    assert taxed(gross, years + 1).tax <= here.tax
    assert taxed(gross + more, years).tax >= here.tax
    assert here.tax <= gross * 0.422 + 2


@given(st.dates(date(1990, 1, 1), date(2020, 12, 31)), st.integers(0, 30))
def test_full_years_are_counted_to_the_day(bought: date, years: int) -> None:
    """On the anniversary the year is full, the day before it is not."""
    sold = date(bought.year + years + 1, 3, 1) if (bought.month, bought.day) == (2, 29) else bought.replace(
        year=bought.year + years + 1
    )  # fmt: skip
    eve = date.fromordinal(sold.toordinal() - 1)
    told = {**SALE, "purchase_date": bought.isoformat()}
    assert value(calculate({**told, "sale_date": sold.isoformat()}), "Abattement pour l'impôt") == income_tax_allowance(
        years + 1
    )
    assert value(calculate({**told, "sale_date": eve.isoformat()}), "Abattement pour l'impôt") == income_tax_allowance(
        years
    )


@pytest.mark.parametrize("told", [SALE, {**SALE, "sale_price": 900_000, "share": 50}, {**LMNP, "sale_price": 330_000}])
@pytest.mark.parametrize("held", [3, 12])
def test_each_year_of_sale_is_taxed_as_that_sale_alone_would_be(told: dict[str, object], held: int) -> None:
    """The works' lump sum after five years, the surtax and the share included; the last year owes nothing."""
    (found,) = calculate({**told, "holding_years": held}).schedules
    columns = {column.label: column.values for column in found.columns}
    assert found.steps[0] == f"{held} ans (2026)"
    assert found.steps[-1] == f"30 ans ({2026 + 30 - held})"
    for place, years in enumerate(range(held, 31)):
        alone = calculate({**told, "holding_years": years})
        for label in ("Impôt sur la plus-value", "Prélèvements sociaux", "Impôt et prélèvements"):
            assert columns[label][place] == value(alone, label)
    assert columns["Impôt et prélèvements"][-1] == 0


def test_taxes_by_year_follow_the_scales_by_hand() -> None:
    """100,000 at 19 % and 17.2 %: 6 points less a year for one, 1.65 then 9 for the other, never less than nothing."""
    found = by_years(lambda _years: 100_000, first=4, year=2026)
    income_tax, levies, surtaxed, whole = (column.values for column in found.columns)
    for place, years in enumerate(range(4, 31)):
        off = 6 * min(16, max(0, years - 5)) + (4 if years >= 22 else 0)
        less = 1.65 * min(16, max(0, years - 5)) + (1.6 if years >= 22 else 0) + 9 * max(0, years - 22)
        assert income_tax[place] == pytest.approx(19_000 * (100 - off) / 100, abs=0.51)
        assert levies[place] == pytest.approx(17_200 * (100 - less) / 100, abs=0.51)
        assert whole[place] == income_tax[place] + levies[place] + surtaxed[place]
    assert surtaxed[0] == 2_000  # 2 % of all up to 100,000
    assert surtaxed[20] == 0


@pytest.mark.parametrize(
    "told",
    [{"sale_price": 150_000, "holding_years": 9}, {"holding_years": 29}, {"purchase_year": 2014, "sale_year": 2024},
     {"main_residence": True, "holding_years": 9}, {}],
)  # fmt: skip
def test_years_of_sale_that_say_nothing_are_not_listed(told: dict[str, object]) -> None:
    """A loss, next to nothing left to fall due, a sale of an earlier year's rules, an exempt home, no date."""
    assert calculate({**SALE, **told}).schedules == ()
