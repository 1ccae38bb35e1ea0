"""Which communes there are: codes, names, inhabitants and postcodes are INSEE's; whatever else is said is invented."""

import gzip
import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("communes.tsv.gz")
CITIES = {"75056": ("75101", 20), "69123": ("69381", 9), "13055": ("13201", 16)}
"""City -> its first arrondissement and how many there are. The real services mostly know the arrondissements."""


@dataclass(frozen=True, slots=True)
class Commune:
    """A commune or a municipal arrondissement, overseas ones included; 0 inhabitants: unknown or none."""

    insee: str
    name: str
    inhabitants: int
    postcodes: tuple[str, ...]

    @property
    def department(self) -> str:
        """`83137` -> `83`, `97411` -> `974`."""
        return self.insee[:3] if self.insee[:2] in ("97", "98") else self.insee[:2]

    @property
    def city(self) -> str:
        """The city of an arrondissement; else empty."""
        around = (c for c, (first, many) in CITIES.items() if first <= self.insee < f"{int(first) + many}")
        return next(around, "") if self.insee.isdigit() else ""


@cache
def communes() -> Mapping[str, Commune]:
    """By code, in the order of the codes; read once, at the first call."""
    lines = gzip.decompress(_FILE.read_bytes()).decode("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {row[0]: Commune(row[0], row[1], int(row[2] or 0), tuple(row[3].split())) for row in rows}


@cache
def by_name() -> Mapping[str, tuple[Commune, ...]]:
    """Folded name ("lyon 7e" for an arrondissement) -> the communes that bear it, the most populous first."""
    found: dict[str, list[Commune]] = {}
    for commune in communes().values():
        found.setdefault(fold(commune.name.removesuffix(" Arrondissement")), []).append(commune)
    return {name: tuple(sorted(each, key=lambda c: -c.inhabitants)) for name, each in found.items()}


@cache
def by_postcode() -> Mapping[str, tuple[Commune, ...]]:
    """Postcode -> its communes, arrondissements instead of their city, the most populous first."""
    found: dict[str, list[Commune]] = {}
    for commune in communes().values():
        if commune.insee not in CITIES:
            for postcode in commune.postcodes:
                found.setdefault(postcode, []).append(commune)
    return {code: tuple(sorted(each, key=lambda c: -c.inhabitants)) for code, each in found.items()}


def arrondissements(city: str) -> tuple[Commune, ...]:
    """Of Paris, Lyon or Marseille; empty for any other code."""
    first, many = CITIES.get(city, ("0", 0))
    return tuple(communes()[f"{int(first) + n:05d}"] for n in range(many))


def fold(text: str) -> str:
    """Words in lower case without accents, hyphens and apostrophes; `St` and `Ste` spelt out."""
    plain = unicodedata.normalize("NFD", text.lower().replace("œ", "oe").replace("æ", "ae"))
    words = re.findall(r"[a-z0-9]+", "".join(sign for sign in plain if not unicodedata.combining(sign)))
    return " ".join({"st": "saint", "ste": "sainte"}.get(word, word) for word in words)


def draw(key: str, low: float, high: float) -> float:
    """A number between `low` and `high` that is always the same for this key, on any machine."""
    digest = hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest()
    return low + (high - low) * int.from_bytes(digest) / 2**64
