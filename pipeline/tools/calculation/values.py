"""What every calculation is made of: a checked reading of the arguments, and a result that keeps its formulas."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from pipeline.errors import PipelineError
from pipeline.series import Schedule
from pipeline.text.amounts import cents
from pipeline.tools.calculation.fields import CHOICE, DAY, FIELDS, TEXT, YES_NO, Field
from pipeline.types import Computed, Figure

Inputs = Mapping[str, Any]
Table = tuple[tuple[str, ...], ...]


LONGEST_TEXT: Final = 200


class Nonsense(PipelineError):
    """Les données du calcul sont incorrectes."""


@dataclass(frozen=True, slots=True)
class Worked:
    """One calculation done, as far as its inputs go.

    `inputs` are the user's values and those assumed, `results` what follows from them, each with its formula;
    `sentences` state the answer first; `source` is the rule's reference, `url` its official page. `assumptions` are
    French sentences on what was taken for granted, `asks` the one French question that matters most (or empty),
    `missing` the arguments whose value would answer it. `table`: a header and rows of cells, for cases side by side;
    `schedules`: the same calculation year by year or case by case, for pictures.
    Without anything to compute, `results` and `sentences` are empty and `asks` is not.
    """

    title: str
    sentences: tuple[str, ...]
    inputs: tuple[Figure, ...]
    results: tuple[Computed, ...]
    source: str
    url: str = ""
    assumptions: tuple[str, ...] = ()
    asks: str = ""
    missing: tuple[str, ...] = ()
    table: Table = ()
    schedules: tuple[Schedule, ...] = ()


class Told:
    """The arguments of one call, checked against the fields of its kind: names that the kind does not know and None
    are absent. Raises `Nonsense` with a French sentence that names what is wrong."""

    __slots__ = ("_values", "kind")

    def __init__(self, kind: str, arguments: Inputs) -> None:
        self.kind = kind
        self._values = {
            field.name: _checked(field, arguments[field.name])
            for field in FIELDS[kind]
            if arguments.get(field.name) is not None
        }

    def instead(self, **values: Any) -> "Told":
        """The same call with these arguments in place of its own. Raises `Nonsense`."""
        return Told(self.kind, {**self._values, **values})

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def all(self, name: str) -> tuple[float, ...]:
        """Every value given, without repetition when each is a case; empty when none is."""
        found = self._values.get(name, ())
        return found if isinstance(found, tuple) else (float(found),)

    def one(self, name: str) -> float | None:
        """The number, or the sum of the numbers."""
        found = self.all(name)
        return cents(sum(found)) if len(found) > 1 else found[0] if found else None

    def amount(self, name: str) -> float:
        """The same, 0 when it is not given."""
        return self.one(name) or 0.0

    def flag(self, name: str) -> bool | None:
        found = self._values.get(name)
        return found if isinstance(found, bool) else None

    def day(self, name: str) -> date | None:
        found = self._values.get(name)
        return found if isinstance(found, date) else None

    def choice(self, name: str) -> str:
        """Empty when it is not given."""
        found = self._values.get(name)
        return found if isinstance(found, str) else ""


def _checked(field: Field, value: Any) -> Any:
    if field.unit == YES_NO:
        if not isinstance(value, bool):
            raise Nonsense(f"Donnée illisible : précisez par oui ou par non {field.label}.")
        return value
    if field.unit == CHOICE:
        if value not in field.choices:
            raise Nonsense(f"Précisez {field.label}.")
        return value
    if field.unit == TEXT:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise Nonsense(f"Précisez {field.label}.")
        return value
    if field.unit == DAY:
        return _day(field, value)
    if not isinstance(value, list | tuple):
        return _number(field, value)
    if not value or (len(value) > 1 and not field.many) or len(value) > (field.cases or 50):
        most = f" ({field.cases} au plus)" if field.cases else ""
        raise Nonsense(f"Trop de valeurs à la fois, ou aucune, pour {field.label}{most}.")
    found = tuple(_number(field, each) for each in value)
    return tuple(dict.fromkeys(found)) if field.cases else found


def _number(field: Field, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise Nonsense(f"Donnée illisible pour {field.label} : il faut un nombre.")
    if value < 0 <= field.least:
        raise Nonsense(f"Valeur négative pour {field.label} : le calcul n'est pas fait.")
    if not field.least <= value <= field.most:
        raise Nonsense(f"Valeur hors des bornes vraisemblables pour {field.label} : le calcul n'est pas fait.")
    if field.whole and value != int(value):
        raise Nonsense(f"Il faut un nombre entier pour {field.label}.")
    return float(value)


def _day(field: Field, value: Any) -> date:
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise Nonsense(f"Précisez {field.label} (jour, mois, année).")


def _finite(value: int | float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def share(part: float, of: float) -> float:
    """Percent, rounded half up to the hundredth."""
    return cents(part / of * 100)
