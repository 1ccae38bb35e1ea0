"""A commune's price chart over all that its snapshots hold: years that the source shows no more stay in the picture."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from bot.digests.findings import Finding
from bot.store.tables import Row

Chart = Mapping[str, Any]
Points = dict[int, list[Any]]
"""Year -> [year, value, number of sales]."""


def past_prices(rows: Sequence[Row]) -> list[Finding]:
    """The price findings of a commune's snapshots, oldest first."""
    return [row["findings"]["now"]["sales"] for row in rows if "sales" in row["findings"].get("now", {})]


def longer(chart: Chart, past: Iterable[Finding], *, url: str) -> Chart:
    """The chart with the years that earlier readings of the same source (`url`) had, and that it shows no more; what
    was read last of a year stands."""
    same = [finding for finding in past if finding["url"] == url]
    series, since = [], ""
    for each in chart["series"]:
        drawn: Points = {point[0]: list(point) for point in each["points"]}
        earlier = _points(same, label=each["label"], unit=each["unit"])
        added = {year: point for year, (point, _read_on) in earlier.items() if year not in drawn}
        since = min([since, *(earlier[year][1] for year in added)], key=lambda day: day or "9")
        series.append({**each, "points": [(drawn | added)[year] for year in sorted(drawn | added)]})
    if not since:
        return chart
    title = f"{chart['title']}, avec nos relevés depuis le {date.fromisoformat(since):%d/%m/%Y}"
    return {**chart, "title": title, "series": series}


def _points(past: Iterable[Finding], *, label: str, unit: str) -> dict[int, tuple[list[Any], str]]:
    """Year -> (its point as read last, the day of that reading)."""
    found: dict[int, tuple[list[Any], str]] = {}
    for finding in sorted(past, key=lambda each: str(each["read_on"])):
        for series in finding["series"]:
            if (series["label"], series["unit"]) == (label, unit):
                found |= {point[0]: (list(point), str(finding["read_on"])) for point in series["points"]}
    return found
