"""Words that switch something on, from `cues.toml`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

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
