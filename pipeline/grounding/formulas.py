"""Figures that the gate worked out again -> what the reader sees of them."""

from collections.abc import Sequence
from decimal import Decimal

from pipeline.types import Computed


def formulas(computed: Sequence[Computed]) -> tuple[str, ...]:
    """One line for all of them, or none: `Calculé d'après les sources : 3 333 €/m² − 3 098 €/m² = 235 €/m².`"""
    told = dict.fromkeys(f"{entry.formula} = {_shown(entry.figure.value, entry.figure.unit)}" for entry in computed)
    return (f"Calculé d'après les sources : {' ; '.join(told)}.",) if told else ()


def _shown(value: float, unit: str) -> str:
    number = f"{Decimal(str(value)):,f}".replace(",", "\u202f").replace(".", ",").removesuffix(",0")
    return f"{number}\u00a0{unit}".strip()
