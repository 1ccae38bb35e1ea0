"""Derived figures worked out again: from declared operands, or where a word of the sentence says the operation."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DivisionByZero, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.grounding.clauses import family
from pipeline.grounding.lexicon import flat
from pipeline.text.figures import Value, figures, supports
from pipeline.text.wording import in_digits
from pipeline.types import Claim, Operation

_FILE: Final = Path(__file__).with_name("derivation.toml")
_HUNDRED: Final = Decimal(100)
_TWELVE: Final = Decimal(12)
_ROUNDED: Final = Decimal("0.02")
"""What rounding may change of a figure that is not said to be about so much."""
_FEW_DIGITS: Final = 2
_MOST_COUNT: Final = 30
"""Up to so many times an amount is taken: people, homes, years."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure that may be reckoned with. `source`: of which piece of evidence, 0 for the question or the sentence;
    `near`: how many of the sentence's words stand around it; `own`: the words there; `stolen`: what the sentence
    says and the source says of a rival of this figure; `dated`: the day, month or year that it is of;
    `fuller`: figures of rows that say all that this one says of the sentence, and more; `then`: to which it goes in
    its source (`de 12 % à 20 %`); `named`: whether the sentence says it, or what it is; `place`: its sentence;
    `gaps`: figures of its family that its source calls a gap, and that the sentence speaks of."""

    value: Value
    source: int = 0
    near: int = 0
    own: frozenset[str] = frozenset()
    stolen: frozenset[str] = frozenset()
    dated: str = ""
    fuller: tuple[Value, ...] = ()
    then: Value | None = None
    named: bool = True
    place: int = -1
    gaps: tuple[Value, ...] = ()

    @property
    def number(self) -> Decimal:
        return self.value.value if isinstance(self.value.value, Decimal) else Decimal(0)


@dataclass(frozen=True, slots=True)
class Derived:
    """A figure worked out again. `formula` in French, `result` before rounding, `operands` as read."""

    operation: Operation
    formula: str
    result: Decimal
    operands: tuple[Operand, ...]


@cache
def cues() -> Mapping[str, re.Pattern[str]]:
    held = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: re.compile(pattern) for name, pattern in held.items()}


def derived(
    claim: str,
    value: Value,
    pool: Sequence[Operand],
    declared: Claim | None = None,
    *,
    beside: str = "",
    stated: bool = False,
) -> Derived | None:
    """How the figure follows from the pool, or None. `claim`: the sentence without markers, `beside`: the clause of the
    figure; `stated`: the source states it too, of something else."""
    if not isinstance(value.value, Decimal):
        return None
    plain = flat(in_digits(claim))
    if declared is not None and declared.operation and declared.operands:
        named = [operand for operand in pool if _declared(operand, declared)]
        found = next(filter(None, (_fits(entry, value) for entry in _results(value, named, plain))), None)
        return found if found and found.operation == declared.operation else None
    needed = "apart" if stated else "surely" if _short(value) else ""
    if needed and not cues()[needed].search(flat(beside)):
        return None
    said = {name for name, cue in cues().items() if cue.search(plain)}
    return next(
        filter(
            None, (_fits(e, value) for e in _results(value, pool, plain) if e.operation in said or _scaled(e, value))
        ),
        None,
    )


def _short(value: Value) -> bool:
    """Whether the figure has so few digits that some operation on some figures gives it by chance."""
    return isinstance(value.value, Decimal) and len(f"{abs(value.value):f}".replace(".", "")) <= _FEW_DIGITS


def _declared(operand: Operand, declared: Claim) -> bool:
    named = [value for text in declared.operands for value in figures(text)]
    return any(supports(operand.value, value) or supports(value, operand.value) for value in named)


def _scaled(entry: Derived, value: Value) -> bool:
    """A month's or a year's worth says so in its unit: `soit 720 € par mois`."""
    return entry.operation in ("per_month", "per_year") and bool(value.period)


def _results(value: Value, pool: Sequence[Operand], plain: str) -> Iterator[Derived]:
    unit = value.unit
    amounts = [o for o in pool if (o.value.kind, o.value.unit) == (value.kind, unit)]
    if unit in ("€", "€/m²", "m²", "an", "mois", "jour", "nuit", "%", "point", "kWh", "semaine", ""):
        alike = [o for o in pool if o.value.unit == "%"] if unit in ("%", "point") else amounts
        yield from _differences(alike, unit) if unit != "%" or _MORE_PERCENT.search(plain) else ()
        yield from _sums(alike, unit) if unit != "point" else ()
    if unit == "€" and _PER_AREA.search(plain):
        yield from _differences([o for o in pool if o.value.unit == "€/m²"], unit)
    if unit == "%":
        yield from _changes(pool, plain)
        yield from _complements(alike) if cues()["rest"].search(plain) else ()
    if unit == "€":
        yield from _products(pool, plain)
        yield from _periods(amounts, value, plain)
    if unit in ("€/m²", "€"):
        yield from _quotients(pool, value)
    if unit == "" and re.search(rf"(?<!\w){value.value:f} fois(?!\w)", plain):
        yield from _multiples(pool)


_MORE_PERCENT: Final = re.compile(r"% (?:de plus|en plus|de moins|en moins|supplementaires?)(?!\w)")
"""Between two rates lie points, but for what is added to the one."""
_PER_AREA: Final = re.compile(r"(?<!\w)(?:metres? carres?|m2)(?!\w)")
_YEARLY: Final = re.compile(r"(?<!\w)(?:annuel\w*|par an|l'annee)(?!\w)")


def _pairs(operands: Sequence[Operand]) -> Iterator[tuple[Operand, Operand]]:
    """Each with each, the larger first; at least one of them near the sentence's words, where there is a choice."""
    alone = len(operands) == 2
    for index, one in enumerate(operands):
        for other in operands[index + 1 :]:
            if one.number != other.number and (one.near or other.near or alone):
                yield (one, other) if one.number > other.number else (other, one)


def _differences(operands: Sequence[Operand], unit: str) -> Iterator[Derived]:
    for high, low in _pairs(operands):
        formula = f"{shown(high.value)} − {shown(low.value)}"
        yield Derived("difference", formula, high.number - low.number, (high, low))


def _sums(operands: Sequence[Operand], unit: str) -> Iterator[Derived]:
    for high, low in _pairs(operands):
        yield Derived("sum", f"{shown(high.value)} + {shown(low.value)}", high.number + low.number, (high, low))


def _changes(pool: Sequence[Operand], plain: str) -> Iterator[Derived]:
    for high, low in _pairs([o for o in pool if o.value.unit in ("€", "€/m²", "m²")]):
        if family(high.value) != family(low.value) or low.number <= 0:
            continue
        gap = f"({shown(high.value)} − {shown(low.value)})"
        for base in (low, high):
            share = (high.number - low.number) / base.number * _HUNDRED
            yield Derived("change", f"{gap} / {shown(base.value)}", share, (high, low))
    amounts = [o for o in pool if o.value.unit == "€"]
    for one in amounts:
        for other in amounts:
            if one is other or other.number <= 0:
                continue
            if _YEARLY.search(plain) and other.value.period == "mois":
                share = one.number / (other.number * _TWELVE) * _HUNDRED
                yield Derived("ratio", f"{shown(one.value)} / ({shown(other.value)} × 12)", share, (one, other))
            elif one.number < other.number:
                share = one.number / other.number * _HUNDRED
                yield Derived("ratio", f"{shown(one.value)} / {shown(other.value)}", share, (one, other))


def _complements(shares: Sequence[Operand]) -> Iterator[Derived]:
    """`il reste 70 %` of what 30 % was taken from."""
    for share in (o for o in shares if o.near and 0 < o.number < _HUNDRED):
        yield Derived("difference", f"100\u00a0% − {shown(share.value)}", _HUNDRED - share.number, (share,))


def _multiples(pool: Sequence[Operand]) -> Iterator[Derived]:
    """`deux fois plus longtemps`."""
    for high, low in _pairs([o for o in pool if o.value.unit]):
        if family(high.value) == family(low.value) and low.number > 0:
            formula = f"{shown(high.value)} / {shown(low.value)}"
            yield Derived("ratio", formula, high.number / low.number, (high, low))


def _products(pool: Sequence[Operand], plain: str) -> Iterator[Derived]:
    amounts = [o for o in pool if o.value.unit == "€" and o.number > 0]
    rates = [o for o in pool if o.value.unit == "%" and o.number < _HUNDRED]
    for amount in amounts:
        for rate in rates:
            if not (rate.near or amount.near):
                continue
            part = amount.number * rate.number / _HUNDRED
            formula = f"{shown(amount.value)} × {shown(rate.value)}"
            yield Derived("product", formula, part, (amount, rate))
            if cues()["less"].search(plain):
                formula = f"{shown(amount.value)} × (1 − {shown(rate.value)})"
                yield Derived("product", formula, amount.number - part, (amount, rate))
            if cues()["more"].search(plain):
                formula = f"{shown(amount.value)} × (1 + {shown(rate.value)})"
                yield Derived("product", formula, amount.number + part, (amount, rate))
        for gap in _differences(rates, "%"):
            part = amount.number * gap.result / _HUNDRED
            if cues()["difference"].search(plain):
                yield Derived("product", f"{shown(amount.value)} × ({gap.formula})", part, (amount, *gap.operands))
        for count in (o for o in pool if o.value.unit in ("", "an", "mois") and 1 < o.number <= _MOST_COUNT):
            if count.number == count.number.to_integral_value() and count.source == 0:
                formula = f"{shown(amount.value)} × {count.number:f}"
                yield Derived("product", formula, amount.number * count.number, (amount, count))
        for years in (o for o in pool if o.value.unit == "an" and cues()["sum"].search(plain)):
            formula = f"{shown(amount.value)} × 12 × {years.number:f}"
            yield Derived("product", formula, amount.number * _TWELVE * years.number, (amount, years))
    for price in (o for o in pool if o.value.unit == "€/m²"):
        for area in (o for o in pool if o.value.unit == "m²"):
            formula = f"{shown(price.value)} × {shown(area.value)}"
            yield Derived("product", formula, price.number * area.number, (price, area))


def _periods(amounts: Sequence[Operand], value: Value, plain: str) -> Iterator[Derived]:
    for amount in amounts:
        if amount.value.period != "an" and value.period != "mois":
            yield Derived("per_year", f"{shown(amount.value)} × 12", amount.number * _TWELVE, (amount,))
        if amount.value.period != "mois" and value.period != "an":
            yield Derived("per_month", f"{shown(amount.value)} / 12", amount.number / _TWELVE, (amount,))


def _quotients(pool: Sequence[Operand], value: Value) -> Iterator[Derived]:
    parts = (value.period,) if value.period else ("an", "mois", "")
    below = ("m²",) if value.unit == "€/m²" else parts
    for amount in (o for o in pool if o.value.unit == "€"):
        for part in (o for o in pool if o.value.unit in below and o.number > 1):
            if part.value.unit == "" and (part.source or part.number > _MOST_COUNT):
                continue
            formula = f"{shown(amount.value)} / {shown(part.value)}"
            yield Derived("ratio", formula, amount.number / part.number, (amount, part))


def _fits(entry: Derived, value: Value) -> Derived | None:
    try:
        return entry if equal(entry.result, value) and _sound(entry) else None
    except (InvalidOperation, DivisionByZero):
        return None


def _sound(entry: Derived) -> bool:
    """Whether each operand is the one that the sentence speaks of: what it says of a rival, another operand says."""
    used = [operand.value for operand in entry.operands]
    if any(not any(supports(value, other) for other in used) for o in entry.operands for value in o.fuller):
        return False
    return all(
        operand.stolen <= frozenset().union(*(other.own for other in entry.operands if other is not operand))
        for operand in entry.operands
    )


def equal(result: Decimal, value: Value) -> bool:
    """To the precision shown; one that says « environ » may be rounded further, or cut off instead of rounded."""
    said = abs(value.value) if isinstance(value.value, Decimal) else Decimal(-1)
    exponent = min(0, int(said.as_tuple().exponent))
    step = Decimal(1).scaleb(exponent)
    if result.quantize(step, ROUND_HALF_UP) == said:
        return value.approximate or abs(result - said) <= abs(result) * _ROUNDED
    if not value.approximate or result <= 0:
        return False
    coarse = Decimal(1).scaleb(int(said.normalize().as_tuple().exponent))
    near = abs(result - said) <= result * Decimal("0.05")
    rounded = (result / coarse).quantize(Decimal(1), ROUND_HALF_UP) * coarse == said
    return near and (rounded or abs(result - said) < step)


def shown(value: Value) -> str:
    """`3333`, `€/m²` -> `3 333 €/m²`."""
    number = f"{value.value:,f}" if isinstance(value.value, Decimal) else value.value
    whole, _, rest = number.partition(".")
    written = whole.replace(",", "\u202f") + (f",{rest}" if rest else "")
    return f"{written}\u00a0{value.unit}".strip()
