"""Which of a group's cases a question is about: by the words of the case, or by the span of a scale."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from corpus.facts.values import Fact
from corpus.french import analyze, words_of

_LESS: Final = frozenset(("hors", "sans", "pas", "sauf", "aucun", "aucune", "non", "ni"))
"""Words after which a case is named because it is not meant."""
_REACH: Final = 3
"""Words that such a word bears on."""
_AGE: Final = re.compile(r"(?<![\d,])(\d{1,3})\s?ans?\b")
_SPANS: Final = (
    (re.compile(r"^(?:de |entre )?(\d{1,3})(?: ans)? (?:à|et) (\d{1,3}) ans"), True, True),
    (re.compile(r"^(?:jusqu'à|avant|moins de|au plus) (\d{1,3}) ans"), False, True),
    (re.compile(r"^(?:au-delà de|à partir de|plus de|après|au terme de) (\d{1,3}) ans"), True, False),
)
"""How a condition names a span of years, and which of its ends it gives."""


FEWEST_STEPS: Final = 3


def cases_asked(facts: Sequence[Fact], text: str) -> tuple[Fact, ...]:
    """Those whose case the text names; all of them where it names none, or says what it is not about."""
    if in_span := _in_span(facts, text):
        return in_span
    if any(_denied(text, fact) & case_terms(fact) for fact in facts):
        return tuple(facts)
    terms = frozenset(analyze(text)) - frozenset(analyze(facts[0].label))
    bags = [case_terms(fact) for fact in facts]
    hits = [_hits(bag, [b for b in bags if b is not bag], terms) for bag in bags]
    most = max(count for count, _ in hits)
    if most == 0:
        return tuple(facts)
    return tuple(fact for fact, (count, alone) in zip(facts, hits, strict=True) if count == most or alone)


def _hits(bag: frozenset[str], others: Sequence[frozenset[str]], terms: frozenset[str]) -> tuple[int, bool]:
    """How many words of this case are asked for that not every case has, and whether one is this case's alone."""
    shared = frozenset.intersection(*others) if others else frozenset()
    anywhere: frozenset[str] = frozenset().union(*others)
    return len((bag - shared) & terms), bool((bag - anywhere) & terms)


@cache
def case_terms(fact: Fact) -> frozenset[str]:
    """The terms of the case that it holds in."""
    zones = " ".join(f"zone {zone}" for zone in fact.zone.split(" et ")) if fact.zone else ""
    return frozenset(analyze(f"{fact.condition} {fact.hints} {zones}"))


def _denied(text: str, fact: Fact) -> frozenset[str]:
    """The terms that stand behind a « hors » or a « sans », but for those of the case itself, as « hors d'eau »."""
    said, less = words_of(text), _LESS.difference(words_of(fact.condition))
    behind = [" ".join(said[at + 1 : at + 1 + _REACH]) for at, word in enumerate(said) if word in less]
    return frozenset(analyze(" ".join(behind)))


def _in_span(facts: Sequence[Fact], text: str) -> tuple[Fact, ...]:
    """The step of a scale of years in which the age or duration of the text lies; nothing where there is no scale."""
    spans = [_span(fact.condition) for fact in facts]
    said = {int(found) for found in _AGE.findall(text)}
    if len(facts) < FEWEST_STEPS or None in spans or len(said) != 1:
        return ()
    value = said.pop()
    held = [(span[0], fact) for span, fact in zip(spans, facts, strict=True) if span and span[0] <= value <= span[1]]
    return (max(held, key=lambda pair: pair[0])[1],) if held else ()


@cache
def _span(condition: str) -> tuple[float, float] | None:
    """First and last year of the condition; an end that it does not give is open."""
    for pattern, low, high in _SPANS:
        if found := pattern.search(condition):
            years = [float(year) for year in found.groups()]
            return (years[0] if low else 0.0), (years[-1] if high else float("inf"))
    return None
