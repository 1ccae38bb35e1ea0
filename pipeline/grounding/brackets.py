"""Brackets: « jusqu'à 8 072 € », « de 61 à 70 ans », « au-delà » -> bounds, and which of several a claim speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from pipeline.grounding.clauses import Clause, Sentence, family
from pipeline.grounding.lexicon import flat
from pipeline.grounding.moments import moment_of
from pipeline.text.figures import Value

_TO: Final = re.compile(r"\s?(?:a|et)(?: la| moins de| l')?\s?")
_FROM: Final = re.compile(r"(?<!\w)(?:de|entre|d'|des)(?: la| le| les)?\s?$")
_UNDER: Final = re.compile(r"(?<!\w)(?:moins d\w+|inferieure?s? a|sous|avant)\s*(?:les |la |le |ses )?$")
_BEYOND: Final = re.compile(r"(?<!\w)(?:au-dela|au-dessus|et plus|davantage)(?! d)(?!\w)")


@dataclass(frozen=True, slots=True)
class Bracket:
    """Bounds of one family of figures, None where open; both the same for a point. `under`: the upper bound itself
    lies outside."""

    family: tuple[str, str]
    low: Decimal | None
    high: Decimal | None
    under: bool = False

    @property
    def point(self) -> bool:
        return self.low is not None and self.low == self.high

    def holds(self, other: "Bracket") -> bool:
        """Whether the other lies within this one. A point on a bound does."""
        low = self.low is None or (other.low is not None and other.low >= self.low)
        high = self.high is None or (other.high is not None and other.high <= self.high)
        return low and high and not (self.under and other.point and other.high == self.high)


def brackets(sentence: Sentence, values: Sequence[Value]) -> tuple[Bracket, ...]:
    """What each of these figures of the sentence bounds, two of them together where they make a range."""
    found: list[Bracket] = []
    numbers = [value for value in values if isinstance(value.value, Decimal)]
    index = 0
    while index < len(numbers):
        value = numbers[index]
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        if following is not None and _range(sentence, value, following):
            under = "moins" in sentence.text[value.end : following.start]
            found.append(Bracket(family(value), number(value), number(following), under))
            index += 2
            continue
        side = moment_of(sentence, value).side
        low = None if side == "less" else number(value)
        high = None if side == "more" else number(value)
        under = side == "less" and bool(_UNDER.search(flat(sentence.text[max(0, value.start - 24) : value.start])))
        found.append(Bracket(family(value), low, high, under))
        index += 1
    return tuple(found)


def _range(sentence: Sentence, first: Value, second: Value) -> bool:
    between = flat(sentence.text[first.end : second.start])
    before = flat(sentence.text[max(0, first.start - 12) : first.start])
    return family(first) == family(second) and bool(_TO.fullmatch(between)) and bool(_FROM.search(before))


def number(value: Value) -> Decimal:
    """0 for a date."""
    return value.value if isinstance(value.value, Decimal) else Decimal(0)


def beyond(clause: Clause) -> bool:
    """« et 45 % au-delà »: above all the bounds said before."""
    return bool(_BEYOND.search(flat(clause.text)))


def laddered(found: Sequence[Bracket], others: Sequence[Bracket]) -> tuple[Bracket, ...]:
    """« 5 % jusqu'à 8 072 €, 10 % jusqu'à 12 109 € »: an open side ends where the next of the others begins."""
    told = []
    for bracket in found:
        mine = [other for other in others if other.family == bracket.family]
        if bracket.low is None and bracket.high is not None:
            below = [other.high for other in mine if other.high and other.high < bracket.high]
            bracket = replace(bracket, low=max(below, default=None))
        elif bracket.high is None and bracket.low is not None:
            above = [other.low for other in mine if other.high is None and other.low and other.low > bracket.low]
            bracket = replace(bracket, high=min(above, default=None))
        told.append(bracket)
    return tuple(told)


def bounded(said: Bracket, row: Sequence[Bracket]) -> float:
    """1 where the claim's bounds are the row's or lie within, a half where they begin or end alike, -1 where they go
    beyond, 0 where the row sets none."""
    return max((_fits(said, bracket) for bracket in row if bracket.family == said.family), default=0.0)


def _fits(said: Bracket, row: Bracket) -> float:
    if row.point:
        return float(not said.point and row.low in (said.low, said.high))
    if row.holds(said):
        return 1.0
    alike = (said.high is None and said.low == row.low) or (said.low is None and said.high == row.high)
    return 0.5 if alike else -1.0
