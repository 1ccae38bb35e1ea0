"""Whatever JSON the price service sends, only sane prices come out of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.json_service import Malformed
from pipeline.tools.sales.indicators import CODES, MOST, Price, prices, read_page

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(
    scalars, lambda c: st.lists(c, max_size=4) | st.dictionaries(st.text(max_size=8), c, max_size=4)
)
names = st.sampled_from(
    ["annee", "code", *(f"{f}_{c}" for c in CODES.values() for f in ("nbtrans", "pxm2_median", "pxm2_q25", "pxm2_q75"))]
)
plausible = st.sampled_from(["2024", 2025, "83137", "2600.5", 2600, 12, 0, -1, 1e308, "1e5", "²", None]) | scalars
rows_ = st.lists(st.dictionaries(names, plausible, max_size=10), max_size=4)


@given(st.binary() | anything.map(lambda v: json.dumps(v).encode()) | st.text().map(str.encode))
def test_any_body_is_a_page_or_malformed(body: bytes) -> None:
    """No other exception leaves the reader, whatever the bytes."""
    try:
        page = read_page(body)
    except Malformed:
        return
    assert all(isinstance(row, dict) for row in page.rows)
    assert not any(c.isdigit() for c in page.source)


@given(rows_, st.sampled_from(["flat", "house"]))
def test_any_row_gives_sane_prices_or_none(rows: list[dict[str, Any]], kind: Any) -> None:
    """Ordered quartiles, positive, bounded, whole numbers of sales: or it is not a price."""
    try:
        found = prices(rows, insee="83137", kind=kind)
    except Malformed:
        return
    for price in found.values():
        if isinstance(price, Price):
            assert 0 < price.low <= price.median <= price.high <= MOST
            assert price.sales > 0
            assert 1900 <= price.year < 2100


def test_deep_nesting_is_malformed() -> None:
    """A body made to exhaust the stack is refused like any other nonsense."""
    with pytest.raises(Malformed):
        read_page(b"[" * 200_000)


def test_numbers_written_as_text_are_read() -> None:
    """The service writes decimals as strings in places."""
    row = {"annee": 2024, "code": "83137", "nbtrans_cod121": "12", "pxm2_median_cod121": "2600.50"}
    row |= {"pxm2_q25_cod121": "2100", "pxm2_q75_cod121": 3300}
    assert prices([row], insee="83137", kind="flat") == {2024: Price(2024, 12, 2600.5, 2100.0, 3300.0)}


def test_a_year_without_sales_is_skipped() -> None:
    """Null medians and zero sales are no data, not an error."""
    row = {"annee": "2024", "code": "83137", "nbtrans_cod121": 0, "pxm2_median_cod121": None}
    assert prices([row], insee="83137", kind="flat") == {}


@pytest.mark.parametrize("sales", [float("inf"), float("nan"), -5, 1e300, 10**400, True, "12 ventes", [12]])
def test_a_count_that_is_none_is_malformed(sales: object) -> None:
    """Numbers of sales are held to the same suspicion as prices, with one exception type."""
    row = {"annee": "2024", "code": "83137", "nbtrans_cod121": sales, "pxm2_median_cod121": 2600.5}
    row |= {"pxm2_q25_cod121": 2100, "pxm2_q75_cod121": 3300}
    found = prices([row], insee="83137", kind="flat")
    assert isinstance(found[2024], Malformed)
