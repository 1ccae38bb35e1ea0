"""The A-B-C zone of each commune, from the ministry's list as built by `build_zones`; a fact with its date, no rule."""

import gzip
import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Final

from corpus.errors import CorpusError

ZONES_AS_OF: Final = date(2024, 7, 5)
"""From which day the built-in list was in force."""
ZONES_REVISED: Final = date(2026, 6, 26)
"""From which day the last list known of is in force (published on 3 July 2026): the built-in one is out of date."""
LETTERS: Final[Mapping[str, str]] = {"Abis": "A bis", "A": "A", "B1": "B1", "B2": "B2", "C": "C"}
"""As the list writes a zone -> as it is read."""
MONTHS: Final = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre",
)  # fmt: skip
VINTAGE: Final = re.compile(
    r"zon(?:e|age)\b.{0,20}\ben vigueur\b.{0,20}?\b(\d{1,2})(?:er)? (\w+) (20\d\d)\b", re.IGNORECASE
)


class ZonesUnreadable(CorpusError):
    """La liste du zonage A, B, C n'a pas pu être lue."""


class ZoneList:
    """Zones by INSEE code. The file is read at the first use; raises `ZonesUnreadable` then."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, insee: str) -> str | None:
        """A bis, A, B1, B2 or C; None for a code that the list does not have, arrondissements among them."""
        return self._table.get(insee)

    @cached_property
    def _table(self) -> dict[str, str]:
        try:
            first, *rows = gzip.decompress(self._path.read_bytes()).decode("utf-8").splitlines()
            if not first.startswith("# QuartierScope zones v1"):
                raise ValueError("no header")
            listed = (row.partition("\t")[::2] for row in rows)
            return {code: LETTERS[letter] for letter, codes in listed for code in unpacked(codes)}
        except (OSError, EOFError, ValueError, KeyError) as error:
            raise ZonesUnreadable(f"La liste du zonage A, B, C n'a pas pu être lue ({self._path.name}).") from error


def load_zones(path: Path | None = None) -> ZoneList:
    """The built-in list, or another file of the same format. Reads nothing yet."""
    return ZoneList(path or Path(__file__).with_name("zones_abc.tsv.gz"))


def vintage_of(column: str) -> date | None:
    """The day that a column's name bears: « Zonage ABC en vigueur depuis le 26 juin 2026 »; None for any other."""
    match = VINTAGE.search(column)
    if match is None or match[2].lower() not in MONTHS:
        return None
    try:
        return date(int(match[3]), MONTHS.index(match[2].lower()) + 1, int(match[1]))
    except ValueError:
        return None


def packed(codes: Iterable[str]) -> str:
    """`01001 01002 02003` -> `01001 2 02003`: each code without the head that it shares with the one before."""
    written, before = [], ""
    for code in sorted(codes):
        kept = next((n for n in range(5) if code[n] != before[n : n + 1]), 5)
        written.append(code[kept:])
        before = code
    return " ".join(written)


def unpacked(text: str) -> list[str]:
    """Raises `ValueError` for what is no list of codes."""
    codes, before = [], ""
    for part in text.split():
        before = before[: 5 - len(part)] + part
        if len(before) != 5:
            raise ValueError(part)
        codes.append(before)
    return codes
