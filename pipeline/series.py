"""Values by year, by case or by step: what a tool knows or works out beyond its sentences, for pictures and tables."""

from dataclasses import dataclass
from typing import Literal

ScheduleKind = Literal["loan", "loans", "gain", "yield"]


@dataclass(frozen=True, slots=True)
class Series:
    """What a tool knows of several years, oldest first: (year, value, number of sales), then the first and the third
    quartile where they are known."""

    label: str
    unit: str
    points: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One quantity at each step of a schedule, in `unit`. `total`: what the calculation's own result says of the whole,
    where the steps add up to it."""

    label: str
    unit: str
    values: tuple[float, ...]
    formula: str
    total: float | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """One calculation step by step. `title`: what it shows; `axis`: what a step is, `steps`: their names; `notes`:
    French sentences on what varies, what stays the same and what the whole comes to."""

    kind: ScheduleKind
    title: str
    axis: str
    steps: tuple[str, ...]
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(column.values) != len(self.steps) for column in self.columns):
            raise ValueError("each column has one value a step")
