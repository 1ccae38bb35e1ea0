"""Which homes and which years a question of prices is about, beyond their type: number of rooms, a span of years."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from pipeline.reading import Dwelling
from pipeline.text.wording import in_digits
from pipeline.understanding import cues
from pipeline.understanding.cues import cue

ROOMS: Final = re.compile(r"\b[tf] ?([1-9])\b(?!\d)|\b([1-9])[- ]?(?:pieces?|p)\b|\b(studios?)\b")
MOST_ROOMS: Final = 5
"""Sources put all larger flats together."""
FIRST_YEAR: Final = 2014


@dataclass(frozen=True, slots=True)
class Span:
    """Years asked about: from `since` (0: as far back as is known) to `until` (None: the latest)."""

    since: int
    until: int | None = None


def rooms_of(low: str) -> int | None:
    """1..5 (5: five and more) when the flattened text names one size; None for none or several."""
    said = {1 if studio else int(letter or digit) for letter, digit, studio in ROOMS.findall(in_digits(low))}
    return min(said.pop(), MOST_ROOMS) if len(said) == 1 else None


def span_of(low: str, *, today: date) -> Span | None:
    """The years over which prices are wanted; None when a single year, or the latest, is meant."""
    if match := cue("years.span").search(low):
        first, last = sorted(int(year) for year in match.groups() if year)
        return Span(first, last) if FIRST_YEAR <= first < last <= today.year else None
    if match := cue("years.since").search(low):
        first = int(match[1])
        return Span(first) if FIRST_YEAR <= first < today.year else None
    if cue("years.over_time").search(low) is None:
        return None
    if match := cue("years.back").search(in_digits(low)):
        return Span(max(FIRST_YEAR, today.year - int(match[1])))
    return None if re.search(r"\b20[12]\d\b", low) else Span(0)


def dwelling_of(low: str, *, today: date) -> Dwelling:
    """The home that flattened words, places blanked out, are about; both flats and houses are no kind."""
    kinds = cues.said("dwelling", low)
    span = span_of(low, today=today)
    return Dwelling(
        kind=kinds[0] if len(kinds) == 1 else None,
        rooms=rooms_of(low),
        year=span.until if span else _year(low, today),
        since=span.since if span else None,
    )


def _year(low: str, today: date) -> int | None:
    years = {int(match[1]) for match in cue("years.year").finditer(low)}
    if len(years) == 1 and max(years) <= today.year:
        return years.pop()
    far = None if cue("years.built").search(low) or len(years) > 1 else cue("years.far").search(low)
    return int(far[1]) if far and 1800 <= int(far[1]) <= 2100 else None
