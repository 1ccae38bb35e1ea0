"""What the pictures of a calculation's steps share: which steps are sound, their words and their table."""

import math
from collections.abc import Sequence
from typing import Any, Final

from bot.pictures import look
from bot.pictures.values import Chart, Rows

FEWEST_STEPS: Final = 2


def columns(chart: Chart) -> Sequence[Chart]:
    """Those that have a finite value at each step, and any that is not zero."""
    steps = chart.get("steps") or ()
    return [column for column in chart.get("columns") or () if _sound(column.get("values") or (), len(steps))]


def _sound(values: Sequence[Any], steps: int) -> bool:
    known = len(values) == steps and all(isinstance(value, int | float) and math.isfinite(value) for value in values)
    return known and any(values)


def stacked(chart: Chart, unit: str) -> Sequence[Chart]:
    """The columns of one unit, which may stand on each other."""
    return [column for column in columns(chart) if column["unit"] == unit]


def enough(chart: Chart) -> bool:
    """Several steps, of which something can be drawn."""
    return len(chart.get("steps") or ()) >= FEWEST_STEPS and bool(columns(chart))


def heading(chart: Chart) -> str:
    return str(chart["name"])


def notes(chart: Chart) -> Sequence[str]:
    return [str(note) for note in chart.get("notes") or ()]


def words(chart: Chart) -> str:
    """Title, notes, then each column, of a long schedule at some steps: the table beside it has them all."""
    steps, told = chart["steps"], []
    said = look.sparse(len(steps))
    said = said if said[-1] == len(steps) - 1 else [*said, len(steps) - 1]
    for column in columns(chart):
        each = [f"{look.amount(column['values'][index], column['unit'])} ({steps[index]})" for index in said]
        told.append(f"{column['label']} : {', '.join(each)}")
    return f"{'. '.join([heading(chart), *notes(chart)])}. {chart['axis']} : {' ; '.join(told)}."


def rows(chart: Chart) -> Rows:
    """A row a step, then the whole where the steps add up to it."""
    shown = columns(chart)
    found = [[str(chart["axis"]), *(str(column["label"]) for column in shown)]]
    for index, step in enumerate(chart["steps"]):
        found.append([str(step), *(look.amount(column["values"][index], column["unit"]) for column in shown)])
    if any(column.get("total") is not None for column in shown):
        totals = [column.get("total") for column in shown]
        named = zip(totals, shown, strict=True)
        found.append(["Total", *(look.amount(t, column["unit"]) if t is not None else "–" for t, column in named)])
    return found
