"""What a sentence of a source offers: a date, a share, an amount, a yes or a no, a method, a warning."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from corpus.french import analyze
from pipeline.text.figures import Value, figures

_SHAPES: Final = Path(__file__).with_name("shapes.toml")
_OPPOSITES: Final = Path(__file__).with_name("opposites.toml")
_OF_KIND: Final = {"percent": "share", "day": "day", "month": "day", "day-month": "day", "year": "year"}
_SPANS: Final = frozenset(("an", "mois", "jour", "semaine", "nuit"))
_POLAR: Final = re.compile(r"(?:Oui|Non)\b")

Member = tuple[frozenset[str], ...]
"""The ways to write one member of a series, each as its terms."""


@lru_cache(maxsize=16384)
def shapes_of(text: str) -> frozenset[str]:
    """Names of `shapes.toml`, and of its figures: `share`, `money`, `span`, `day`, `year`, `number`; `polar`."""
    found = {name for name, pattern in _patterns().items() if pattern.search(text)}
    found |= {_of_figure(value) for value in figures(text)}
    return frozenset(found | {"polar"} if is_polar(text) else found)


def is_polar(text: str) -> bool:
    """Whether it opens with Oui or Non: the answer to a question that it does not repeat."""
    return bool(_POLAR.match(text))


def _of_figure(value: Value) -> str:
    if value.unit.startswith("€"):
        return "money"
    return "span" if value.unit in _SPANS else _OF_KIND.get(value.kind, "number")


@lru_cache(maxsize=16384)
def opposed(asked: frozenset[str], told: frozenset[str]) -> int:
    """In how many series the terms of a sentence name other members than those that were asked about."""
    found = 0
    for members in _series():
        mine, theirs = _named(members, asked), _named(members, told)
        found += bool(mine and theirs and not mine & theirs)
    return found


def _named(members: tuple[Member, ...], terms: frozenset[str]) -> frozenset[int]:
    """Places of the members that the terms name; `petit-enfant` is no `enfant`."""
    held = {place: word for place, member in enumerate(members) for word in member if word <= terms}
    return frozenset(place for place, word in held.items() if not any(word < other for other in held.values()))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    with _SHAPES.open("rb") as file:
        rows = tomllib.load(file)
    return {name: re.compile("|".join(patterns), re.IGNORECASE) for name, patterns in rows.items()}


@cache
def _series() -> tuple[tuple[Member, ...], ...]:
    with _OPPOSITES.open("rb") as file:
        rows = tomllib.load(file)["series"]
    return tuple(tuple(tuple(frozenset(analyze(word)) for word in member) for member in row) for row in rows)
