"""Yearly prices -> French sentences, and the figures that every number in them stands on."""

from collections.abc import Mapping

from pipeline.tools.french import at, count
from pipeline.tools.indicators import Kind, Price
from pipeline.types import Figure

KINDS: Mapping[Kind, str] = {"flat": "appartements", "house": "maisons"}
OF: Mapping[Kind, str] = {"flat": "d'appartements", "house": "de maisons"}
LABEL = "Indicateurs DV3F (Cerema)"
FRAGILE = 30
"""Sales under which a median moves with a handful of deeds: said so, though the price is given."""

RULE = "Règle de calcul : médiane et quartiles du prix au m² bâti des ventes de l'année, selon la typologie du Cerema."

Chosen = Mapping[Kind, tuple[Price, Price | None]]


def title(name: str, source: str) -> str:
    return f"{LABEL} : prix {at(name)}" + (f" ({source})" if source else "")


def sentences(name: str, chosen: Chosen, *, source: str, this_year: int) -> list[str]:
    """Each type of home in one sentence, its spread and its trend in the next; then the rule."""
    said: list[str] = []
    origin = f"les indicateurs du Cerema ({source})" if source else "les indicateurs du Cerema"
    for kind, (price, before) in chosen.items():
        partial = " (année en cours, donc partielle)" if price.year >= this_year else ""
        sold = "vendus" if kind == "flat" else "vendues"
        said.append(
            f"Selon {origin}, le prix médian des {KINDS[kind]} {sold} {at(name)} en {price.year}{partial} est de "
            f"{_euros(price.median)}, sur {count(price.sales)} ventes."
        )
        said.append(
            f"La moitié centrale des ventes {OF[kind]} de {price.year} se situe entre {_euros(price.low)} et "
            f"{_euros(price.high)}{_trend(price, before)}."
        )
        if price.sales < FRAGILE:
            said.append("L'échantillon est réduit : ce prix est à prendre avec prudence.")
    return [*said, RULE]


def figures(chosen: Chosen) -> tuple[Figure, ...]:
    """Everything that the sentences state, years included, and the figures a reader may want beside."""
    listed: list[Figure] = []
    for kind, (price, before) in chosen.items():
        listed += _of_year(KINDS[kind], price)
        if before is not None:
            listed += _of_year(KINDS[kind], before)
            label = f"Évolution du prix médian des {KINDS[kind]} de {before.year} à {price.year}"
            listed.append(Figure(label, abs(change(price, before)), "%"))
    return tuple(dict.fromkeys(listed))


def change(price: Price, before: Price) -> float:
    """Percent from the year before, to one decimal, signed."""
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


def _trend(price: Price, before: Price | None) -> str:
    if before is None:
        return ""
    moved = change(price, before)
    if moved == 0:
        return f", et la médiane est stable par rapport à {before.year} ({_euros(before.median)})"
    verb = "progresse" if moved > 0 else "recule"
    percent = f"{abs(moved):.1f}".replace(".", ",")
    return f", et la médiane {verb} de {percent}\u00a0% par rapport à {before.year} ({_euros(before.median)})"


def _euros(value: float) -> str:
    return f"{count(round(value))}\u00a0€/m²"
