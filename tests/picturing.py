"""Charts as records hold them, and what is drawn of them."""

import asyncio
import json
from datetime import date
from typing import Any

from bot.pictures import look
from bot.pictures.choosing import charts_of, charts_of_result, stored
from bot.pictures.drawing import KINDS
from pipeline.series import Series
from pipeline.side_by_side import side_by_side
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import Answer, Evidence, Figure, Route, ToolCall, ToolResult

NARROW = "\u202f"


def prices(years: int, *, quartiles: bool = True, **more: Any) -> dict[str, Any]:
    points = [[2025 - years + n + 1, 3000.0 + 100 * n, 50, 2500.0 + 90 * n, 3600.0 + 120 * n] for n in range(years)]
    points = points if quartiles else [point[:3] for point in points]
    series = [{"label": "Appartements", "unit": "€/m²", "points": points}]
    return {"title": "Indicateurs DV3F (Cerema) : prix à Nantes", "place": "Nantes", "series": series, **more}


def stepped(steps: int, values: list[Any]) -> dict[str, Any]:
    column = {"label": "Intérêts", "unit": "€", "values": values}
    return {"kind": "loan", "steps": [str(n) for n in range(steps)], "columns": [column]}


def worked(arguments: dict[str, Any]) -> ToolResult:
    tool = CalculatorTool(today=lambda: date(2026, 11, 22))
    return asyncio.run(tool.run(ToolCall("calculator", arguments)))


def charts(arguments: dict[str, Any]) -> list[Any]:
    """As a record gives them back."""
    return list(stored(json.loads(json.dumps(charts_of_result(worked(arguments))))))


def axes_of(chart: dict[str, Any]) -> Any:
    _figure, axes = look.blank()
    KINDS[chart.get("kind", "prices")].draw(axes, chart)
    return axes


def sold(name: str, median: float, *bounds: float) -> ToolResult:
    labels = ("Prix médian des ", "Premier quartile des ", "Troisième quartile des ")
    told = zip(labels, (median, *bounds), strict=False)
    figures = tuple(Figure(f"{label}appartements en 2025", value, "€/m²") for label, value in told)
    series = (Series("Appartements", "€/m²", tuple((2021.0 + n, median, 50.0) for n in range(5))),)
    return ToolResult(ToolCall("sales", {"name": name}), f"Prix {name}", figures=figures, series=series)


def let(name: str) -> ToolResult:
    """A flat of all sizes, and a house without its bounds."""
    told = {
        "Loyer d'annonce estimé, un appartement": 13.2,
        "Borne basse du loyer estimé, un appartement": 11.0,
        "Borne haute du loyer estimé, un appartement": 15.0,
        "Loyer d'annonce estimé, une maison": 10.9,
    }
    figures = tuple(Figure(label, value, "€/m²") for label, value in told.items())
    return ToolResult(ToolCall("rents", {"name": name}), f"Loyers {name}", figures=figures)


def answered(*results: ToolResult, intent: str = "ask", refused: bool = False) -> list[dict[str, Any]]:
    """What its record holds, with the comparison that the flow adds."""
    evidence = Evidence(tool_results=(*results, *side_by_side(results)))
    route = Route(mode="tools", intent=intent, query="")  # type: ignore[arg-type]
    given = charts_of(Answer("", route, evidence=evidence, refused=refused))
    found: list[dict[str, Any]] = json.loads(json.dumps(given))
    return found
