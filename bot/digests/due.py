"""When a digest is due: ISO weeks, slots in Paris time, and how late is too late. Pure; the clock is the caller's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

PARIS: Final = ZoneInfo("Europe/Paris")
TOO_LATE: Final = timedelta(hours=24)
"""A digest that comes later than this after its slot is skipped, and that is said."""
REFUSED_HOUR: Final = 2
"""Between 02:00 and 02:59 a night has the hour twice in October and not at all in March."""
WEEKDAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
_LABEL: Final = re.compile(r"(\d{4})-W(\d{2})")
_CLOCK: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """An ISO week. 2026 has 53: its last one ends on 3 January 2027."""

    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> "Week":
        year, number, _ = day.isocalendar()
        return cls(year, number)

    @classmethod
    def read(cls, label: str) -> "Week":
        """`2026-W47`. Raises `ValueError` for anything else, and for a week that the year does not have."""
        found = _LABEL.fullmatch(label.strip())
        if found is None:
            raise ValueError(label)
        week = cls(int(found.group(1)), int(found.group(2)))
        date.fromisocalendar(week.year, week.number, 1)
        return week

    @property
    def label(self) -> str:
        return f"{self.year}-W{self.number:02d}"

    def day(self, weekday: int) -> date:
        """`weekday`: 1 is Monday."""
        return date.fromisocalendar(self.year, self.number, weekday)


def slot_in(week: Week, *, weekday: int, at: str) -> datetime:
    """The moment, in UTC, at which that clock (`HH:MM`) shows on that day in Paris."""
    return datetime.combine(week.day(weekday), time.fromisoformat(at), PARIS).astimezone(UTC)


def latest_slot(now: datetime, *, weekday: int, at: str) -> tuple[Week, datetime]:
    """The last slot that is not in the future, and the ISO week that its day belongs to."""
    today = now.astimezone(PARIS).date()
    for day in (today, today - timedelta(days=7)):
        week = Week.of(day)
        if (slot := slot_in(week, weekday=weekday, at=at)) <= now:
            return week, slot
    raise AssertionError("one of two weeks has its slot behind it")


def next_slot(now: datetime, *, weekday: int, at: str) -> datetime:
    """The first slot after now, in UTC."""
    week, _ = latest_slot(now, weekday=weekday, at=at)
    return slot_in(Week.of(week.day(weekday) + timedelta(days=7)), weekday=weekday, at=at)


def owed(subscription: Mapping[str, Any], now: datetime) -> tuple[Week, datetime] | None:
    """The week and slot that this subscription has behind it since it is active; None where there is none yet."""
    week, slot = latest_slot(now, weekday=subscription["weekday"], at=subscription["at"])
    return (week, slot) if slot >= datetime.fromisoformat(subscription["active_since"]) else None


def is_too_late(slot: datetime, now: datetime) -> bool:
    return now - slot > TOO_LATE


def clock_objection(at: str) -> str:
    """Why that time of day cannot be one's digest; "" when it can."""
    found = _CLOCK.fullmatch(at)
    if found is None:
        return "Donnez une heure comme 08:30."
    if int(found.group(1)) == REFUSED_HOUR:
        return (
            "Entre 2 h et 2 h 59, l'heure n'existe pas une nuit par an et existe deux fois une autre : "
            "choisissez une autre heure."
        )
    return ""
