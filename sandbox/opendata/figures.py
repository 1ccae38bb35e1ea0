"""Fictitious price indicators of every commune that the real ones cover; nothing here was observed anywhere."""

from functools import cache
from typing import Any

from sandbox.opendata.communes import communes
from sandbox.opendata.levels import Market, in_dvf, markets

SOURCE = "bac à sable : données fictives"
YEARS = range(2020, 2026)
FIRST_YEAR = 2020
SECRET = 11
"""Sales of a year under which the Cerema publishes no price."""

# INSEE code: flats, houses. Fixed, so that tests may name them; invented like those of every other commune.
FIXED: dict[str, tuple[Market, Market]] = {
    "83137": (Market(2140, 2105.0, 4.3), Market(366, 3710.0, 3.6)),
    "69266": (Market(1685, 3420.0, 0.9), Market(92, 4310.0, 1.4)),
    "69387": (Market(1190, 4605.0, -0.6), Market(7, 5480.0, 0.4)),
    "44109": (Market(3310, 3505.0, 0.5), Market(690, 4390.0, 0.8)),
    "33063": (Market(3925, 4490.0, -0.4), Market(640, 5020.0, 0.3)),
    "59350": (Market(2480, 3190.0, 1.2), Market(865, 2740.0, 1.7)),
    "34172": (Market(4015, 3015.0, 2.1), Market(410, 4105.0, 1.9)),
    "42218": (Market(2235, 1145.0, 1.5), Market(22, 1960.0, 2.2)),
    "93066": (Market(1310, 3950.0, -0.3), Market(64, 3720.0, 0.2)),
}

# Share of the median for each quartile, and the weight of each year in the number of sales.
_SPREAD = {"q25": 0.81, "q75": 1.24}
_SIZES = {1: (0.14, 1.18), 2: (0.27, 1.08), 3: (0.31, 0.97), 4: (0.24, 0.91), 5: (0.004, 0.86)}
"""Rooms (5: five and more) -> share of the flats sold, price against that of all flats."""
_VOLUME = {2020: 0.92, 2021: 1.11, 2022: 1.06, 2023: 0.83, 2024: 0.79, 2025: 0.86}


@cache
def markets_of(code: str) -> tuple[Market, Market] | None:
    """Flats and houses; None for what the real indicators lack: no commune, Alsace-Moselle, Mayotte, a whole city that
    they know by arrondissement, an overseas collectivity."""
    commune = communes().get(code)
    if commune is None or not in_dvf(commune):
        return None
    return FIXED.get(code) or markets(commune)


def sales(market: Market, year: int) -> int:
    """Sales of that year."""
    return round(market.sales * _VOLUME[year])


def median(market: Market, year: int) -> float:
    """€/m² of that year."""
    return round(market.start * (1 + market.change / 100) ** (year - FIRST_YEAR), 2)


def rows(code: str) -> list[dict[str, Any]]:
    """All years of a commune, oldest first, in the Cerema's field names; empty where the Cerema has nothing."""
    found = markets_of(code)
    if found is None:
        return []
    flats, houses = found
    secret = 0 if code in FIXED else SECRET
    return [
        {
            "annee": str(year),
            "echelle": "communes",
            "code": code,
            "libelle": communes()[code].name,
            **_indicators("cod111", houses, year, secret),
            **_indicators("cod121", flats, year, secret),
            **_by_rooms(flats, year, secret),
        }
        for year in YEARS
    ]


def _by_rooms(flats: Market, year: int, secret: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for rooms, (share, price) in _SIZES.items():
        sized = Market(round(flats.sales * share), flats.start * price, flats.change)
        found |= _indicators(f"cod121x{rooms}", sized, year, secret)
    return found


def _indicators(suffix: str, market: Market, year: int, secret: int) -> dict[str, Any]:
    many, middle = sales(market, year), median(market, year)
    prices = {"pxm2_median": middle, **{f"pxm2_{q}": round(middle * share, 2) for q, share in _SPREAD.items()}}
    told = {f"{name}_{suffix}": value if many >= secret else None for name, value in prices.items()}
    return {f"nbtrans_{suffix}": many, **told}
