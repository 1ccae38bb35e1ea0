"""French communes, offline: where they are, what their codes are, and which of them a French sentence means."""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

from corpus.communes.expected import expected_mentions
from corpus.communes.expected_names import ExpectedNames
from corpus.communes.finder import Scan
from corpus.communes.table import CITIES, Place, PlacesUnreadable, PlaceTable, fold, name_key, read_table
from corpus.communes.text import Mention

__all__ = ["Gazetteer", "Mention", "Place", "PlacesUnreadable", "fold", "load_gazetteer"]

LONGEST_TEXT = 8_000
"""Characters searched for communes; the rest of a longer text is not read."""


class Gazetteer:
    """All communes. The file is read at the first use (about 0.1 s); raises `PlacesUnreadable` then."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _table(self) -> PlaceTable:
        return read_table(self._path)

    @cached_property
    def _names(self) -> ExpectedNames:
        return ExpectedNames(self._table)

    def get(self, insee: str) -> Place | None:
        """The place of an INSEE code, arrondissements included; None when no such code is in force."""
        return self._table.place(insee)

    def find(self, text: str, *, hints: Sequence[str] = ()) -> tuple[Mention, ...]:
        """Communes meant by a French text, in reading order; `hints` are INSEE or department codes that break ties."""
        return tuple(Scan(text[:LONGEST_TEXT], self._table, hints).mentions())

    def find_expected(
        self, text: str, *, hints: Sequence[str] = (), apart: Sequence[tuple[int, int]] = ()
    ) -> tuple[Mention, ...]:
        """Communes meant by a message known to be about a place, in reading order: `find`, and names in lower case
        without a preposition, in lists, cut short or with a wrong letter. `apart`: spans in which no commune is read.
        """
        return expected_mentions(text[:LONGEST_TEXT], self._table, hints, names=self._names, apart=apart)

    def alike(self, text: str) -> tuple[str, tuple[Place, ...]]:
        """(the last word that may be a town's name with several wrong letters, the towns that it looks like)."""
        for raw in reversed(re.findall(r"[^\W\d_]+", text[:LONGEST_TEXT])):
            found = (self._table.place(self._table.current[name][0]) for name in self._names.alike(fold(raw)))
            if towns := tuple(place for place in found if place):
                return raw, towns
        return "", ()

    def misspelt(self, name: str) -> Place | None:
        """The only town that a whole name of several words looks like: « Sint-Etienne », « Saint-Nazère »."""
        found = self._names.whole(name_key(name))
        return self._table.place(self._table.current[found][0]) if found else None

    def arrondissements(self, insee: str) -> tuple[Place, ...]:
        """The arrondissements of Paris, Lyon or Marseille; empty for any other code."""
        base, count = CITIES.get(insee, (0, 0))
        return tuple(place for n in range(1, count + 1) if (place := self.get(str(base + n))))

    def largest_beside(self, insee: str) -> Place | None:
        """The most populous other commune of the same department; None in a department of one, and for no code."""
        place = self.get(insee)
        mine = {insee, *([city.insee] if (city := self.city_of(insee)) else [])}
        others = self._table.by_department.get(place.department, ()) if place else ()
        return next((self.get(code) for code in others if code not in mine), None)

    def is_area(self, name: str) -> bool:
        """Whether this is the name of a department or a region: « Mayotte », « la Réunion »."""
        return name_key(name) in self._table.areas

    def city_of(self, insee: str) -> Place | None:
        """Paris, Lyon or Marseille for the code of one of their arrondissements; else None."""
        if not insee.isdigit():
            return None
        mother = (city for city, (base, count) in CITIES.items() if base < int(insee) <= base + count)
        return self.get(next(mother, ""))


@cache
def load_gazetteer(path: Path | None = None) -> Gazetteer:
    """The built-in gazetteer (corpus/PLACES.md), or another file of the same format, one a process. Reads nothing
    yet."""
    return Gazetteer(path or Path(__file__).with_name("places.tsv.gz"))
