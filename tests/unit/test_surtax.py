"""The surtax on high property gains: its scale at and around each threshold, and what an answer says of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.calculation.gains.surtax import FROM, surtax
from pipeline.tools.calculator import calculate

LMNP = {"kind": "gain", "sale_price": 250_000, "purchase_price": 200_000, "depreciation": 50_000, "holding_years": 10}


@pytest.mark.parametrize(
    ("base", "due"),
    [
        (0, 0),
        (50_000, 0),
        (50_001, 500),
        (55_000, 850),
        (60_000, 1_200),
        (100_000, 2_000),
        (105_000, 2_650),
        (110_000, 3_300),
        (155_000, 5_450),
        (160_000, 6_400),
        (205_000, 9_250),
        (210_000, 10_500),
        (255_000, 14_050),
        (260_000, 15_600),
        (300_000, 18_000),
    ],
)
def test_the_scale_of_the_law(base: float, due: float) -> None:
    """Ends and middles of each step, by hand from the table of CGI 1609 nonies G."""
    assert surtax(base).due == due


@given(st.floats(0, 1e7), st.floats(0, 1e5))
def test_more_gain_is_never_less_tax_and_never_more_than_it_brings(base: float, more: float) -> None:
    """The smoothing leaves no cliff, but for the euro of the threshold itself; taxes are whole euros."""
    less, greater = surtax(base).due, surtax(base + more).due
    assert less <= greater
    assert base <= FROM < base + more or greater - less <= 0.31 * more + 1


def test_an_answer_counts_it_and_shows_its_rate() -> None:
    """100,000 of gross gain, 70,000 taxable after 10 years: 1,400 at 2 %, in the total."""
    worked = calculate(LMNP)
    said = " ".join(worked.sentences).replace("\u202f", " ").replace("\u00a0", " ")
    assert "30 481 €, surtaxe comprise" in said
    assert "1 400 €, soit 2 % de 70 000 €" in said
    assert "surtaxe" not in " ".join(calculate({**LMNP, "sale_price": 220_000}).sentences)
