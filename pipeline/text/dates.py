"""French dates -> ISO forms: a day `2024-12-31`, a month `2024-12`, a day of any year `--12-31`, a year `2024`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

DateKind = Literal["day", "month", "day-month", "year", "impossible"]

_MONTHS: Final = {
    "janvier": 1, "janv": 1, "février": 2, "fevrier": 2, "févr": 2, "fév": 2, "mars": 3, "avril": 4, "avr": 4, "mai": 5,
    "juin": 6, "juillet": 7, "juil": 7, "août": 8, "aout": 8, "septembre": 9, "sept": 9, "octobre": 10, "oct": 10,
    "novembre": 11, "nov": 11, "décembre": 12, "decembre": 12, "déc": 12, "dec": 12,
}  # fmt: skip
_SHORT: Final = ("mars", "avril", "mai", "juin", "août", "aout")
_NAMES: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WORDED: Final = re.compile(
    rf"(?<![\w,.])(?:(\d{{1,2}})(?:er)?\s+)?({_NAMES})\b\.?(?:\s+(\d{{4}})(?!\d))?", re.IGNORECASE
)
_WHOLE_NAME: Final = re.compile(
    rf"(?<!\w)({'|'.join(n for n in _MONTHS if len(n) > 5 or n in _SHORT)})(?!\w)", re.IGNORECASE
)
_ISO_MONTH: Final = re.compile(r"(?:\d{4}|-)-(\d{2})")
_SLASHED: Final = re.compile(r"(?<![\d/])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d/])")
_ISO: Final = re.compile(r"(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])")
_MONTH_YEAR: Final = re.compile(r"(?<![\d/])(0[1-9]|1[0-2])/((?:19|20)\d{2})(?![\d/])")
YEAR: Final = re.compile(r"(?<![\w,./])((?:19|20)\d{2})(?![\w/]|,\d|\.\d)")


@dataclass(frozen=True, slots=True)
class Day:
    """A date as written. `impossible` is a day that no calendar has (31/02/2024)."""

    kind: DateKind
    iso: str
    start: int
    end: int


def dates(text: str) -> Iterator[Day]:
    """Dates with a month, in no order and without overlaps; lone years are left to the reader of numbers."""
    taken: list[tuple[int, int]] = []
    for day in _candidates(text):
        if all(day.end <= start or day.start >= end for start, end in taken):
            taken.append((day.start, day.end))
            yield day


def months(text: str) -> frozenset[int]:
    """Months that are named or stand in a date, 1 to 12; short forms count in dates alone, for « sept » is a number."""
    named = {_MONTHS[found.group(1).lower()] for found in _WHOLE_NAME.finditer(text)}
    return frozenset(named | {month for day in dates(text) if (month := month_of(day.iso))})


def month_of(iso: str) -> int:
    """Of a date in its ISO form; 0 where it has none."""
    found = _ISO_MONTH.match(iso)
    return int(found.group(1)) if found else 0


def _candidates(text: str) -> Iterator[Day]:
    for found in _SLASHED.finditer(text):
        yield _day(found.group(4), int(found.group(3)), int(found.group(1)), found)
    for found in _ISO.finditer(text):
        yield _day(found.group(1), int(found.group(2)), int(found.group(3)), found)
    for found in _MONTH_YEAR.finditer(text):
        yield Day("month", f"{found.group(2)}-{found.group(1)}", *found.span())
    for found in _WORDED.finditer(text):
        number, name, year = found.groups()
        month = _MONTHS[name.lower()]
        if number is None and year is None:
            continue
        if number is None:
            yield Day("month", f"{year}-{month:02d}", *found.span())
        elif year is None:
            yield _day(None, month, int(number), found)
        else:
            yield _day(year, month, int(number), found)


def _day(year: str | None, month: int, number: int, found: re.Match[str]) -> Day:
    try:
        # 2024 is a leap year: a 29 February without its year exists.
        date(int(year or 2024), month, number)
    except ValueError:
        return Day("impossible", found.group(), *found.span())
    kind: DateKind = "day" if year else "day-month"
    return Day(kind, f"{year or '-'}-{month:02d}-{number:02d}", *found.span())
