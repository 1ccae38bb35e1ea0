"""Yearly prices -> French sentences, and the figures that every number in them stands on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.tools.french import at, count
from pipeline.tools.sales.indicators import Kind, Price
from pipeline.types import Figure

KINDS: Mapping[Kind, str] = {"flat": "appartements", "house": "maisons"}
OF: Mapping[Kind, str] = {"flat": "d'appartements", "house": "de maisons"}
LABEL = "Indicateurs DV3F (Cerema)"
FRAGILE = 30
"""Sales under which a median moves with a handful of deeds: said so, though the price is given."""

RULE = "Règle de calcul : médiane et quartiles du prix au m² bâti des ventes de l'année, selon la typologie du Cerema."


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is told of one type of home: the price, the year before when it has one, and the years of a trend that was
    asked for (oldest first). `rooms`: only flats of that size; `widened`: the size that was asked for, whose sales are
    too few for a price of their own."""

    kind: Kind
    price: Price
    before: Price | None = None
    years: tuple[Price, ...] = ()
    rooms: int | None = None
    widened: int | None = None

    @property
    def size(self) -> str:
        return "" if self.rooms is None else f" {size_name(self.rooms)}"

    @property
    def homes(self) -> str:
        return f"{KINDS[self.kind]}{self.size}"


def size_name(rooms: int) -> str:
    return f"T{rooms}" if rooms < 5 else "T5 et plus"


def title(name: str, source: str) -> str:
    return f"{LABEL} : prix {at(name)}" + (f" ({source})" if source else "")


def sentences(name: str, chosen: Sequence[Chosen], *, source: str, this_year: int) -> list[str]:
    """A trend that was asked for comes first; then each type of home, its spread and its last move; then the rule."""
    origin = f"les indicateurs du Cerema ({source})" if source else "les indicateurs du Cerema"
    said = [text for each in chosen if (text := _over_years(name, each, origin))]
    for each in chosen:
        price = each.price
        partial = " (année en cours, donc partielle)" if price.year >= this_year else ""
        if each.widened:
            partial += f", toutes tailles confondues (trop peu de ventes de {size_name(each.widened)}),"
        sold = "vendus" if each.kind == "flat" else "vendues"
        said.append(
            f"Selon {origin}, le prix médian des {each.homes} {sold} {at(name)} en {price.year}{partial} est de "
            f"{_euros(price.median)}, sur {count(price.sales)} ventes."
        )
        said.append(
            f"La moitié centrale des ventes {OF[each.kind]}{each.size} {at(name)} en {price.year} se situe "
            f"entre {_euros(price.low)} et {_euros(price.high)}{_trend(price, each.before)}."
        )
        if price.sales < FRAGILE:
            said.append("L'échantillon est réduit : ce prix est à prendre avec prudence.")
    return [*said, RULE]


def figures(chosen: Sequence[Chosen]) -> tuple[Figure, ...]:
    """Everything that the sentences state, years included, and the figures a reader may want beside."""
    listed: list[Figure] = []
    for each in chosen:
        for price in (each.price, *filter(None, (each.before,)), *each.years):
            listed += _of_year(each.homes, price)
        pairs = [(each.price, each.before), (each.years[-1], each.years[0]) if len(each.years) > 1 else (None, None)]
        for last, first in pairs:
            if last is not None and first is not None:
                label = f"Évolution du prix médian des {each.homes} de {first.year} à {last.year}"
                listed.append(Figure(label, abs(change(last, first)), "%"))
    return tuple(dict.fromkeys(listed))


def change(price: Price, before: Price) -> float:
    """Percent from the earlier year, to one decimal, signed."""
    return round((price.median / before.median - 1) * 100, 1)


def _of_year(what: str, price: Price) -> list[Figure]:
    year = price.year
    return [
        Figure("Année", year),
        Figure(f"Prix médian des {what} en {year}", round(price.median), "€/m²"),
        Figure(f"Premier quartile des {what} en {year}", round(price.low), "€/m²"),
        Figure(f"Troisième quartile des {what} en {year}", round(price.high), "€/m²"),
        Figure(f"Nombre de ventes, {what}, en {year}", price.sales, "ventes"),
    ]


def _over_years(name: str, each: Chosen, origin: str) -> str:
    """Empty with fewer than two years."""
    if len(each.years) < 2:
        return ""
    first, last = each.years[0], each.years[-1]
    moved = change(last, first)
    verb = "est stable" if moved == 0 else f"{'progresse' if moved > 0 else 'recule'} de {_percent(moved)}"
    steps = ", ".join(f"{_euros(price.median)} en {price.year}" for price in each.years)
    return f"De {first.year} à {last.year}, le prix médian des {each.homes} {at(name)} {verb} selon {origin} : {steps}."


def _trend(price: Price, before: Price | None) -> str:
    if before is None:
        return ""
    moved = change(price, before)
    if moved == 0:
        return f", et la médiane est stable par rapport à {before.year} ({_euros(before.median)})"
    verb = "progresse" if moved > 0 else "recule"
    return f", et la médiane {verb} de {_percent(moved)} par rapport à {before.year} ({_euros(before.median)})"


def _percent(moved: float) -> str:
    return f"{abs(moved):.1f}".replace(".", ",") + "\u00a0%"


def _euros(value: float) -> str:
    return f"{count(round(value))}\u00a0€/m²"
