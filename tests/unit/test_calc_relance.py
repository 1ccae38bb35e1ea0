"""The yearly deduction of « Relance logement »: rates, ceilings, and the three levels side by side."""

import pytest

from pipeline.tools.calculation.purchase.relance import deduction
from pipeline.tools.calculator import calculate
from tests.calculations import RELANCE


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


def test_relance_without_a_level_shows_all_three() -> None:
    """Side by side, with the question that is left."""
    worked = calculate(RELANCE)
    assert [row[1] for row in worked.table[1:]] == ["6\u202f160\u00a0€", "7\u202f920\u00a0€", "9\u202f680\u00a0€"]
    assert worked.missing == ("level",)
    assert not calculate({**RELANCE, "level": "social"}).asks
