"""Invented levels of each department, and what a commune of it then sells for, rents for and counts: all fictitious."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sandbox.opendata.communes import CITIES, Commune, draw

_FILE = Path(__file__).with_name("departments.tsv")
OUTSIDE_DVF = ("57", "67", "68", "976")
"""Moselle, Bas-Rhin, Haut-Rhin and Mayotte: no sale of theirs is in DVF."""
RING = ("75", "92", "93", "94")
"""Departments that are all city: a small commune there is not cheap, and sells flats."""

# Inhabitants under which a commune counts as of this size: price against the department's level, share of flats.
_SIZES = ((500, 0.72, 0.02), (2_000, 0.80, 0.04), (10_000, 0.90, 0.18), (50_000, 1.0, 0.50), (200_000, 1.05, 0.72))
_LARGEST = (1.12, 0.82)
_ARRONDISSEMENTS = {"75056": (1.0, 0.99), "69123": (1.28, 0.97), "13055": (0.95, 0.85)}


@dataclass(frozen=True, slots=True)
class Department:
    """€/m² of flats and houses in 2020 and their change in % a year, rent of flats in €/m² a month, DPE in F and G (%),
    usual radon class, zone of seismicity, clay 0..3, a point. Zeros: the real services have nothing there."""

    code: str
    name: str
    flats: float
    houses: float
    rent: float
    change: float
    poor: float
    radon: int
    zone: int
    clay: int
    point: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Market:
    """Sales a year, median in 2020 (€/m²) and yearly change in %, of flats or of houses."""

    sales: int
    start: float
    change: float


@cache
def departments() -> Mapping[str, Department]:
    """By code: 101 departments and the overseas collectivities."""
    lines = _FILE.read_text("utf-8").splitlines()
    return {line.split("\t")[0]: _department(line.split("\t")) for line in lines if not line.startswith("#")}


def _department(row: list[str]) -> Department:
    flats, houses, rent, change, poor = map(float, row[2:7])
    radon, zone, clay = map(int, row[7:10])
    point = (float(row[10]), float(row[11]))
    return Department(row[0], row[1], flats, houses, rent, change, poor, radon, zone, clay, point)


def in_dvf(commune: Commune) -> bool:
    """Whether the real database of sales has this commune: not the three cities, which it knows by arrondissement."""
    level = departments()[commune.department]
    return bool(level.flats) and commune.department not in OUTSIDE_DVF and commune.insee not in CITIES


def markets(commune: Commune) -> tuple[Market, Market]:
    """Flats and houses of a commune that `in_dvf` knows."""
    level, code = departments()[commune.department], commune.insee
    factor, share = size_of(commune)
    factor *= draw(f"price:{code}", 0.85, 1.18)
    sales = commune.inhabitants * draw(f"sales:{code}", 0.011, 0.017)
    change = level.change + draw(f"change:{code}", -0.8, 0.8)
    return (
        Market(round(sales * share), round(level.flats * factor, 1), round(change, 2)),
        Market(round(sales * (1 - share)), round(level.houses * factor, 1), round(change + 0.2, 2)),
    )


def size_of(commune: Commune) -> tuple[float, float]:
    """Price against the department's level, share of flats among its sales."""
    if commune.city:
        return _ARRONDISSEMENTS[commune.city]
    sizes = ((factor, share) for most, factor, share in _SIZES if commune.inhabitants < most)
    factor, share = next(sizes, _LARGEST)
    return (1.0, max(share, 0.75)) if commune.department in RING else (factor, share)
