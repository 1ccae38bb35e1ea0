"""A let under three rents: the same calculation thrice, with nothing else changed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pipeline.series import Column, Schedule
from pipeline.text.amounts import cents, percent
from pipeline.tools.calculation.constants import SCENARIO_RENT
from pipeline.tools.calculation.values import Nonsense, Told
from pipeline.types import Computed, Figure

SHOWN: Final = (
    "Rendement brut",
    "Rendement net",
    "Rendement net-net",
    "Cash-flow mensuel avant impôt",
    "Cash-flow mensuel après impôt",
)
"""Results of the calculator that depend on the rent, as it labels them."""
SCENARIOS: Final[Mapping[str, float]] = {
    "Prudent": -SCENARIO_RENT.value,
    "Central": 0.0,
    "Favorable": SCENARIO_RENT.value,
}
"""Percent by which the rent is changed."""


def of_rents(told: Told, results: Callable[[Told], Sequence[Computed]]) -> tuple[Schedule, ...]:
    """`results` of less rent, of the rent told, and of more; none where the gross yield alone is known, for it moves
    just as the rent does, or where one of the rents makes no sense."""
    try:
        found = [_shown(results(told.instead(rent_monthly=_rents(told, by)))) for by in SCENARIOS.values()]
    except Nonsense:
        return ()
    labels = [label for label in SHOWN if all(label in figures for figures in found)]
    if len(labels) < 2:
        return ()
    columns = (
        Column(label, found[0][label].unit, tuple(figures[label].value for figures in found), _FORMULA)
        for label in labels
    )
    return (
        Schedule(
            kind="yield",
            title="Rendement selon le loyer",
            axis="Scénario",
            steps=tuple(SCENARIOS),
            columns=tuple(columns),
            notes=(
                f"Seul le loyer varie : {percent(SCENARIO_RENT.value)} de moins, tel qu'indiqué, de plus",
                "Un écart d'illustration, pas une prévision",
            ),
        ),
    )


_FORMULA: Final = "même calcul, loyer changé"


def _shown(results: Sequence[Computed]) -> dict[str, Figure]:
    return {entry.figure.label: entry.figure for entry in results if entry.figure.label in SHOWN}


def _rents(told: Told, by: float) -> list[float]:
    return [cents(rent * (100 + by) / 100) for rent in told.all("rent_monthly")]
