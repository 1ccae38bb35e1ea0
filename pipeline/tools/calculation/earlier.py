"""A calculation done again with another input: what that changes, told beside the new result."""

from dataclasses import replace
from typing import Final

from pipeline.text.amounts import cents, percent
from pipeline.tools.calculation.sheet import signed
from pipeline.tools.calculation.values import Worked
from pipeline.types import Computed, Figure

LABEL: Final = "Écart avec le calcul précédent"
PER: Final = {"€/mois": " par mois", "€/an": " par an"}


def beside_earlier(now: Worked, before: Worked, *, first: bool) -> Worked:
    """The same, with how far its answer is from the earlier one's, in front of it where that is asked (`first`).
    Unchanged where the two have no figure in common, or nothing moves."""
    pair = _moved(now, before)
    if pair is None:
        return now
    figure, was = pair
    gap, higher = cents(abs(figure.value - was.value)), figure.value > was.value
    unit = "points" if figure.unit == "%" else figure.unit
    size = f"{gap:g} point{'s' * (gap >= 2)}".replace(".", ",") if unit == "points" else signed(gap)
    way = "plus" if higher else "moins"
    sentence = f"{LABEL} : {size}{PER.get(unit, '')} de {way}, soit {_said(figure)} au lieu de {_said(was)}."
    low, high = sorted((figure, was), key=lambda known: known.value)
    answer, *rest = now.sentences
    return replace(
        now,
        sentences=(sentence, answer, *rest) if first else (answer, sentence, *rest),
        inputs=(*now.inputs, Figure("Résultat du calcul précédent", was.value, was.unit)),
        results=(*now.results, Computed(Figure(LABEL, gap, unit), f"{_said(high)} − {_said(low)}")),
    )


def _moved(now: Worked, before: Worked) -> tuple[Figure, Figure] | None:
    """The first figure of the answer's first sentence, and what it was."""
    opening = now.sentences[0] if now.sentences else ""
    held = {(entry.figure.label, entry.figure.unit): entry.figure for entry in before.results}
    pairs = [(entry.figure, held.get((entry.figure.label, entry.figure.unit))) for entry in now.results]
    told = [(figure, was) for figure, was in pairs if was is not None and _said(figure) in opening]
    first = min(told, key=lambda pair: (not _opens(pair[0].label, opening), opening.find(_said(pair[0]))), default=None)
    return first if first is not None and first[0].value != first[1].value else None


def _opens(label: str, sentence: str) -> bool:
    """Of two results with one value, the one that the sentence is about."""
    return sentence.split()[0] == label.split()[0]


def _said(figure: Figure) -> str:
    return percent(figure.value, digits=2) if figure.unit == "%" else signed(figure.value)
