"""Computed prices -> French sentences and the figures that every number in them stands on."""

from collections.abc import Sequence

from pipeline.tools.dvf.market import NAMES, OF, size_name
from pipeline.tools.dvf.values import Price
from pipeline.tools.french import count
from pipeline.types import Figure


def sentence(price: Price, *, where: str) -> str:
    """`where` is "à Toulon", "au Havre". One price with n, quartiles, year, last deed; says when it is fragile."""
    homes = NAMES[price.kind] if price.rooms is None else f"{NAMES[price.kind]} {size_name(price.rooms)}"
    sold = "vendus" if price.kind == "flat" else "vendues"
    said = (
        f"Le prix médian des {homes} {sold} {where} en {price.year} est de {euros(price.median)}, sur "
        f"{count(price.n)} ventes retenues ; la moitié centrale se situe entre {euros(price.q1)} et {euros(price.q3)} "
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
    steps = ", ".join(f"{euros(price.median)} en {price.year}" for price in prices)
    verb = "est stable" if moved == 0 else ("progresse de " if moved > 0 else "recule de ") + percent(abs(moved))
    return f"De {first.year} à {last.year}, la médiane {OF[first.kind]} {verb} : {steps}."


def figures(prices: Sequence[Price]) -> tuple[Figure, ...]:
    """Years, medians, quartiles and counts of the prices, and the change over them."""
    listed: list[Figure] = []
    for price in prices:
        what = NAMES[price.kind] if price.rooms is None else f"{NAMES[price.kind]} {size_name(price.rooms)}"
        listed += [
            Figure("Année", price.year),
            Figure(f"Prix médian des {what} en {price.year}", round(price.median), "€/m²"),
            Figure(f"Premier quartile des {what} en {price.year}", round(price.q1), "€/m²"),
            Figure(f"Troisième quartile des {what} en {price.year}", round(price.q3), "€/m²"),
            Figure(f"Nombre de ventes, {what}, en {price.year}", price.n, "ventes"),
        ]
    return tuple(dict.fromkeys(listed))


def change(first: Price, last: Price) -> float:
    """Percent, signed, to one decimal, between the published (rounded) medians."""
    return round((round(last.median) / round(first.median) - 1) * 100, 1)


def percent(value: float) -> str:
    return f"{value:.1f}".replace(".", ",") + "\u00a0%"


def euros(value: float) -> str:
    return f"{count(round(value))}\u00a0€/m²"
