"""What the sources say of a commune now, as plain JSON for its snapshot, and back again as evidence."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from corpus.places import Place
from pipeline.ports import Tool
from pipeline.series import Series
from pipeline.toolbox import run_tools
from pipeline.types import Figure, ToolCall, ToolResult

Finding = dict[str, Any]
"""A tool's result at rest: sentences, figures, source, and the day on which it was read."""
Findings = dict[str, Finding]
"""By part: `sales`, `status`, `zone`, `risks`."""

LISTS: Final = ("tense", "control", "denormandie")
CARRIED_DAYS: Final = 28
"""How long an earlier finding stands in for a source that fails or gives way to another: then the new one counts."""


def calls_of(place: Place) -> dict[str, ToolCall]:
    """What is asked of each commune every week, by part."""
    where = {"insee": place.insee, "name": place.name}
    return {
        "sales": ToolCall("sales", {**where, "type": None, "year": None}),
        "status": ToolCall("status", {**where, "parts": LISTS}),
        "zone": ToolCall("status", {**where, "parts": ("abc",)}),
        "risks": ToolCall("risks", where),
    }


async def look(place: Place, *, tools: Mapping[str, Tool], today: date) -> tuple[Findings, tuple[str, ...]]:
    """What was found, and French sentences on what was not. A tool that is not connected is not asked."""
    calls = {part: call for part, call in calls_of(place).items() if call.tool in tools}
    found: Findings = {}
    missing: list[str] = []
    results = await run_tools(tuple(calls.values()), tools=tools)
    for part, call in calls.items():
        result = next((r for r in results if r.call == call), None)
        if result is None:
            continue
        if result.error is not None:
            missing.append(result.error)
        elif part == "risks" and result.gaps:
            missing.extend(result.gaps)  # half of it would look like a change next week
        else:
            found[part] = stored(result, on=today)
    return found, tuple(dict.fromkeys(missing))


def kept(now: Findings, before: Mapping[str, Finding], *, today: date) -> Findings:
    """What this week's snapshot holds: today's findings, but the earlier one where a source failed or another one
    answered in its place, so that next week is compared with the same source."""
    held = dict(now)
    for part, earlier in before.items():
        recent = (today - date.fromisoformat(earlier["read_on"])).days <= CARRIED_DAYS
        if recent and (part not in now or not same_source(now[part], earlier)):
            held[part] = earlier
    return held


def same_source(now: Finding, before: Finding) -> bool:
    return bool(now["url"] == before["url"])


def stored(result: ToolResult, *, on: date) -> Finding:
    """As JSON."""
    return {
        "tool": result.call.tool,
        "title": result.title,
        "url": result.url,
        "as_of": result.as_of.isoformat() if result.as_of else None,
        "text": result.text,
        "figures": [[f.label, f.value, f.unit] for f in result.figures],
        "series": [{"label": s.label, "unit": s.unit, "points": [list(p) for p in s.points]} for s in result.series],
        "read_on": on.isoformat(),
    }


def evidence(finding: Finding, *, told: str = "", earlier: bool = False) -> ToolResult:
    """A finding as evidence; an earlier one says so in its title and on which day it was read. `told`: what code says
    of the finding's values, as a tool's own text does, which comes before what it said then."""
    read_on = date.fromisoformat(finding["read_on"])
    title, text = finding["title"], finding["text"]
    if earlier:
        read = f"relevé du {read_on:%d/%m/%Y}"
        title, text = f"{title}, {read}", f"Changement depuis le {read}. {text}"
    return ToolResult(
        call=ToolCall(finding["tool"], {}),
        title=title,
        text=f"{_bare(told)} {text}" if told else text,
        figures=tuple(Figure(label, value, unit) for label, value, unit in finding["figures"]),
        url=finding["url"],
        as_of=date.fromisoformat(finding["as_of"]) if finding["as_of"] else read_on,
        series=series_of(finding),
    )


def _bare(told: str) -> str:
    """Without markers and marks."""
    return re.sub(r"\s*\[\d+\]", "", told).replace("**", "")


def series_of(finding: Finding) -> tuple[Series, ...]:
    return tuple(Series(s["label"], s["unit"], tuple(map(tuple, s["points"]))) for s in finding["series"])
