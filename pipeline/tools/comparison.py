"""The tool "compare": results of the thread set side by side, with the differences between them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.text.amounts import cents, euros, percent
from pipeline.types import Computed, Figure, ToolCall, ToolResult

MOST: Final = 8
NOTHING = "Je n'ai pas deux résultats comparables dans ce fil : donnez-moi les deux cas, et je les calcule."


class ComparisonTool:
    """`arguments`: `{"items": [{"name": str, "figures": [[label, value, unit], ...]}, ...], "best": bool}`, one item
    whose figures are compared among themselves, or two whose figures of one label are."""

    name = "compare"

    async def run(self, call: ToolCall) -> ToolResult:
        items = call.arguments.get("items") or ()
        pairs = list(_of_two(items) if len(items) > 1 else _of_one(items))[:MOST]
        if not pairs:
            return ToolResult(call=call, error=NOTHING, asks=NOTHING)
        computed, figures, said = [], [], []
        for pair in pairs:
            label, (first_name, first), (second_name, second), unit = pair
            gap = cents(abs(second - first))
            formula = f"{shown(second, unit)} - {shown(first, unit)}"
            computed.append(Computed(Figure(f"Écart : {label}", gap, unit), formula))
            figures += [
                Figure(f"{label} ({first_name})", first, unit),
                Figure(f"{label} ({second_name})", second, unit),
            ]
            said.append(_sentence(pair, gap, best=call.arguments.get("best") is True))
        return ToolResult(
            call=call,
            title="Comparaison des résultats du fil",
            text=" ".join(said),
            figures=tuple(dict.fromkeys(figures)),
            computed=tuple(computed),
        )


Pair = tuple[str, tuple[str, float], tuple[str, float], str]


def _of_two(items: Sequence[Mapping[str, Any]]) -> Iterator[Pair]:
    """Figures of one label, where the two cases differ."""
    first, second = items[-2], items[-1]
    held = {label: (value, unit) for label, value, unit in second["figures"]}
    for label, value, unit in first["figures"]:
        if label in held and held[label][1] == unit and held[label][0] != value and unit:
            yield label, (first["name"], value), (second["name"], held[label][0]), unit


def _of_one(items: Sequence[Mapping[str, Any]]) -> Iterator[Pair]:
    """Figures of one unit whose labels begin alike: medians of two towns, instalments at two rates."""
    figures = items[0]["figures"] if items else ()
    for index, (label, value, unit) in enumerate(figures):
        for other, held, other_unit in figures[index + 1 :]:
            if unit and unit == other_unit and held != value and _stem(label) == _stem(other):
                yield _stem(label), (label.removeprefix(_stem(label)).strip(" ,:()") or label, value), (
                    other.removeprefix(_stem(other)).strip(" ,:()") or other, held
                ), unit  # fmt: skip


def _stem(label: str) -> str:
    """« Mensualité hors assurance à 3,2 % sur 20 ans » -> « Mensualité hors assurance »."""
    for mark in (" à ", " sur ", ", ", " (", " : "):
        label = label.split(mark)[0]
    return label.strip()


def _sentence(pair: Pair, gap: float, *, best: bool) -> str:
    """The difference first; who comes out lower only when that was asked."""
    label, first, second, unit = pair
    low, high = sorted((first, second), key=lambda side: side[1])
    lowered = label[:1].lower() + label[1:]
    of = "d'" if lowered[0] in "aeiouéèêh" else "de "
    told = f"Écart {of}{lowered} : {shown(gap, unit)}, soit {shown(low[1], unit)} pour {low[0]} et "
    told += f"{shown(high[1], unit)} pour {high[0]}"
    return f"{told} ; le plus bas est {low[0]}." if best else f"{told}."


def shown(value: float, unit: str) -> str:
    if unit == "%":
        return percent(value)
    if unit.startswith("€"):
        return f"{euros(value)}{unit[1:].replace('/mois', ' par mois').replace('/an', ' par an').replace('/m²', '/m²')}"
    return f"{euros(value).removesuffix('€').rstrip()} {unit}"
