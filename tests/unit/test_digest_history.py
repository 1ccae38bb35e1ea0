"""A price chart over all readings: no year is lost, none is taken from another source, and the title says so."""

from typing import Any

from bot.digests.history import longer, past_prices
from bot.digests.prices import chart_of
from tests.digesting import prices, toulon


def reading(read_on: str, *points: tuple[int, float, int], **other: Any) -> dict[str, Any]:
    series = [{"label": "Appartements", "unit": "€/m²", "points": [list(point) for point in points]}]
    return prices(read_on=read_on, series=series, **other)


NOW = reading("2026-11-23", (2024, 2500.0, 1700), (2025, 2598.0, 1840))


def drawn(*past: dict[str, Any]) -> dict[str, Any]:
    chart = chart_of(toulon(), NOW)
    assert chart is not None
    return dict(longer(chart, past, url=NOW["url"]))


def test_years_that_the_source_shows_no_more_stay() -> None:
    """As they were read last; of a year that it still shows, today's value stands."""
    first = reading("2025-04-14", (2022, 2300.0, 1500), (2023, 2390.0, 1700))
    later = reading("2026-04-13", (2023, 2388.0, 1776), (2024, 2491.0, 1691))
    made = drawn(first, later)
    (series,) = made["series"]
    assert series["points"] == [
        [2022, 2300.0, 1500], [2023, 2388.0, 1776], [2024, 2500.0, 1700], [2025, 2598.0, 1840],
    ]  # fmt: skip
    assert made["title"].endswith("avec nos relevés depuis le 14/04/2025")


def test_another_source_or_another_series_adds_nothing() -> None:
    other = reading("2025-04-14", (2022, 1.0, 1), url="https://ailleurs.example")
    houses = reading("2025-04-14")
    houses["series"] = [{"label": "Maisons", "unit": "€/m²", "points": [[2022, 1.0, 1]]}]
    assert drawn(other, houses) == chart_of(toulon(), NOW)


def test_a_week_without_prices_is_no_reading() -> None:
    rows = [{"findings": {"now": {}}}, {"findings": {"now": {"sales": NOW}}}]
    assert past_prices(rows) == [NOW]
