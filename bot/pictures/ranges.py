"""Several things of one unit under each other, each a dot on the line from its lower to its upper bound."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from bot.pictures import look, schedules
from bot.pictures.values import Chart, Kind, Rows, known, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST, MOST = 2, 6


def _positive(value: Any) -> bool:
    return known(value) and value > 0


def _bounded(row: Chart) -> bool:
    return _positive(row.get("low")) and _positive(row.get("high")) and row["low"] <= row["value"] <= row["high"]


def _sound(chart: Chart) -> list[Chart]:
    return [row for row in chart.get("rows") or () if _positive(row.get("value")) and text(row.get("label"))]


def _deserved(chart: Chart) -> bool:
    named = all(text(chart.get(key)) for key in ("name", "axis", "unit"))
    return named and FEWEST <= len(_sound(chart)) <= MOST


def _draw(axes: "Axes", chart: Chart) -> None:
    """The highest above; from zero, so that a gap is not exaggerated."""
    rows, said = sorted(_sound(chart), key=lambda row: row["value"]), _said(chart)
    for place, row in enumerate(rows):
        if _bounded(row):
            axes.plot([row["low"], row["high"]], [place, place], color=look.BLUE, alpha=0.3, linewidth=9,
                      solid_capstyle="butt")  # fmt: skip
    axes.plot([row["value"] for row in rows], range(len(rows)), "o", color=look.BLUE, markersize=9)
    for place, row in enumerate(rows):
        look.beside(axes, said(row["value"]), row["value"], place, up=9, fontweight="bold")
    axes.set_yticks(range(len(rows)), [look.wrapped(str(row["label"]), look.NAME_WIDTH) for row in rows])
    axes.set_ylim(-0.6, len(rows) - 0.35)
    axes.set_xlim(0, 1.12 * max(row["high"] if _bounded(row) else row["value"] for row in rows))
    axes.xaxis.set_major_formatter(look.tick(str(chart["unit"])))
    axes.locator_params(axis="x", nbins=4)
    look.grid(axes, along="x")


def _words(chart: Chart) -> str:
    said = _said(chart)
    told = [f"{row['label']} {said(row['value'])}{_between(row, said)}" for row in _sound(chart)]
    return f"{'. '.join([schedules.heading(chart), *schedules.notes(chart)])}. {' ; '.join(told)}."


def _said(chart: Chart) -> Callable[[float], str]:
    told = [value for row in _sound(chart) for value in (row["value"], *((row["low"], row["high"]) * _bounded(row)))]
    return look.alike(told, str(chart["unit"]))


def _between(row: Chart, said: Callable[[float], str]) -> str:
    return f" (de {said(row['low'])} à {said(row['high'])})" if _bounded(row) else ""


def _rows(chart: Chart) -> Rows:
    said = _said(chart)
    cells = [
        [str(row["label"]), said(row["value"])]
        + ([said(row["low"]), said(row["high"])] if _bounded(row) else ["–", "–"])
        for row in _sound(chart)
    ]
    return [[str(chart["axis"]), "Valeur", "Borne basse", "Borne haute"], *cells]


COMMUNES: Final = Kind("communes", _deserved, schedules.heading, schedules.notes, _draw, _words, _rows)
RENTS: Final = Kind("loyers", _deserved, schedules.heading, schedules.notes, _draw, _words, _rows)
