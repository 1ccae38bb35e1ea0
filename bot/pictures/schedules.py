"""What the pictures of a calculation's steps share: which steps are sound, their words and their table."""

from collections.abc import Sequence
from typing import Any, Final

from bot.pictures import look
from bot.pictures.values import Chart, Rows, known, text

FEWEST_STEPS: Final = 2


def columns(chart: Chart) -> Sequence[Chart]:
    """Those that have a finite value at each step, and any that is not zero."""
    steps = len(chart.get("steps") or ())
    return [column for column in chart.get("columns") or () if _sound(column, steps)]


def _sound(column: Chart, steps: int) -> bool:
    values = column.get("values") or ()
    drawn = len(values) == steps and all(map(known, values)) and any(values)
    return drawn and text(column.get("label")) and text(column.get("unit"))


def stacked(chart: Chart, unit: str) -> Sequence[Chart]:
    """The columns of one unit, which may stand on each other."""
    return [column for column in columns(chart) if column["unit"] == unit]


def enough(chart: Chart) -> bool:
    """Several named steps, of which something can be drawn."""
    steps = chart.get("steps") or ()
    named = all(map(text, (chart.get("name"), chart.get("axis"), *steps)))
    return named and len(steps) >= FEWEST_STEPS and bool(columns(chart))


def heading(chart: Chart) -> str:
    return str(chart["name"])


def notes(chart: Chart) -> Sequence[str]:
    return [note for note in chart.get("notes") or () if text(note)]


def words(chart: Chart) -> str:
    """Title, notes, then each column, of a long schedule at some steps: the table beside it has them all."""
    steps, told = chart["steps"], []
    said = look.sparse(len(steps))
    said = said if said[-1] == len(steps) - 1 else [*said, len(steps) - 1]
    for column in columns(chart):
        each = [f"{look.amount(column['values'][index], column['unit'])} ({steps[index]})" for index in said]
        told.append(f"{column['label']} : {', '.join(each)}")
    return f"{'. '.join([heading(chart), *notes(chart)])}. {chart['axis']} : {' ; '.join(told)}."


def _total(column: Chart) -> str:
    total: Any = column.get("total")
    return look.amount(total, column["unit"]) if known(total) else "–"


def rows(chart: Chart) -> Rows:
    """A row a step, then the whole where the steps add up to it."""
    shown = columns(chart)
    found = [[str(chart["axis"]), *(str(column["label"]) for column in shown)]]
    for index, step in enumerate(chart["steps"]):
        found.append([str(step), *(look.amount(column["values"][index], column["unit"]) for column in shown)])
    if any(known(column.get("total")) for column in shown):
        found.append(["Total", *map(_total, shown)])
    return found
