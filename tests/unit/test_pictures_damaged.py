"""Pictures of damaged and odd values: none, or a sane one; and how numbers are written."""

import math
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pictures import look
from bot.pictures.drawing import KINDS, alt_text, drawable, rows
from tests.calculations import LOAN, PURCHASE, SALE
from tests.picturing import NARROW, answered, axes_of, charts, let, prices, sold, stepped


@pytest.mark.parametrize(
    "chart",
    [
        prices(2),
        {},
        {"kind": "unheard of"},
        {"kind": "loan"},
        {"kind": "prices", "series": None},
        {"kind": "prices", "series": [{"label": "x", "unit": "€/m²", "points": [[2023, None, 3]] * 5}]},
        stepped(2, [1.0]),
        stepped(1, [1.0]),
        stepped(2, [1.0, math.nan]),
        stepped(2, [0.0, 0.0]),
        stepped(2, [1.0, None]),
        {**stepped(2, [1.0, 2.0]), "kind": "gain"},
        {**stepped(2, [1.0, 2.0]), "kind": "yield"},
        {"kind": "communes", "rows": [{"label": "Lyon", "value": 3}, {"label": "Nice", "value": None}]},
        {"kind": "communes", "rows": [{"label": str(n), "value": 3} for n in range(9)]},
        {"kind": "rents", "rows": "none"},
        {
            "kind": "loan",
            "steps": ["1", "2"],
            "columns": [{"label": "Intérêts", "unit": "€", "values": [1.0, math.nan]}],
        },
    ],
)
def test_what_is_too_little_or_malformed_makes_no_picture(chart: dict[str, Any]) -> None:
    """Two years would pass for a trend; nulls, holes and strange kinds are nobody's values."""
    assert not drawable(chart)


SOUND = (
    prices(6),
    *charts({**LOAN, "insurance_rate": 0.3}),
    *charts({**LOAN, "rate": [3.0, 3.4]}),
    *charts({**SALE, "holding_years": 20}),
    *charts(PURCHASE),
    *answered(sold("Lyon", 4_800, 4_000, 5_000), sold("Nice", 5_100)),
    *answered(let("Nantes")),
)
JUNK = (None, "x", "", [], {}, -1.0, 0.0, 1e12, math.nan, math.inf, [[]], True)


def paths(value: Any, begun: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """To each part of a chart."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([begun] if begun else []), *(path for key, part in inner for path in paths(part, (*begun, key)))]


@given(st.data())
@settings(max_examples=150)
def test_a_damaged_record_makes_no_picture_or_a_sane_one(data: st.DataObject) -> None:
    """Any part of a chart of any kind replaced by junk: refused, or drawn, told and tabled without a fault."""
    assert {chart.get("kind", "prices") for chart in SOUND} == KINDS.keys()
    chart = deepcopy(data.draw(st.sampled_from(SOUND)))
    *way, last = data.draw(st.sampled_from(paths(chart)))
    part = chart
    for key in way:
        part = part[key]
    part[last] = data.draw(st.sampled_from(JUNK))
    if drawable(chart):
        axes_of(chart)
        assert rows(chart)
        assert alt_text(chart)


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (3420.4, "€/m²", f"3{NARROW}420\u00a0€/m²"), (5.0, "%", "5,00\u00a0%"), (-0.004, "%", "0,00\u00a0%"),
        (-1234.5, "€", f"−1{NARROW}234\u00a0€"), (979.92, "€/mois", "979,92\u00a0€/mois"), (12, "", "12"),
    ],
)  # fmt: skip
def test_amounts_are_french(value: float, unit: str, said: str) -> None:
    assert look.amount(value, unit) == said


def test_an_axis_speaks_of_thousands_from_ten_on() -> None:
    assert look.tick("€", most=200_000)(50_000, 0) == "50\u00a0k€"
    assert look.tick("€", most=9_000)(2_500, 0) == f"2{NARROW}500\u00a0€"
    assert look.tick("€/m²", most=20_000)(12_500, 0) == f"12{NARROW}500\u00a0€/m²"
    assert look.tick("%")(2.5, 0) == "2,5\u00a0%"


def test_no_line_of_a_picture_begins_with_a_colon() -> None:
    """Whatever the width at which it is broken."""
    for width in range(14, 40):
        lines = look.broken("Carte des loyers 2025, estimation : Nantes ; à vérifier", width)
        assert not any(line.lstrip().startswith((":", ";")) for line in lines)


def test_a_long_axis_names_few_steps() -> None:
    assert look.sparse(8) == list(range(8))
    assert look.sparse(25) == [0, 4, 9, 14, 19, 24]
    assert len(look.sparse(100)) <= 12
