"""The Cerema's price indicators, read with suspicion: foreign JSON -> yearly prices, or the reason why not."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.tools.json_service import Malformed, plain

Kind = Literal["flat", "house"]

CODES: Mapping[Kind, str] = {"house": "cod111", "flat": "cod121"}
"""The Cerema's building types: 111 a house, 121 a flat (typology of DV3F)."""

MOST = 100_000.0
"""Euros a square metre above which a figure is an error: the bound of the published DVF statistics."""

SIZED = "cod121x{rooms}"
"""Flats by number of rooms, 1 to 5 (five and more)."""


def fields(rooms: int | None = None) -> tuple[str, ...]:
    """Columns to ask for: without `fields` a commune weighs a quarter of a megabyte."""
    codes = [*CODES.values(), *([SIZED.format(rooms=rooms)] if rooms else [])]
    names = ("nbtrans", "pxm2_median", "pxm2_q25", "pxm2_q75")
    return ("annee", "code", "libelle", *(f"{name}_{code}" for code in codes for name in names))


@dataclass(frozen=True, slots=True)
class Price:
    """One year of one type of home in one commune: number of sales, median and quartiles in €/m²."""

    year: int
    sales: int
    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page of rows; `more` says that others follow; `source` is what the service says of itself."""

    rows: tuple[Mapping[str, Any], ...]
    more: bool
    source: str


def read_page(body: bytes) -> Page:
    """Raises `Malformed`."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    rows = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Malformed
    return Page(rows=tuple(rows), more=bool(answer.get("next")), source=plain(answer.get("source")))


def prices(
    rows: Sequence[Mapping[str, Any]], *, insee: str, kind: Kind, rooms: int | None = None
) -> dict[int, Price | Malformed]:
    """The years that have sales; a year whose row is nonsense is kept as `Malformed` so that nobody skips it.
    `rooms`: only flats of that size.

    Raises `Malformed` when a row is of another commune: a service that ignores a parameter answers anything.
    """
    found: dict[int, Price | Malformed] = {}
    for row in rows:
        if str(row.get("code")) != insee:
            raise Malformed
        year = _year(row.get("annee"))
        try:
            price = _price(row, year, SIZED.format(rooms=rooms) if rooms else CODES[kind])
        except Malformed as error:
            found[year] = error
            continue
        if price is not None:
            found[year] = price
    return found


def _price(row: Mapping[str, Any], year: int, code: str) -> Price | None:
    sales, median = row.get(f"nbtrans_{code}"), row.get(f"pxm2_median_{code}")
    if median is None or sales in (None, 0):
        return None
    count = _number(sales)
    if count != int(count):
        raise Malformed
    low, middle, high = (_number(row.get(f"pxm2_{q}_{code}")) for q in ("q25", "median", "q75"))
    if not 0 < low <= middle <= high <= MOST:
        raise Malformed
    return Price(year=year, sales=int(count), median=middle, low=low, high=high)


def _number(value: object) -> float:
    """A finite number that is not negative; the service writes some as text."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,12}(\.\d{1,12})?", value, re.ASCII):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed
    try:
        number = float(value)
    except OverflowError:
        raise Malformed from None
    if not math.isfinite(number) or not 0 <= number <= 1e12:
        raise Malformed
    return number


def _year(value: object) -> int:
    text = str(value)
    if isinstance(value, bool) or not re.fullmatch(r"(19|20)\d\d", text, re.ASCII):
        raise Malformed
    return int(text)
