"""Dated lists of communes by status (zone tendue, rent control, ORT), as built by `build_status`; facts, no rules."""

import gzip
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from corpus.communes.table import CITIES
from corpus.errors import CorpusError

TENSE_AS_OF = date(2025, 12, 22)
ORT_AS_OF = date(2025, 12, 31)
RENT_CONTROL_YEAR = 2026


class StatusUnreadable(CorpusError):
    """La liste des communes par statut n'a pas pu être lue."""


@dataclass(frozen=True, slots=True)
class Status:
    """What the lists say of one commune. `rent_control`: whole, part or none; `ort`: signed, unsigned (planned) or
    none, with its dates when they are known; `acv`: Action cœur de ville."""

    tense: bool = False
    rent_control: str = "none"
    ort: str = "none"
    signed: date | None = None
    ends: date | None = None
    acv: bool = False


class StatusLists:
    """The lists by INSEE code. The file is read at the first use; raises `StatusUnreadable` then."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, insee: str) -> Status:
        """A code that is on no list gets an empty status; an arrondissement has the status of its city."""
        return self._table.get(_city(insee), Status())

    @property
    def rent_controlled(self) -> int:
        """How many communes the rent-control list has."""
        return sum(status.rent_control != "none" for status in self._table.values())

    @cached_property
    def _table(self) -> dict[str, Status]:
        try:
            text = gzip.decompress(self._path.read_bytes()).decode("utf-8")
            if not text.startswith("# QuartierScope status v1"):
                raise ValueError("no header")
            rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
            return {row[0]: _status(row[1:]) for row in rows}
        except (OSError, EOFError, ValueError, IndexError) as error:
            raise StatusUnreadable(f"La liste des statuts n'a pas pu être lue ({self._path.name}).") from error


def load_status(path: Path | None = None) -> StatusLists:
    """The built-in lists, or another file of the same format. Reads nothing yet."""
    return StatusLists(path or Path(__file__).with_name("status.tsv.gz"))


def _status(marks: list[str]) -> Status:
    control = "whole" if "L" in marks else "part" if "l" in marks else "none"
    ort, signed, ends = "unsigned" if "o" in marks else "none", None, None
    for mark in marks:
        if mark.startswith("O"):
            first, _, last = mark[1:].partition("/")
            ort, signed, ends = "signed", _day(first), _day(last)
        elif mark not in ("T", "L", "l", "o", "A"):
            raise ValueError(f"unknown mark {mark}")
    return Status("T" in marks, control, ort, signed, ends, "A" in marks)


def _day(written: str) -> date | None:
    return date.fromisoformat(written) if written else None


def _city(insee: str) -> str:
    if insee.isdigit() and insee.isascii():
        for city, (base, count) in CITIES.items():
            if base < int(insee) <= base + count:
                return city
    return insee
