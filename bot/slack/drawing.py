"""A record's price series -> a chart as PNG, and the sentence that says the same to who cannot see it."""

import io
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

FEWEST_YEARS = 3
INK, COLOURS = "#1d1c1d", ("#1264a3", "#b8501d")


def drawable(chart: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The series that have enough years for a line to mean something."""
    return [series for series in chart.get("series", ()) if len(series["points"]) >= FEWEST_YEARS]


def price_chart(chart: Mapping[str, Any]) -> bytes:
    """PNG of 1280 x 720 pixels. Blocking, and the first call imports matplotlib (about a second): use a thread.

    A chart drawn lately is not drawn again: the digests of a firm share their communes. Raises `ImportError` where
    matplotlib is not installed.
    """
    return _drawn(json.dumps(chart, sort_keys=True))


@lru_cache(maxsize=64)
def _drawn(stored: str) -> bytes:
    chart = json.loads(stored)
    from matplotlib.figure import Figure  # here: a start without a chart need not pay for it

    figure = Figure(figsize=(6.4, 3.6), dpi=200, layout="constrained")
    axes = figure.add_subplot()
    for colour, series in zip(COLOURS, drawable(chart), strict=False):
        years = [point[0] for point in series["points"]]
        values = [point[1] for point in series["points"]]
        axes.plot(years, values, marker="o", linewidth=2.2, color=colour, label=series["label"])
        for year, value in ((years[0], values[0]), (years[-1], values[-1])):
            axes.annotate(
                grouped(value), (year, value), xytext=(0, 9), textcoords="offset points", ha="center", color=colour
            )
    _dress(axes, chart)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    return drawn.getvalue()


def _dress(axes: Any, chart: Mapping[str, Any]) -> None:
    """French labels, whole years, axis from zero so that a slope is not exaggerated."""
    years = sorted({point[0] for series in drawable(chart) for point in series["points"]})
    axes.set_xticks(years, [str(year) for year in years])
    axes.margins(x=0.06)
    axes.set_ylim(0, 1.15 * max(point[1] for series in drawable(chart) for point in series["points"]))
    axes.yaxis.set_major_formatter(lambda value, _: grouped(value))
    axes.set_ylabel("Prix médian (€/m²)", color=INK)
    axes.set_title(f"Prix médian au m² : {chart['place']}", color=INK, loc="left", fontsize=11)
    axes.set_xlabel(f"Source : {chart['title']}", color="#616061", fontsize=7, loc="left")
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")


def alt_text(chart: Mapping[str, Any]) -> str:
    """ "Prix médian au m² à …, appartements : 3 420 en 2020, …" within Slack's 1,000 characters."""
    told = [f"{series['label'].lower()} : {_listed(series['points'])}" for series in drawable(chart)]
    return f"Courbe du prix médian en €/m², {chart['place']}, {' ; '.join(told)}."[:1_000]


def _listed(points: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{grouped(point[1])} en {point[0]}" for point in points)


def grouped(value: float) -> str:
    """`3420.4` -> `3 420`, with narrow no-break spaces."""
    return f"{value:,.0f}".replace(",", "\u202f")
