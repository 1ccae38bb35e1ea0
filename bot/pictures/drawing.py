"""A chart of an answer's record -> PNG, French words, table: whatever its kind."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from bot.pictures import gain, loan, look, prices, ranges, yields
from bot.pictures.values import Chart, Kind, Rows, text

KINDS: Final[Mapping[str, Kind]] = {
    "prices": prices.KIND,
    "loan": loan.YEARS,
    "loans": loan.CASES,
    "gain": gain.KIND,
    "yield": yields.KIND,
    "communes": ranges.COMMUNES,
    "rents": ranges.RENTS,
}
ALT_LIMIT: Final = 1_000
"""Characters that Slack takes as the description of a file."""
KEPT: Final = 32


def _kind(chart: Chart) -> Kind | None:
    """Records of before there were kinds hold prices."""
    return KINDS.get(str(chart.get("kind") or "prices"))


def drawable(chart: Chart) -> bool:
    """Whether it makes a picture that helps; never for what is malformed or of a kind that nobody draws any more."""
    kind = _kind(chart)
    if kind is None:
        return False
    try:
        sound = text(chart["title"]) and kind.deserved(chart)
        return sound and bool(kind.words(chart)) and len(kind.rows(chart)) > 1
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False


def picture(chart: Chart) -> bytes:
    """PNG of a drawable chart. Blocking, and the first call imports matplotlib (about a second): use a thread.

    One drawn lately is not drawn again: a thread and its sheet share theirs, and so do the digests of a firm. Raises
    `ImportError` where matplotlib is not installed.
    """
    return _drawn(json.dumps(chart, sort_keys=True))


@lru_cache(maxsize=KEPT)
def _drawn(stored: str) -> bytes:
    chart = json.loads(stored)
    kind = _known(chart)
    figure, axes = look.blank()
    kind.draw(axes, chart)
    return look.finished(figure, axes, title=kind.heading(chart), notes=kind.notes(chart), source=str(chart["title"]))


def heading(chart: Chart) -> str:
    """Its title."""
    return _known(chart).heading(chart)


def file_stem(chart: Chart) -> str:
    """What its files are called, in short."""
    return _known(chart).name


def alt_text(chart: Chart) -> str:
    """The same figures in words, as far as Slack takes them."""
    said = _known(chart).words(chart)
    return said if len(said) <= ALT_LIMIT else said[: ALT_LIMIT - 1].rsplit(" ", 1)[0] + "…"


def rows(chart: Chart) -> Rows:
    """The same figures as a table: a header, then cells."""
    return _known(chart).rows(chart)


def _known(chart: Chart) -> Kind:
    kind = _kind(chart)
    if kind is None:
        raise KeyError(chart.get("kind"))
    return kind
