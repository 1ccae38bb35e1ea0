"""Figures of places as the tools told them -> charts: several communes of one figure, one commune's estimated rents."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.pictures.look import number
from pipeline.side_by_side import common_figures
from pipeline.tools.french import at
from pipeline.types import Figure, ToolResult

BOUNDS: Final = {
    "Prix médian des ": ("Premier quartile des ", "Troisième quartile des "),
    "Loyer d'annonce estimé, ": ("Borne basse du loyer estimé, ", "Borne haute du loyer estimé, "),
}
"""How the tools label the bounds of a figure, by how they label the figure."""
SPREAD: Final = {
    "Prix médian des ": "Trait : du premier au troisième quartile des ventes",
    "Loyer d'annonce estimé, ": "Trait : intervalle de prédiction ; charges comprises",
}
RENT: Final = "Loyer d'annonce estimé, "
FEWEST: Final = 2


def compared(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    """One chart for each thing that several communes have a figure of, the first of prices and the first of rents."""
    told = {str(result.call.arguments.get("name")): result for result in results if result.figures}
    gaps = {entry.figure.label: entry.figure for result in results for entry in result.computed}
    found: dict[str, dict[str, Any]] = {}
    for values in common_figures(results):
        label, unit = next((figure.label, figure.unit) for figure in values.values())
        stem = _stem(label)
        if stem not in found and all(name in told for name in values):
            found[stem] = {
                "kind": "communes",
                "title": _sources([told[name] for name in values]),
                "name": label.replace("estimé, ", "estimé : "),
                "axis": "Commune",
                "unit": unit,
                "rows": [_row(name, figure, told[name].figures) for name, figure in values.items()],
                "notes": [*_gap(label, gaps), SPREAD[stem]],
            }
    return list(found.values())


def rents(result: ToolResult) -> list[dict[str, Any]]:
    """The rents of several types of homes in one commune, each with the bounds of its estimate."""
    name = str(result.call.arguments.get("name") or "")
    rows = [
        _row(_home(figure.label.removeprefix(RENT)), figure, result.figures)
        for figure in result.figures
        if figure.label.startswith(RENT)
    ]
    if len(rows) < FEWEST or not name:
        return []
    unit = next(figure.unit for figure in result.figures if figure.label.startswith(RENT))
    heading = f"Loyer mensuel d'annonce estimé {at(name)}"
    told = {"kind": "rents", "title": result.title, "name": heading, "axis": "Logement", "unit": unit}
    return [{**told, "rows": rows, "notes": [SPREAD[RENT]]}]


def _home(words: str) -> str:
    """`un appartement de …` -> `Appartement de …`."""
    return words.removeprefix("une ").removeprefix("un ").capitalize()


def _stem(label: str) -> str:
    return next(stem for stem in BOUNDS if label.startswith(stem))


def _row(name: str, figure: Figure, figures: Sequence[Figure]) -> dict[str, Any]:
    """`low`, `high`: None where the tool did not tell them."""
    stem = _stem(figure.label)
    held = {each.label: each.value for each in figures}
    low, high = (held.get(figure.label.replace(stem, bound)) for bound in BOUNDS[stem])
    return {"label": name.removesuffix(" Arrondissement"), "value": figure.value, "low": low, "high": high}


def _gap(label: str, gaps: Mapping[str, Figure]) -> list[str]:
    """What was worked out between the lowest and the highest."""
    gap, share = gaps.get(f"Écart : {label}"), gaps.get(f"Écart en % : {label}")
    if gap is None:
        return []
    digits = 0 if gap.value == int(gap.value) else 1
    more = f", soit {number(share.value, 1)}\u00a0%" if share else ""
    return [f"Écart du plus bas au plus élevé : {number(gap.value, digits)}\u00a0{gap.unit}{more}"]


def _sources(results: Sequence[ToolResult]) -> str:
    first, *others = results
    names = [str(result.call.arguments.get("name")) for result in others]
    return f"{first.title} ; de même {', '.join(map(at, names))}"
