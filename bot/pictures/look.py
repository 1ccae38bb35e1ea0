"""How every picture looks: size, colours, letters, French numbers, where title, key and source stand."""

import gc
import io
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from pipeline.text.amounts import cents

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES: Final = (4.0, 3.4)
DPI: Final = 300
"""1200 x 1020 pixels: shown 300 points wide on a phone, the letters of its axes are still those of a footnote."""
PAPER, EDGE, INK, GREY, RULE = "#ffffff", "#d0d0d0", "#1d1c1d", "#5c5b5d", "#e3e3e3"
"""An opaque light sheet with an edge: it reads the same in Slack's light and dark themes."""
BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#e69f00", "#009e73", "#cc79a7"
COLOURS: Final = (BLUE, ORANGE, GREEN, PURPLE)
"""Okabe and Ito's, told apart by people who do not see red, green or blue, and in grey."""
TITLE, BODY, SMALL = 11.0, 8.5, 6.8
NARROW: Final = "\u202f"
_TITLE_WIDTH, _NOTE_WIDTH, _SOURCE_WIDTH = 40, 68, 76
NAME_WIDTH: Final = 16
"""Characters of a name beside an axis."""
KEY_WIDTH: Final = 38
"""And of all names of a key that stand in one line."""
_LINE: Final = 1.3 / 72
"""Inches of a line's height for each point of its letters."""


def blank() -> "tuple[Figure, Axes]":
    """An empty picture. The first call imports matplotlib, which takes about a second: use a thread."""
    from matplotlib.figure import Figure  # here: a start without a picture need not pay for it

    figure = Figure(figsize=INCHES, dpi=DPI, facecolor=PAPER, edgecolor=EDGE, linewidth=1.5)
    axes = figure.add_subplot()
    axes.set_facecolor(PAPER)
    axes.tick_params(colors=INK, labelsize=BODY, length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(GREY)
    axes.set_axisbelow(True)
    return figure, axes


def finished(figure: "Figure", axes: "Axes", *, title: str, notes: Sequence[str], source: str) -> bytes:
    """PNG with title and notes above the drawing, its key under them, its source below.
    The figure is emptied and its web of cycles collected: left to chance it would hold tens of megabytes."""
    height = INCHES[1]
    top = _written(figure, title, y=height - 0.1, size=TITLE, width=_TITLE_WIDTH, weight="bold")
    for note in notes:
        top = _written(figure, note, y=top - 0.02, size=BODY - 0.5, width=_NOTE_WIDTH, colour=GREY)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        ncols = len(labels) if sum(map(len, labels)) <= KEY_WIDTH else 2
        figure.legend(
            handles, labels, loc="upper left", bbox_to_anchor=(0.01, (top - 0.02) / height), ncols=ncols,
            frameon=False, fontsize=BODY, labelcolor=INK, borderpad=0.2, columnspacing=1.2, handlelength=1.4,
        )  # fmt: skip
        top -= 0.06 + 0.17 * math.ceil(len(labels) / ncols)
    said = broken(f"Source : {source}", _SOURCE_WIDTH)[:3]
    bottom = 0.08 + len(said) * SMALL * _LINE
    _written(figure, "\n".join(said), y=bottom, size=SMALL, width=0, colour=GREY)
    figure.set_layout_engine(
        "constrained", rect=(0.02, (bottom + 0.07) / height, 0.96, (top - bottom - 0.14) / height), w_pad=0, h_pad=0
    )
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", facecolor=PAPER, edgecolor=EDGE)
    figure.clear()
    gc.collect(1)  # the young ones: a few milliseconds, where all would stop the process for a tenth of a second
    return drawn.getvalue()


def _written(
    figure: "Figure", text: str, *, y: float, size: float, width: int, colour: str = INK, weight: str = "normal"
) -> float:
    """Text from the left edge down, `y` inches from the bottom; where it ends. A « $ » is a sign like others."""
    lines = broken(text, width)[:2] if width else text.splitlines()
    figure.text(
        0.03, y / INCHES[1], "\n".join(lines), fontsize=size, color=colour, fontweight=weight, va="top", ha="left",
        linespacing=1.15, parse_math=False,
    )  # fmt: skip
    return y - len(lines) * size * _LINE


def wrapped(text: str, width: int) -> str:
    """On as many lines as it takes."""
    return "\n".join(broken(text, width))


def broken(text: str, width: int) -> list[str]:
    """No line begins with a colon or the like: French puts a space before them that does not break."""
    return textwrap.wrap(re.sub(r" (?=[:;?!»%])", "\u00a0", text), width)


def grid(axes: "Axes", *, along: Literal["x", "y"]) -> None:
    """Thin lines behind the values of one axis."""
    axes.grid(axis=along, color=RULE, linewidth=0.8)


def beside(axes: "Axes", text: str, x: float, y: float, *, up: float = 4, right: float = 0, **more: Any) -> None:
    """A value written at a point, on the paper's colour so that a line under it does not cross it out."""
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
    more = {"ha": "center", "va": "bottom", "color": INK, "fontsize": BODY - 0.5, "bbox": box, **more}
    axes.annotate(text, (x, y), xytext=(right, up), textcoords="offset points", annotation_clip=False, **more)


def number(value: float, digits: int = 0) -> str:
    """`3420.4` -> `3 420`, with narrow no-break spaces, a comma and a true minus."""
    text = f"{value:,.{digits}f}".replace(",", NARROW).replace(".", ",")
    return text.replace("-", "−") if text.strip("-0,") else text.lstrip("-")


def alike(values: Iterable[float], unit: str) -> Callable[[float], str]:
    """How all of them are written: with as many digits (0 to 2) as one of them needs, none from 100 on."""
    needed = [cents(each) for each in values if abs(each) < 100]
    digits = max((next((n for n in (0, 1) if round(each, n) == each), 2) for each in needed), default=0)
    return lambda value: f"{number(value, digits)}\u00a0{unit}"


def amount(value: float, unit: str) -> str:
    """As a table says it: two decimals for rates, cents for what is paid monthly or small, else whole."""
    rounded = cents(value)
    exact = unit in ("%", "€/mois") or abs(rounded) < 100
    digits = 2 if unit == "%" or (exact and rounded != int(rounded)) else 0
    return f"{number(rounded, digits)}\u00a0{unit}".rstrip("\u00a0")


def tick(unit: str, *, most: float = 0.0) -> Any:
    """A formatter of an axis whose greatest value is `most`: euros in thousands (`k€`) from 10 000 on."""
    thousands = unit == "€" and most >= 10_000

    def said(value: float, _position: object) -> str:
        shown = value / 1000 if thousands else value
        digits = next((each for each in (0, 1) if round(shown, each) == shown), 2)
        return f"{number(shown, digits)}\u00a0{'k€' if thousands else unit}"

    return said


def sparse(count: int, most: int = 12) -> list[int]:
    """Which of so many steps get a name on the axis: the first, then every fifth or tenth."""
    if count <= most:
        return list(range(count))
    every = next((each for each in (5, 10) if count / each <= most), max(10, count // most))
    return sorted({0, *range(every - 1, count, every)})
