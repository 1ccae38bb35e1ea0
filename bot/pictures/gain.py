"""The tax on a capital gain by how long the property will have been held."""

import math
from typing import TYPE_CHECKING, Final

from bot.pictures import look, schedules
from bot.pictures.values import Chart, Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNIT: Final = "€"
_PARTS: Final = {
    "Impôt sur la plus-value": ("Impôt", look.BLUE),
    "Prélèvements sociaux": ("Prélèvements sociaux", look.ORANGE),
    "Surtaxe": ("Surtaxe", look.PURPLE),
}
"""What stands on each other: its short name and its colour."""
_WRITTEN: Final = 5
"""How many bars have their whole above them: the amounts are wider than the bars."""


def _draw(axes: "Axes", chart: Chart) -> None:
    """Bars of the taxes on each other, a year each, with the whole above some of them."""
    places = list(range(len(chart["steps"])))
    bottom = [0.0] * len(places)
    for column in schedules.stacked(chart, UNIT):
        if column["label"] in _PARTS:
            name, colour = _PARTS[column["label"]]
            axes.bar(places, column["values"], bottom=bottom, width=0.82, color=colour, label=name)
            bottom = [low + value for low, value in zip(bottom, column["values"], strict=True)]
    for place in places[:: math.ceil(len(places) / _WRITTEN)]:
        if bottom[place]:
            look.beside(axes, look.amount(bottom[place], UNIT), place - 0.4, bottom[place], up=2, ha="left")
    years = [int(step.partition(" ")[0]) for step in chart["steps"]]
    every = 1 if len(years) <= 10 else 2 if len(years) <= 20 else 5
    named = [place for place in places if years[place] % every == 0]
    axes.set_xticks(named, [str(years[place]) for place in named])
    axes.set_xlabel(chart["axis"], color=look.INK, fontsize=look.BODY)
    axes.set_ylim(0, 1.12 * max(bottom))
    axes.yaxis.set_major_formatter(look.tick(UNIT, most=max(bottom)))
    axes.margins(x=0.03)
    look.grid(axes, along="y")


def _deserved(chart: Chart) -> bool:
    counted = schedules.enough(chart) and all(step.partition(" ")[0].isdecimal() for step in chart["steps"])
    return counted and any(column["label"] in _PARTS for column in schedules.stacked(chart, UNIT))


KIND: Final = Kind(
    "plus-value", _deserved, schedules.heading, schedules.notes, _draw, schedules.words, schedules.rows
)  # fmt: skip
