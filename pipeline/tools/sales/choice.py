"""Which yearly prices are told of all that a source knows, and the French reasons for those that are not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.series import Series
from pipeline.tools.french import at
from pipeline.tools.json_service import Malformed
from pipeline.tools.sales.indicators import Kind, Price
from pipeline.tools.sales.text import KINDS, OF, Chosen

OUTSIDE_DVF = ("57", "67", "68", "976")
"""Moselle, Bas-Rhin, Haut-Rhin (land registry of local law) and Mayotte: DVF has no sale of theirs."""
BY_ARRONDISSEMENT = {"75056": "Paris", "69123": "Lyon", "13055": "Marseille"}
NOT_HOMES = {"garage": "garages et des places de stationnement", "land": "terrains à bâtir"}
"""Types of which only the deeds themselves (geo-dvf files) tell a price."""
FEWEST = 10
"""Sales under which no price is given."""

Years = Mapping[int, Price | Malformed]


@dataclass(frozen=True, slots=True)
class SalesRequest:
    """INSEE code (empty when it is none), the commune's name, types of home, year, rooms, first year of a trend."""

    insee: str
    name: str
    kinds: tuple[Kind, ...]
    year: int | None
    rooms: int | None
    since: int | None


@dataclass(frozen=True, slots=True)
class Told:
    """The prices that are given, and why others are not."""

    prices: tuple[Chosen, ...]
    reasons: tuple[str, ...]


def chosen(asked: SalesRequest, series: Mapping[Kind, Years], sized: Years) -> Told | str:
    """What is told, or the reason why nothing is. A size with too few sales widens to all flats, and says so.
    Raises `Malformed` when the year that would be given is nonsense."""
    if asked.rooms:
        price = _of_year(sized, asked.year)
        if price is not None and price.sales >= FEWEST:
            return Told((_with_years("flat", price, sized, asked, rooms=asked.rooms),), ())
    prices: list[Chosen] = []
    reasons: list[str] = []
    empty: list[Kind] = []
    for kind, found in series.items():
        price = _of_year(found, asked.year)
        if price is None:
            empty.append(kind)
        elif price.sales < FEWEST:
            reasons.append(_too_few(asked.name, kind))
        else:
            prices.append(_with_years(kind, price, found, asked))
    if empty:
        homes = "logements" if len(empty) == 2 else KINDS[empty[0]]
        reasons.append(_nothing(asked.insee, asked.name, homes, asked.year))
    if asked.rooms:
        prices = [replace(each, widened=asked.rooms) for each in prices]
    return Told(tuple(prices), tuple(reasons)) if prices else " ".join(reasons)


def _of_year(found: Years, year: int | None) -> Price | None:
    """Of that year, or of the latest one. Raises `Malformed`."""
    latest = year or max(found, default=None)
    price = found.get(latest) if latest else None
    if isinstance(price, Malformed):
        raise price
    return price


def _with_years(kind: Kind, price: Price, found: Years, asked: SalesRequest, *, rooms: int | None = None) -> Chosen:
    before = found.get(price.year - 1)
    steady = isinstance(before, Price) and before.sales >= FEWEST
    years = () if asked.since is None else tuple(p for p in _sound(found) if asked.since <= p.year <= price.year)
    return Chosen(kind, price, before if isinstance(before, Price) and steady else None, years, rooms)


def _sound(found: Years) -> list[Price]:
    """Years that have enough sales, oldest first; one that is missing or doubtful is left out."""
    sound = [price for price in found.values() if isinstance(price, Price) and price.sales >= FEWEST]
    return sorted(sound, key=lambda price: price.year)


def over_the_years(found: Mapping[Chosen, Years]) -> tuple[Series, ...]:
    return tuple(
        Series(each.homes.capitalize() if each.rooms is None else f"Appartements{each.size}", "€/m²", _points(years))
        for each, years in found.items()
    )


def _points(years: Years) -> tuple[tuple[float, ...], ...]:
    return tuple((price.year, price.median, price.sales, price.low, price.high) for price in _sound(years))


def read_asked(arguments: Mapping[str, Any]) -> SalesRequest:
    insee = str(arguments.get("insee") or "").strip().upper()
    valid = len(insee) == 5 and insee.isalnum() and insee.isascii()
    kind, rooms = arguments.get("type"), _whole(arguments.get("rooms"))
    kinds: tuple[Kind, ...] = (kind,) if kind in ("flat", "house") else ("flat", "house")
    rooms = rooms if rooms is not None and 1 <= rooms <= 5 and kind != "house" else None
    return SalesRequest(
        insee=insee if valid else "",
        name=str(arguments.get("name") or insee),
        kinds=("flat",) if rooms else kinds,
        year=_whole(arguments.get("year")),
        rooms=rooms,
        since=_whole(arguments.get("since")),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def outside(name: str) -> str:
    return (
        f"{name} est hors champ de DVF : la base ne couvre ni la Moselle, ni le Bas-Rhin, ni le Haut-Rhin, ni Mayotte. "
        "L'absence de prix n'y veut pas dire absence de ventes."
    )


def _nothing(insee: str, name: str, homes: str, year: int | None) -> str:
    if insee in BY_ARRONDISSEMENT:
        return f"DVF suit {BY_ARRONDISSEMENT[insee]} par arrondissement : précisez lequel."
    when = f" pour {year}" if year else ""
    return f"Le Cerema ne publie pas de prix des {homes} {at(name)}{when}."


def _too_few(name: str, kind: Kind) -> str:
    return f"Les ventes {OF[kind]} {at(name)} sont trop peu nombreuses pour donner un prix fiable."


def only_homes(source: str, kind: str) -> str:
    """What is said of a type that this source does not publish. `source` opens the sentence, in the plural."""
    return f"{source} ne donnent que les appartements et les maisons, pas le prix des {NOT_HOMES[kind]}."


def nonsense(name: str) -> str:
    return f"Le service de prix du Cerema a renvoyé une réponse inexploitable pour {name} : je n'en tire aucun chiffre."
