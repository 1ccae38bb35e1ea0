"""Fictitious price indicators of nine communes; nothing here was observed anywhere."""

from typing import Any

SOURCE = "bac à sable : données fictives"
YEARS = range(2020, 2026)
FIRST_YEAR = 2020
OUTSIDE_DVF = ("57", "67", "68", "976")

# INSEE code: name, then for flats and houses (sales, median in 2020, yearly change in %). Invented throughout.
COMMUNES: dict[str, tuple[str, tuple[int, float, float], tuple[int, float, float]]] = {
    "83137": ("Toulon", (2140, 2105.0, 4.3), (366, 3710.0, 3.6)),
    "69266": ("Villeurbanne", (1685, 3420.0, 0.9), (92, 4310.0, 1.4)),
    "69387": ("Lyon 7e Arrondissement", (1190, 4605.0, -0.6), (7, 5480.0, 0.4)),
    "44109": ("Nantes", (3310, 3505.0, 0.5), (690, 4390.0, 0.8)),
    "33063": ("Bordeaux", (3925, 4490.0, -0.4), (640, 5020.0, 0.3)),
    "59350": ("Lille", (2480, 3190.0, 1.2), (865, 2740.0, 1.7)),
    "34172": ("Montpellier", (4015, 3015.0, 2.1), (410, 4105.0, 1.9)),
    "42218": ("Saint-Étienne", (2235, 1145.0, 1.5), (22, 1960.0, 2.2)),
    "93066": ("Saint-Denis", (1310, 3950.0, -0.3), (64, 3720.0, 0.2)),
}

# Share of the median for each quartile, and the weight of each year in the number of sales.
_SPREAD = {"q25": 0.81, "q75": 1.24}
_SIZES = {1: (0.14, 1.18), 2: (0.27, 1.08), 3: (0.31, 0.97), 4: (0.24, 0.91), 5: (0.004, 0.86)}
"""Rooms (5: five and more) -> share of the flats sold, price against that of all flats."""
_VOLUME = {2020: 0.92, 2021: 1.11, 2022: 1.06, 2023: 0.83, 2024: 0.79, 2025: 0.86}


def rows(code: str) -> list[dict[str, Any]]:
    """All years of a commune, oldest first, in the Cerema's field names; empty when the commune is not known."""
    if code not in COMMUNES or code.startswith(OUTSIDE_DVF):
        return []
    name, flats, houses = COMMUNES[code]
    return [
        {
            "annee": str(year),
            "echelle": "communes",
            "code": code,
            "libelle": name,
            **_indicators("cod111", houses, year),
            **_indicators("cod121", flats, year),
            **_by_rooms(flats, year),
        }
        for year in YEARS
    ]


def _by_rooms(series: tuple[int, float, float], year: int) -> dict[str, Any]:
    sales, start, change = series
    found: dict[str, Any] = {}
    for rooms, (share, price) in _SIZES.items():
        found |= _indicators(f"cod121x{rooms}", (round(sales * share), start * price, change), year)
    return found


def _indicators(suffix: str, series: tuple[int, float, float], year: int) -> dict[str, Any]:
    sales, start, change = series
    median = start * (1 + change / 100) ** (year - FIRST_YEAR)
    shown: dict[str, Any] = {f"nbtrans_{suffix}": round(sales * _VOLUME[year])}
    shown[f"pxm2_median_{suffix}"] = round(median, 2)
    shown |= {f"pxm2_{q}_{suffix}": round(median * share, 2) for q, share in _SPREAD.items()}
    return shown
