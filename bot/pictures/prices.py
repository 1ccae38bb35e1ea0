"""Prices over the years, with the half of the sales that lies between the quartiles."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from bot.pictures import look
from bot.pictures.values import Chart, Kind, Rows, known, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST_YEARS: Final = 3
MOST_LINES: Final = 2


def _lines(chart: Chart) -> list[Any]:
    """The series with enough years for a line to mean something, and a value in each."""
    told = [series for series in chart.get("series") or () if text(series.get("label")) and text(series.get("unit"))]
    whole = [{**series, "points": _sound(series.get("points") or ())} for series in told]
    return [series for series in whole if len(series["points"]) >= FEWEST_YEARS][:MOST_LINES]


def _sound(points: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    return [point for point in points if len(point) >= 3 and all(map(known, point[:3])) and point[1] > 0]


def _heading(chart: Chart) -> str:
    lines = _lines(chart)
    only = f", {lines[0]['label'].lower()}" if len(lines) == 1 else ""
    return f"{_measured(lines)} : {chart['place']}{only}"


def _measured(lines: Sequence[Chart]) -> str:
    """A garage has a price, but none a square metre."""
    return "Prix médian au m²" if all(series["unit"] == "€/m²" for series in lines) else "Prix médian"


def _notes(chart: Chart) -> Sequence[str]:
    banded = any(_is_banded(series) for series in _lines(chart))
    return ["Bande : du premier au troisième quartile des ventes"] if banded else []


def _draw(axes: "Axes", chart: Chart) -> None:
    lines = _lines(chart)
    for series, colour in zip(lines, look.COLOURS, strict=False):
        if _is_banded(series):
            _band(axes, series["points"], colour)
        years, values = [point[0] for point in series["points"]], [point[1] for point in series["points"]]
        label = series["label"] if len(lines) > 1 else None  # of one, the title says it
        axes.plot(years, values, marker="o", markersize=4, linewidth=2.2, color=colour, label=label)
    _ends(axes, lines)
    years = sorted({point[0] for series in lines for point in series["points"]})
    named = [years[index] for index in look.sparse(len(years), most=8)]
    axes.set_xticks(named, [f"{year:.0f}" for year in named])
    axes.margins(x=0.09)
    axes.set_ylim(0, 1.1 * max(value for series in lines for point in series["points"] for value in _extent(point)))
    axes.yaxis.set_major_formatter(look.tick(str(lines[0]["unit"])))
    look.grid(axes, along="y")


def _extent(point: Sequence[Any]) -> Sequence[float]:
    return (point[1], point[4]) if _has_quartiles(point) else (point[1],)


def _has_quartiles(point: Sequence[Any]) -> bool:
    return len(point) >= 5 and known(point[3]) and known(point[4]) and 0 < point[3] <= point[1] <= point[4]


def _is_banded(series: Chart) -> bool:
    """Where each year has its quartiles: a band with holes would be read as one without."""
    return all(map(_has_quartiles, series["points"]))


def _band(axes: "Axes", points: Sequence[Sequence[Any]], colour: str) -> None:
    low, high = [point[3] for point in points], [point[4] for point in points]
    axes.fill_between([point[0] for point in points], low, high, color=colour, alpha=0.15, linewidth=0)


def _ends(axes: "Axes", lines: Sequence[Chart]) -> None:
    """First and last value of each line: above the higher one, below the lower one."""
    for end in (0, -1):
        ordered = sorted(range(len(lines)), key=lambda index: lines[index]["points"][end][1])
        for rank, index in enumerate(ordered):
            year, value = lines[index]["points"][end][:2]
            below = len(lines) > 1 and rank == 0
            look.beside(
                axes, look.number(value), year, value, up=-6 if below else 6, va="top" if below else "bottom",
                color=look.INK, fontweight="bold",
            )  # fmt: skip


def _words(chart: Chart) -> str:
    """ "Prix médian au m² à …, appartements : 3 420 en 2020, …"."""
    lines = _lines(chart)
    told = [
        f"{series['label'].lower()} : "
        + ", ".join(f"{look.number(point[1])} en {point[0]:.0f}" for point in series["points"])
        for series in lines
    ]
    return f"Courbe du prix médian en {lines[0]['unit']}, {chart['place']}, {' ; '.join(told)}."


def _deserved(chart: Chart) -> bool:
    return text(chart.get("place")) and bool(_lines(chart))


def _rows(chart: Chart) -> Rows:
    """A row a year, newest first: median, quartiles and sales of each line."""
    lines = _lines(chart)
    head = ["Année"]
    for series in lines:
        head += [f"{series['label']} : médiane", "Quartiles", "Ventes"]
    rows = [head]
    held = [{point[0]: point for point in series["points"]} for series in lines]
    for year in sorted({year for points in held for year in points}, reverse=True):
        row = [f"{year:.0f}"]
        for series, points in zip(lines, held, strict=True):
            row += _cells(points.get(year), str(series["unit"]))
        rows.append(row)
    return rows


def _cells(point: Sequence[Any] | None, unit: str) -> list[str]:
    if point is None:
        return ["–", "–", "–"]
    between = f"{look.number(point[3])} à {look.number(point[4])}" if _has_quartiles(point) else "–"
    return [look.amount(point[1], unit), between, look.number(point[2])]


KIND: Final = Kind("prix", _deserved, _heading, _notes, _draw, _words, _rows)
