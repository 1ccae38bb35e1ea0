"""Which of a group's cases a question is about: by the words of the case, or by the span of a scale."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from corpus.facts.values import Fact
from corpus.french import analyze, words_of

_LESS: Final = frozenset(("hors", "sans", "pas", "sauf", "aucun", "aucune", "non", "ni"))
"""Words after which a case may be named because it is not meant: then every case is told."""
_FIGURE: Final = re.compile(
    r"(\d[\d\s\u00a0\u202f.]*(?:,\d+)?)\s?(k|M|millions?)?\s?(ans?|€|euros?|balles)(?!\w)", re.IGNORECASE
)
_BOUNDS: Final = (
    (re.compile(r"^(?:de |entre )?(N) (?:à|et) (N)"), (0, 1)),
    (re.compile(r"^(?:jusqu'à|avant|moins de|au plus) (N)"), (None, 0)),
    (re.compile(r"^(?:au-delà de|à partir de|plus de|après) (N)"), (0, None)),
)


def cases_asked(facts: Sequence[Fact], text: str) -> tuple[Fact, ...]:
    """Those whose case the text names; all of them where it names none, or says what it is not about."""
    if in_span := _in_span(facts, text):
        return in_span
    if _LESS & set(words_of(text)):
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


def _in_span(facts: Sequence[Fact], text: str) -> tuple[Fact, ...]:
    """The step of a scale in which an age or an amount of the text lies; nothing where the facts are no scale."""
    spans = [_span(fact.condition) for fact in facts]
    if len(facts) < 3 or sum(span is not None for span in spans) < len(facts) - 1:
        return ()
    units = {span[2] for span in spans if span}
    said = [(value, unit) for value, unit in map(_figure, _FIGURE.finditer(text)) if units == {unit}]
    if len(said) != 1:
        return ()
    value = said[0][0]
    return tuple(f for f, span in zip(facts, spans, strict=True) if span and span[0] <= value <= span[1])[:1]


@cache
def _span(condition: str) -> tuple[float, float, str] | None:
    figures = [_figure(found) for found in _FIGURE.finditer(condition)]
    plain = re.sub(r"\d[\d\s\u00a0\u202f.]*(?:,\d+)?\s?(?:€|ans?)?", "N ", condition).replace("  ", " ")
    numbers = [float(re.sub(r"\D", "", raw)) for raw in re.findall(r"\d[\d\s\u00a0\u202f]*", condition)]
    for pattern, places in _BOUNDS:
        if figures and pattern.search(plain):
            low, high = (None if place is None else numbers[place] for place in places)
            return (-1.0 if low is None else low), (float("inf") if high is None else high), figures[0][1]
    return None


def _figure(found: re.Match[str]) -> tuple[float, str]:
    value = float(re.sub(r"[\s\u00a0\u202f.]", "", found[1]).replace(",", "."))
    scale = {"k": 1e3, "m": 1e6}.get((found[2] or "")[:1].lower(), 1.0)
    return value * scale, "ans" if found[3].lower().startswith("an") else "€"
