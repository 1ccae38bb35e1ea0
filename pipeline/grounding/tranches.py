"""Whether a case that the asker gave lies in the bracket whose figure the claim gives him."""

from decimal import Decimal

from pipeline.grounding.binding import around
from pipeline.grounding.clauses import Clause, Sentence
from pipeline.grounding.moments import moment_of
from pipeline.text.figures import Value, supports


def in_bracket(given: Value, sentence: Sentence, stated: Value | None) -> bool:
    """`given`: the asker's 15 years; `stated`: the figure bound to `moins de 10 ans : 4,07 %`, or None for a claim
    whose only figure is his. True where the source sets no limit in this unit."""
    if stated is not None and (stated.kind, stated.unit) == (given.kind, given.unit):
        return True  # compared with it, not sorted by it
    own, rivals = list(sentence.clauses), list[Clause]()
    if stated is not None:
        clause = next(c for c in sentence.clauses if any(v is stated for v in c.values))
        own, rivals = around(sentence, clause, stated)
    limits = _limits(given, own)
    if not limits:
        return not _limits(given, rivals)
    return any(_within(given, clause, limit, sentence) for clause, limit in limits)


def _limits(given: Value, clauses: list[Clause]) -> list[tuple[Clause, Value]]:
    return [(c, v) for c in clauses for v in c.values if (v.kind, v.unit) == (given.kind, given.unit)]


def _within(given: Value, clause: Clause, limit: Value, sentence: Sentence) -> bool:
    if supports(limit, given) or clause.spans(limit, given):
        return True
    if not isinstance(given.value, Decimal) or not isinstance(limit.value, Decimal):
        return False
    side = moment_of(sentence, limit).side
    return (side == "less" and given.value < limit.value) or (side == "more" and given.value > limit.value)
