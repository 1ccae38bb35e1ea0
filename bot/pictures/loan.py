"""A loan: what each year repays and costs; several loans: what each costs as a whole."""

from typing import TYPE_CHECKING, Final

from bot.pictures import look, schedules
from bot.pictures.values import Chart, Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOUR: Final = {"Capital remboursé": look.BLUE, "Intérêts": look.ORANGE, "Assurance": look.GREEN}
UNIT: Final = "€"


def _by_year(axes: "Axes", chart: Chart) -> None:
    """Bars of capital, interest and insurance on each other, one a year."""
    places = list(range(len(chart["steps"])))
    bottom = [0.0] * len(places)
    for column in schedules.stacked(chart, UNIT):
        axes.bar(places, column["values"], bottom=bottom, width=0.82, color=_COLOUR.get(column["label"], look.PURPLE),
                 label=column["label"])  # fmt: skip
        bottom = [low + value for low, value in zip(bottom, column["values"], strict=True)]
    named = look.sparse(len(places))
    axes.set_xticks(named, [chart["steps"][index] for index in named])
    axes.set_xlabel(chart["axis"], color=look.INK, fontsize=look.BODY)
    axes.yaxis.set_major_formatter(look.tick(UNIT, most=max(bottom)))
    axes.margins(x=0.02)
    look.grid(axes, along="y")


def _by_case(axes: "Axes", chart: Chart) -> None:
    """A bar a case, the cheapest above, with its whole cost at its end."""
    parts = schedules.stacked(chart, UNIT)
    whole = [sum(column["values"][index] for column in parts) for index in range(len(chart["steps"]))]
    order = sorted(range(len(whole)), key=lambda index: -whole[index])
    left = [0.0] * len(order)
    for column in parts:
        values = [column["values"][index] for index in order]
        axes.barh(range(len(order)), values, left=left, height=0.66, color=_COLOUR.get(column["label"], look.PURPLE),
                  label=column["label"])  # fmt: skip
        left = [start + value for start, value in zip(left, values, strict=True)]
    for place, index in enumerate(order):
        look.beside(axes, look.amount(whole[index], UNIT), whole[index], place, up=0, right=4, ha="left", va="center")
    axes.set_yticks(range(len(order)), [chart["steps"][index] for index in order])
    axes.set_xlim(0, 1.25 * max(whole))
    axes.xaxis.set_major_formatter(look.tick(UNIT, most=max(whole)))
    axes.locator_params(axis="x", nbins=5)
    look.grid(axes, along="x")


def _costly(chart: Chart) -> bool:
    return schedules.enough(chart) and any(column["label"] == "Intérêts" for column in schedules.stacked(chart, UNIT))


YEARS: Final = Kind("pret", _costly, schedules.heading, schedules.notes, _by_year, schedules.words, schedules.rows)
CASES: Final = Kind("couts", _costly, schedules.heading, schedules.notes, _by_case, schedules.words, schedules.rows)
