"""How the results that an answer tells were worked out, in as few lines as they fit in."""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.sheet import signed
from pipeline.tools.calculation.values import Worked
from pipeline.types import Computed, Figure

WORDS_A_LINE: Final = 55
CASE: Final = re.compile(r" à [\d,.]+\s?%(?: sur .*)?$")
"""What sets apart the cases of one result: « à 3,2 % sur 20 ans »."""
TOLD: Final = re.compile(r"^[^:]*[^\d:]: (?:\d+ (?:jours?|semaines?|ans?)\b|.*?(?:€|%|\bmois\b)(?:,(?=\d)|[^,;(])*)")
"""What a sentence is there to tell, « Rendement brut : 4,75 % »; behind it stands what that rests on."""


def formula_lines(worked: Worked) -> tuple[str, ...]:
    """« Formules : rendement brut = 9 600 € / 240 000 €. »; of several cases of one result the first stands for all."""
    shown: dict[str, str] = {}
    for entry in _told(worked):
        shown.setdefault(CASE.sub("", entry.figure.label), entry.formula)
    cases = [CASE.sub("", entry.figure.label) for entry in worked.results]
    parts = [
        f"{name[:1].lower()}{name[1:]} = {formula}" + (", de même pour les autres cas" * (cases.count(name) > 1))
        for name, formula in shown.items()
    ]
    return tuple(f"Formule{'s' * (len(line) > 1)} : {' ; '.join(line)}." for line in _packed(parts))


def _told(worked: Worked) -> Iterator[Computed]:
    """The results that the sentences are there to tell, in their order; of two with one value, the one that the
    sentence names."""
    for sentence in worked.sentences:
        told = match[0] if (match := TOLD.match(sentence)) else ""
        named: dict[str, Computed] = {}
        for entry in worked.results:
            value = next((text for text in _written(entry.figure) if f" {text}" in told), None)
            if value and _alike(entry, sentence) >= (_alike(named[value], sentence) if value in named else 0):
                named[value] = entry
        yield from sorted(named.values(), key=worked.results.index)


def _alike(entry: Computed, sentence: str) -> int:
    pairs = zip(entry.figure.label, sentence, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _written(figure: Figure) -> tuple[str, ...]:
    if figure.unit.startswith("€"):
        return euros(figure.value), signed(figure.value)
    if figure.unit == "%":
        return percent(figure.value, digits=2), percent(figure.value)
    return (f"{cents(figure.value):g} {figure.unit}".replace(".", ","),)


def _packed(parts: Iterable[str]) -> Iterator[list[str]]:
    """As many on a line as can be read, and quoted, as one sentence."""
    line: list[str] = []
    for part in parts:
        if line and len(" ".join((*line, part)).split()) > WORDS_A_LINE:
            yield line
            line = []
        line.append(part)
    if line:
        yield line
