"""What every calculation is made of: checked inputs, French amounts, a result that keeps its formula."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError
from pipeline.text.amounts import cents
from pipeline.types import Computed, Figure

Inputs = Mapping[str, Any]


class Nonsense(PipelineError):
    """Les données du calcul sont incorrectes."""


@dataclass(frozen=True, slots=True)
class Worked:
    """One calculation done. `inputs` are the user's values, `results` what follows from them, each with its formula;
    `sentences` state formula, inputs and result; `source` is the rule's reference, `url` its official page."""

    title: str
    sentences: tuple[str, ...]
    inputs: tuple[Figure, ...]
    results: tuple[Computed, ...]
    source: str
    url: str = ""


def number(inputs: Inputs, name: str, *, label: str, least: float, most: float, default: float | None = None) -> float:
    """A finite number within bounds. Raises `Nonsense` with a French sentence naming `label` ("le prix")."""
    value = inputs.get(name)
    if value is None and default is not None:
        return default
    if value is None:
        raise Nonsense(f"Il manque {label}.")
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise Nonsense(f"Donnée illisible pour {label} : il faut un nombre.")
    if value < 0 <= least:
        raise Nonsense(f"Valeur négative pour {label} : le calcul n'est pas fait.")
    if not least <= value <= most:
        raise Nonsense(f"Valeur hors des bornes vraisemblables pour {label} : le calcul n'est pas fait.")
    return float(value)


def money(inputs: Inputs, name: str, *, label: str, least: float = 0.0, default: float | None = None) -> float:
    """Euros, at most 100 million."""
    return number(inputs, name, label=label, least=least, most=1e8, default=default)


def choice(inputs: Inputs, name: str, allowed: Mapping[str, str], *, label: str, default: str | None = None) -> str:
    """One of the keys of `allowed`, whose values are their French names."""
    value = inputs.get(name, default)
    if not isinstance(value, str) or value not in allowed:
        raise Nonsense(f"Précisez {label} : {', '.join(allowed.values())}.")
    return value


def share(part: float, of: float) -> float:
    """Percent, rounded half up to the hundredth."""
    return cents(part / of * 100)


def _finite(value: int | float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False
