"""What a picture is made of: an answer's figures as its record keeps them, and how one kind of them is shown."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Chart = Mapping[str, Any]
"""As JSON: `kind`, `title` (its source), then what its kind says (`of_series`, `of_schedule`)."""
Rows = Sequence[Sequence[str]]
"""A header, then cells."""


def text(value: Any) -> bool:
    """Words that can be written."""
    return isinstance(value, str) and bool(value.strip())


def known(value: Any) -> bool:
    """A number that can be drawn: a record may hold nulls, and JSON of ours infinities."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of picture. `name`: of its files; `deserved`: whether these figures make one that helps; `heading`: its
    French title, `notes`: what stands under it; `draw`: onto empty axes; `words`: the same figures for who cannot see
    it; `rows`: as a table."""

    name: str
    deserved: Callable[[Chart], bool]
    heading: Callable[[Chart], str]
    notes: Callable[[Chart], Sequence[str]]
    draw: Callable[["Axes", Chart], None]
    words: Callable[[Chart], str]
    rows: Callable[[Chart], Rows]
