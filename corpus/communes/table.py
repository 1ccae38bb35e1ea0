"""The gazetteer's data: every commune by folded name, by INSEE code and by postcode, parsed as late as possible."""

import gzip
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from pathlib import Path
from typing import Literal

from corpus.communes.spelling import by_shortening, nearest
from corpus.errors import CorpusError

Kind = Literal["commune", "arrondissement"]
MARKS = re.compile("[\u0300-\u036f]")
NOT_A_WORD = re.compile(r"[^a-z0-9\n]+")
SAINTS = re.compile(r"(?m)(?<![a-z0-9])s(t|te)(?= )")


class PlacesUnreadable(CorpusError):
    """La liste des communes n'a pas pu être lue."""


@dataclass(frozen=True, slots=True)
class Place:
    """A commune or a municipal arrondissement. `department` is a code ("2A", "974"); population 0 is unknown."""

    insee: str
    name: str
    department: str
    department_name: str = ""
    region: str = ""
    population: int = 0
    postcodes: tuple[str, ...] = ()
    kind: Kind = "commune"

    @property
    def label(self) -> str:
        """Name and department as shown to a reader: `Saint-Denis (Seine-Saint-Denis, 93)`."""
        return f"{self.name} ({self.department_name}, {self.department})" if self.department_name else self.name


@dataclass(frozen=True, slots=True)
class Department:
    """Code, name and region's name."""

    code: str
    name: str
    region: str


def fold(text: str) -> str:
    """Lower case, no accents, œ and æ opened. May be longer than its input."""
    lowered = text.lower().replace("œ", "oe").replace("æ", "ae")
    return MARKS.sub("", unicodedata.normalize("NFD", lowered))


def name_key(text: str) -> str:
    """Folded words joined by single spaces, St and Ste spelt out; lines are kept apart."""
    words = NOT_A_WORD.sub(" ", fold(text)).replace("\n ", "\n").replace(" \n", "\n").strip(" ")
    return SAINTS.sub(r"sain\1", words)


def department_code(insee: str) -> str:
    """`83137` -> `83`, `2A004` -> `2A`, `97411` -> `974`."""
    return insee[:3] if insee[:2] in ("97", "98") else insee[:2]


class PlaceTable:
    """Lookups over the file's lines. `current` and `former` map a folded name to INSEE codes, most populous first."""

    def __init__(self, lines: Iterable[str]) -> None:
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        keys = name_key("\n".join(row[2] for row in rows)).split("\n")
        self.departments = {row[1]: Department(row[1], row[2], row[3]) for row in rows if row[0] == "D"}
        self.rows = {row[1]: row for row in rows if row[0] in "CA"}
        self.current: dict[str, list[str]] = {}
        self.former: dict[str, list[str]] = {}
        self.longest: dict[str, int] = {}
        for row, key in zip(rows, keys, strict=True):
            if row[0] in "CS":
                self.current.setdefault(key, []).append(row[1])
            elif row[0] == "O":
                self.former.setdefault(key, []).append(row[1])
            else:
                continue
            first = key.partition(" ")[0]
            self.longest[first] = max(self.longest.get(first, 0), key.count(" ") + 1)
        for shared in (codes for codes in self.current.values() if len(codes) > 1):
            shared.sort(key=self.population, reverse=True)

    def population(self, insee: str) -> int:
        return int(self.rows[insee][3] or 0)

    def place(self, insee: str) -> Place | None:
        row = self.rows.get(insee)
        if row is None:
            return None
        department = self.departments.get(department_code(insee), Department(department_code(insee), "", ""))
        return Place(
            insee=insee,
            name=row[2],
            department=department.code,
            department_name=department.name,
            region=department.region,
            population=int(row[3] or 0),
            postcodes=tuple(row[4].split()),
            kind="arrondissement" if row[0] == "A" else "commune",
        )

    @cached_property
    def by_postcode(self) -> dict[str, list[str]]:
        """Postcode -> INSEE codes, arrondissements instead of their city, most populous first."""
        found: dict[str, list[str]] = {}
        for insee, row in self.rows.items():
            if insee not in CITIES:
                for postcode in row[4].split():
                    found.setdefault(postcode, []).append(insee)
        for codes in found.values():
            codes.sort(key=self.population, reverse=True)
        return found

    @cached_property
    def by_department(self) -> dict[str, list[str]]:
        """Department code -> INSEE codes of its two most populous communes, the larger first."""
        found: dict[str, list[str]] = {}
        for row in self.rows.values():
            if row[0] == "C":
                found.setdefault(department_code(row[1]), []).append(row[1])
        return {code: nlargest(2, codes, key=self.population) for code, codes in found.items()}

    def misspellings(self, key: str) -> list[str]:
        """INSEE codes of the large town one edit away from a folded word; none when two are equally near."""
        name = nearest(key, self._large_towns)
        return self.current[name] if name else []

    @cached_property
    def _large_towns(self) -> dict[str, list[str]]:
        return by_shortening(
            key
            for key, codes in self.current.items()
            if len(key) >= 6 and " " not in key and self.population(codes[0]) >= MISSPELT_FROM
        )

    @cached_property
    def areas(self) -> dict[str, frozenset[str]]:
        """Folded name of a department or region -> department codes (those that are communes first left out)."""
        found: dict[str, set[str]] = {}
        for department in self.departments.values():
            if department.code in ("977", "978", "989"):
                continue  # their regions bear the same names, which are those of communes elsewhere
            if department.code != "75":
                found.setdefault(name_key(department.name), set()).add(department.code)
            if department.region:
                found.setdefault(name_key(department.region), set()).add(department.code)
        return {key: frozenset(codes) for key, codes in found.items()}


CITIES = {"75056": (75100, 20), "69123": (69380, 9), "13055": (13200, 16)}
"""City -> (base of its arrondissements' INSEE codes, how many): DVF only knows the arrondissements."""


MISSPELT_FROM = 30_000
"""Population from which a town's name is recognised with one wrong letter."""


def read_table(path: Path) -> PlaceTable:
    """Raises `PlacesUnreadable`."""
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
        return PlaceTable(text.split("\n"))
    except (OSError, EOFError, ValueError, IndexError) as error:
        raise PlacesUnreadable(f"La liste des communes n'a pas pu être lue ({path.name}).") from error
