"""Computed prices -> French sentences and the figures that every number in them stands on."""

from collections.abc import Sequence

from pipeline.tools.dvf.market import NAMES, OF, size_name
from pipeline.tools.dvf.values import Price
from pipeline.tools.french import count
from pipeline.types import Figure


def sentence(price: Price, *, where: str) -> str:
    """`where` is "à Toulon", "au Havre". One price with n, quartiles, year, last deed; says when it is fragile."""
    homes = NAMES[price.kind] if price.rooms is None else f"{NAMES[price.kind]} {size_name(price.rooms)}"
    sold = "vendues" if price.kind in ("house", "garage") else "vendus"
    said = (
        f"Le prix médian des {homes} {sold} {where} en {price.year} est de {amount(price, price.median)}, sur "
        f"{count(price.n)} ventes retenues ; la moitié centrale se situe entre {amount(price, price.q1)} et "
        f"{amount(price, price.q3)} "
        f"et la dernière vente retenue date du {price.last_sale:%d/%m/%Y}."
    )
    if price.fragile:
        return f"{said} L'échantillon est réduit : ce prix est à prendre avec prudence."
    if price.partial:
        return f"{said} Aucune vente retenue au dernier trimestre : l'année est sans doute incomplète."
    return said


def trend_sentence(prices: Sequence[Price]) -> str:
    """The change of the median from the first year to the last; empty with fewer than two years."""
    if len(prices) < 2:
        return ""
    first, last = prices[0], prices[-1]
    moved = change(first, last)
    steps = ", ".join(f"{amount(price, price.median)} en {price.year}" for price in prices)
    verb = "est stable" if moved == 0 else ("progresse de " if moved > 0 else "recule de ") + percent(abs(moved))
    return f"De {first.year} à {last.year}, la médiane {OF[first.kind]} {verb} : {steps}."


def figures(prices: Sequence[Price]) -> tuple[Figure, ...]:
    """Years, medians, quartiles and counts of the prices, and the change over them."""
    listed: list[Figure] = []
    for price in prices:
        what = NAMES[price.kind] if price.rooms is None else f"{NAMES[price.kind]} {size_name(price.rooms)}"
        listed += [
            Figure("Année", price.year),
            Figure(f"Prix médian des {what} en {price.year}", round(price.median), price.unit),
            Figure(f"Premier quartile des {what} en {price.year}", round(price.q1), price.unit),
            Figure(f"Troisième quartile des {what} en {price.year}", round(price.q3), price.unit),
            Figure(f"Nombre de ventes, {what}, en {price.year}", price.n, "ventes"),
        ]
    return tuple(dict.fromkeys(listed))


def change(first: Price, last: Price) -> float:
    """Percent, signed, to one decimal, between the published (rounded) medians."""
    return round((round(last.median) / round(first.median) - 1) * 100, 1)


def percent(value: float) -> str:
    return f"{value:.1f}".replace(".", ",") + "\u00a0%"


def amount(price: Price, value: float) -> str:
    """A value of this price in its unit: a square metre's, or the whole garage's."""
    return f"{count(round(value))}\u00a0{price.unit}"
