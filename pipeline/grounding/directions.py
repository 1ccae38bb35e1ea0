"""Whether a difference goes the way that the sentence says: up or down in time, above or below another."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline.grounding.brackets import number
from pipeline.grounding.clauses import Sentence, content, family
from pipeline.grounding.derivation import Derived, Operand
from pipeline.grounding.lexicon import flat, marks
from pipeline.grounding.rows import Row, rows
from pipeline.grounding.sources import Source
from pipeline.text.figures import supports

_THAN: Final = re.compile(r"(?<!\w)(?:de|en)? ?(plus|moins) (?:[\w-]+ ){0,2}(?:que? |qu')(.*)")
"""« deux ans de plus que la tranche 2 »: what is named after « que » has less."""
_BETWEEN: Final = re.compile(r"(?<!\w)(?:entre|pass(?:er?|age) d\w+)(?!\w)")


def turned(claim: Sentence, worked: Derived) -> bool | None:
    """Whether a worked-out difference or change goes the way that the claim says; None where it says no way, or only
    how much more one is than the other. A difference of other years than the claim's goes no way."""
    said = marks(claim.raw)
    if worked.operation not in ("difference", "change") or len(worked.operands) != 2:
        return None
    years = {str(value.value)[:4] for value in claim.values if isinstance(value.value, str)}
    if len(years) > 1 and any(operand.dated and operand.dated[:4] not in years for operand in worked.operands):
        return False
    rises, falls = "up" in said or "above" in said, "down" in said or "below" in said
    if rises == falls:
        return _compared(claim, worked)
    high, low = worked.operands
    later = _later(claim, high, low, moving=bool({"up", "down"} & set(said)))
    if later is None:
        return None if "more" in said else False
    return (later is high) == rises


def _compared(claim: Sentence, worked: Derived) -> bool | None:
    """Whether what is named after « de plus que » has less; None where nothing is, or neither is."""
    found = _THAN.search(flat(claim.raw))
    base = frozenset(content(found.group(2))) if found else frozenset()
    high, low = worked.operands
    named = [bool(base & (one.own - other.own)) for one, other in ((high, low), (low, high))]
    if found is None or named[0] == named[1]:
        return None
    return named[1] == (found.group(1) == "plus")


def moved(claim: Sentence, sources: Sequence[Source]) -> bool | None:
    """Whether the figures of the two dates that a claim names went up or down as it says; None where it names no such
    dates, or the sources state no figures of them."""
    said = marks(claim.raw)
    days = sorted(str(value.value) for value in claim.values if isinstance(value.value, str))
    if ("up" in said) == ("down" in said) or not days:
        return None
    best: tuple[int, bool] | None = None
    for source in sources:
        dated = [(row, _day(row)) for row in rows(source.title, source.sentences) if family(row.value)[0] != "date"]
        for first, earlier in dated:
            for second, later in dated:
                if family(first.value) != family(second.value) or not earlier < later:
                    continue
                if not earlier.startswith(days[0]) or (len(days) > 1 and not later.startswith(days[-1])):
                    continue
                shared = sum(first.says(word) > 0 and second.says(word) > 0 for word in claim.words)
                rose = number(second.value) > number(first.value)
                if best is None or shared > best[0]:
                    best = (shared, rose == ("up" in said))
    return best[1] if best else None


def _day(row: Row) -> str:
    return max((str(v.value) for v in row.values if isinstance(v.value, str)), default="")


def _later(claim: Sentence, high: Operand, low: Operand, *, moving: bool) -> Operand | None:
    """The operand of the later day; else the second of `de 15 à 16 €`, there or in the source; else, of two things that
    the claim names, the second where it says « entre », the first where it compares."""
    if high.dated[:7] != low.dated[:7] and high.dated and low.dated:
        return high if high.dated > low.dated else low
    for one, other in ((high, low), (low, high)):
        if one.then is not None and supports(one.then, other.value):
            return other
    stated = [o for v in claim.values for o in (high, low) if supports(o.value, v)]
    if len(stated) == 2 and stated[0] is not stated[1]:
        return stated[1]
    first, second = _place(claim, high, low), _place(claim, low, high)
    if first is None and second is None:
        return None
    if (first is None or second is None) and moving:
        return None  # what rose by the gap to another thing did not rise
    if first is None or second is None:
        return high if second is None else low
    return high if (first < second) != bool(_BETWEEN.search(flat(claim.raw))) else low


def _place(claim: Sentence, operand: Operand, other: Operand) -> int | None:
    """Where the claim first says a word of the operand's own."""
    own = operand.own - other.own
    return next((index for index, word in enumerate(claim.words) if word in own), None)
