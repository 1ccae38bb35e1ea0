"""The schemes of the field, from one data file: how they are written, said, and what depends on them."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROWS: Final = Path(__file__).with_name("schemes.toml")


@dataclass(frozen=True, slots=True)
class Scheme:
    """One row of `schemes.toml`; the file says what each key means."""

    id: str
    label: str
    forms: re.Pattern[str]
    names: re.Pattern[str] | None = None
    aspect: str = ""
    status: str = ""
    place: bool = False
    capped: bool = False
    facet: bool = False
    rival: bool = False
    priceless: bool = False
    circumstance: bool = False
    regime: bool = False

    @property
    def short(self) -> str:
        """The label without what it explains in brackets."""
        return self.label.split(" (")[0]


@cache
def schemes() -> Mapping[str, Scheme]:
    """All of them, in the order of the file. Read once."""
    with ROWS.open("rb") as file:
        rows = tomllib.load(file)
    return {name: _scheme(name, dict(row)) for name, row in rows.items()}


def _scheme(name: str, row: dict[str, object]) -> Scheme:
    forms, names = row.pop("forms"), row.pop("names", None)
    return Scheme(
        id=name,
        forms=re.compile("|".join(map(str, forms))),  # type: ignore[call-overload]
        names=re.compile("|".join(map(str, names)), re.IGNORECASE) if names else None,  # type: ignore[call-overload]
        **row,  # type: ignore[arg-type]
    )


@cache
def having(trait: str) -> frozenset[str]:
    """The schemes with a trait: `place`, `capped`, `facet`, `rival`, `priceless`, `regime`,
    `circumstance`."""
    return frozenset(scheme.id for scheme in schemes().values() if getattr(scheme, trait))


def said_in(low: str) -> tuple[str, ...]:
    """Schemes that flattened words name, in order of appearance."""
    found = [(match.start(), name) for name, scheme in schemes().items() if (match := scheme.forms.search(low))]
    return tuple(name for _, name in sorted(found))


def aspects_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The sides of a purchase that the schemes belong to."""
    known = schemes()
    return tuple(dict.fromkeys(known[name].aspect for name in names if name in known and known[name].aspect))
