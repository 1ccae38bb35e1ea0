"""A calculation of which one result is asked for: the answer opens on that one."""

from dataclasses import replace

from pipeline.text.amounts import cents, percent
from pipeline.tools.calculation.earlier import PER
from pipeline.tools.calculation.sheet import signed
from pipeline.tools.calculation.values import Worked
from pipeline.types import Figure


def opened_on(worked: Worked, label: str) -> Worked:
    """The same, its sentence on this result in front, or one made of it where none tells it alone. Unchanged where
    there is no such result."""
    found = [entry.figure for entry in worked.results if entry.figure.label == label]
    if not found:
        return worked
    said = next((text for text in worked.sentences if text.startswith(f"{label} :")), f"{label} : {_said(found[0])}.")
    return replace(worked, sentences=(said, *(text for text in worked.sentences if text != said)))


def _said(figure: Figure) -> str:
    if figure.unit.startswith("€"):
        return f"{signed(figure.value)}{PER.get(figure.unit, '')}"
    if figure.unit == "%":
        return percent(figure.value, digits=2)
    return f"{cents(figure.value):g} {figure.unit}".replace(".", ",").strip()
