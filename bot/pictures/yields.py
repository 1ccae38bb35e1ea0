"""The yields of a let under three scenarios, side by side."""

from typing import TYPE_CHECKING, Final

from bot.pictures import look, schedules
from bot.pictures.values import Chart, Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNIT: Final = "%"
WIDTH: Final = 0.26
_COLOURS: Final = (look.ORANGE, look.BLUE, look.GREEN)


def _draw(axes: "Axes", chart: Chart) -> None:
    """A group of bars a yield, a bar a scenario with its value at its end, below zero too."""
    levels = schedules.stacked(chart, UNIT)
    for number, (step, colour) in enumerate(zip(chart["steps"], _COLOURS, strict=False)):
        places = [group + (number - 1) * (WIDTH + 0.03) for group in range(len(levels))]
        values = [level["values"][number] for level in levels]
        axes.bar(places, values, width=WIDTH, color=colour, label=step)
        for place, value in zip(places, values, strict=True):
            up, side = (2, "bottom") if value >= 0 else (-2, "top")
            look.beside(axes, look.number(value, 2), place, value, up=up, va=side, fontsize=look.BODY - 1)
    drawn = [value for level in levels for value in level["values"]]
    room = 0.12 * (max(0.0, *drawn) - min(0.0, *drawn))
    axes.set_ylim(min(0.0, *drawn) - (room if min(drawn) < 0 else 0), max(0.0, *drawn) + room)
    axes.axhline(0, color=look.GREY, linewidth=1)
    axes.set_xticks(range(len(levels)), [look.wrapped(level["label"], 11) for level in levels])
    axes.yaxis.set_major_formatter(look.tick(UNIT))
    look.grid(axes, along="y")


def _deserved(chart: Chart) -> bool:
    return schedules.enough(chart) and len(chart["steps"]) == len(_COLOURS) and bool(schedules.stacked(chart, UNIT))


KIND: Final = Kind(
    "rendements", _deserved, schedules.heading, schedules.notes, _draw, schedules.words, schedules.rows
)  # fmt: skip
