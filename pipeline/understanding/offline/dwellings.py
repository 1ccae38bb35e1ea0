"""Which homes and which years a question of prices is about, beyond their type: number of rooms, a span of years."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from pipeline.reading import Dwelling
from pipeline.text.wording import in_digits
from pipeline.understanding import cues

ROOMS: Final = re.compile(r"\b[tf] ?([1-9])\b(?!\d)|\b([1-9])[- ]?(?:pieces?|p)\b|\b(studios?)\b")
MOST_ROOMS: Final = 5
"""Sources put all larger flats together."""
FIRST_YEAR: Final = 2014
SPAN: Final = re.compile(
    r"\b(?:entre|de) (20[12]\d) (?:et|a|jusqu'(?:en|a)) (20[12]\d)\b|\b(20[12]\d) ?[-–] ?(20[12]\d)\b"
)
SINCE: Final = re.compile(r"\b(?:depuis|a partir de) (?:l'annee )?(20[12]\d)\b")
YEARS_BACK: Final = re.compile(r"\b(?:depuis|sur|ces|en|[dl]es) (?:les )?(\d{1,2}) (?:derniere?s )?(?:ans?|annees?)\b")
OVER_TIME: Final = re.compile(
    r"evolu\w*|\btendances?\b|\bhistorique\b|au fil des ans|annee par annee|d'annee en annee|"
    r"ont[- ](?:ils|elles)? ?(?:augmente|baisse|monte|progresse)|\b(?:hausse|baisse) (?:des|du) prix|"
    r"\b(?:prix|marche)\b.{0,40}\b(?:baiss|mont|augment|recul|progress)(?:e|ent)\b"
)


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
    if match := SPAN.search(low):
        first, last = sorted(int(year) for year in match.groups() if year)
        return Span(first, last) if FIRST_YEAR <= first < last <= today.year else None
    if match := SINCE.search(low):
        first = int(match[1])
        return Span(first) if FIRST_YEAR <= first < today.year else None
    if OVER_TIME.search(low) is None:
        return None
    if match := YEARS_BACK.search(in_digits(low)):
        return Span(max(FIRST_YEAR, today.year - int(match[1])))
    return None if re.search(r"\b20[12]\d\b", low) else Span(0)


YEAR: Final = re.compile(r"\b(?:en|de|annee|pour|sur|depuis|vs|et)? ?(20(?:1[4-9]|2\d))\b(?! ?(?:€|euros|m2|m²))")
FAR_YEAR: Final = re.compile(
    r"(?:\bprix\b|\bvaleurs?\b|\bvalait\b|\bvaudra\b|\bcoutai\w+|\bmarche\b)[^.;]{0,60}\ben (\d{4})\b"
)
"""A year that prices were asked for, however far: it is refused in so many words, not passed over."""
BUILT: Final = re.compile(r"\b(?:constru\w+|bati\w*|acquis\w*|achet\w+|date\w*|renov\w+|livr\w+)\b")


def dwelling_of(low: str, *, today: date) -> Dwelling:
    """The home that flattened words, places blanked out, are about; both flats and houses are no kind."""
    kinds = cues.said("dwelling", low)
    span = span_of(low, today=today)
    return Dwelling(
        kind=kinds[0] if len(kinds) == 1 else None,
        rooms=rooms_of(low),
        year=span.until if span else _year(low, today),
        since=span.since if span else None,
        until=span.until if span else None,
    )


def _year(low: str, today: date) -> int | None:
    years = {int(match[1]) for match in YEAR.finditer(low)}
    if len(years) == 1 and max(years) <= today.year:
        return years.pop()
    far = None if BUILT.search(low) or len(years) > 1 else FAR_YEAR.search(low)
    return int(far[1]) if far and 1800 <= int(far[1]) <= 2100 else None
