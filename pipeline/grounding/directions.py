"""Whether a difference goes the way that the sentence says: up or down in time, above or below another."""

from pipeline.grounding.clauses import Sentence
from pipeline.grounding.derivation import Derived, Operand
from pipeline.grounding.lexicon import flat, keys, marks
from pipeline.text.figures import supports


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
        return None
    high, low = worked.operands
    later = _later(claim, high, low)
    if later is None:
        return None if "more" in said else False
    return (later is high) == rises


def _later(claim: Sentence, high: Operand, low: Operand) -> Operand | None:
    """The operand of the later day; else the second of `de 15 à 16 €`; else the one that the claim speaks of first."""
    if high.dated[:7] != low.dated[:7] and high.dated and low.dated:
        return high if high.dated > low.dated else low
    stated = [o for v in claim.values for o in (high, low) if supports(o.value, v)]
    if len(stated) == 2 and stated[0] is not stated[1]:
        return stated[1]
    first, second = _place(claim, high, low), _place(claim, low, high)
    if first is None and second is None:
        return None
    if first is None or second is None:
        return high if second is None else low
    return high if first < second else low


def _place(claim: Sentence, operand: Operand, other: Operand) -> int | None:
    """Where the claim first says a word of the operand's own."""
    own = operand.own - other.own
    plain = flat(claim.raw)
    places = [plain.find(key[:6]) for word in own for key in keys(word)[:1]]
    return min((place for place in places if place >= 0), default=None)
