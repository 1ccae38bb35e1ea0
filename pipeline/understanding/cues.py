"""Words that switch something on, from `cues.toml`."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.understanding.own_words import flat

FILE: Final = Path(__file__).with_name("cues.toml")


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """Name -> pattern over flattened text, in the order of the file."""
    with FILE.open("rb") as file:
        rows = tomllib.load(file)[section]
    return {name: re.compile("|".join(forms)) for name, forms in rows.items()}


def cue(name: str) -> re.Pattern[str]:
    """One pattern of the file, as `section.name`."""
    section, _, line = name.partition(".")
    return patterns(section)[line]


def said(section: str, low: str) -> tuple[str, ...]:
    """The names of the section whose words the flattened text holds, in the order of the file."""
    return tuple(name for name, pattern in patterns(section).items() if pattern.search(low))


def first(section: str, low: str) -> str | None:
    return next(iter(said(section, low)), None)


def left(text: str, spans: Iterable[tuple[int, int]], sections: Iterable[str]) -> str:
    """The words of a text that stand in none of these spans and match no cue of these sections; a word counts whole."""
    low, taken = flat(text), list(spans)
    for section in sections:
        taken += [match.span() for pattern in patterns(section).values() for match in pattern.finditer(low)]
    words = re.finditer(r"\S+", text)
    return " ".join(w[0] for w in words if not any(s < w.end() and w.start() < e for s, e in taken if s < e))
