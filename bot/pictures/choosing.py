"""Which pictures an answer deserves: at most two, and none for what its text already tells as well."""

from collections.abc import Sequence
from typing import Any, Final

from bot.pictures.drawing import drawable
from bot.pictures.places import compared, rents
from bot.pictures.values import Chart
from pipeline.series import Schedule
from pipeline.types import Answer, ToolResult

PLACED: Final = frozenset({"sales", "rents"})
MOST: Final = 2
"""Pictures of one answer: what is beyond is read in its text."""


def charts_of(answer: Answer) -> list[dict[str, Any]]:
    """As JSON, for its record. None where the answer only goes deeper into an earlier one, whose thread has them, or
    where it says nothing."""
    if answer.refused or answer.route.intent == "deepen":
        return []
    return [chart for chart in _offered(answer.evidence.tool_results) if drawable(chart)][:MOST]


def _offered(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    """Communes that are compared share a picture, and none has one of its own beside it."""
    usable = [result for result in results if result.error is None]
    beside = compared(usable)
    alone = [result for result in usable if not (beside and result.call.tool in PLACED)]
    return [*beside, *(chart for result in alone for chart in charts_of_result(result))]


def charts_of_result(result: ToolResult) -> list[dict[str, Any]]:
    """All that could be drawn of what one tool found, whether it helps or not."""
    if result.error is not None:
        return []
    rented = rents(result) if result.call.tool == "rents" else []
    years = [of_series(result)] if result.series else []
    return [*years, *rented, *(of_schedule(each, result) for each in result.schedules)]


def of_series(result: ToolResult) -> dict[str, Any]:
    """Prices over years."""
    series = [{"label": s.label, "unit": s.unit, "points": [list(point) for point in s.points]} for s in result.series]
    place = str(result.call.arguments.get("name") or "")
    return {"kind": "prices", "title": result.title, "place": place, "series": series}


def of_schedule(schedule: Schedule, result: ToolResult) -> dict[str, Any]:
    """A calculation by its steps."""
    columns = [
        {"label": c.label, "unit": c.unit, "values": list(c.values), "formula": c.formula, "total": c.total}
        for c in schedule.columns
    ]
    return {
        "kind": schedule.kind, "title": _source(result), "name": schedule.title, "axis": schedule.axis,
        "steps": list(schedule.steps), "columns": columns, "notes": list(schedule.notes),
    }  # fmt: skip


def _source(result: ToolResult) -> str:
    dated = f", règles au {result.as_of:%d/%m/%Y}" if result.as_of else ""
    return f"QuartierScope, {result.title[:1].lower()}{result.title[1:]}{dated}"


def stored(row_charts: Sequence[Chart]) -> list[Chart]:
    """Of the charts in a record, those to draw."""
    return [chart for chart in row_charts if drawable(chart)][:MOST]
