"""Each figure of a sentence: stated by its source of the same thing, the asker's own, or worked out again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.grounding.alignment import cover
from pipeline.grounding.binding import Bound, bindings
from pipeline.grounding.brackets import bounded, brackets
from pipeline.grounding.clauses import Sentence, family
from pipeline.grounding.derivation import Derived, Operand, cues, derived
from pipeline.grounding.directions import turned
from pipeline.grounding.lexicon import flat
from pipeline.grounding.operands import ambiguous, forsaken, operands
from pipeline.grounding.sources import Source
from pipeline.text.figures import Value, supports
from pipeline.types import Claim


@dataclass(slots=True)
class Checked:
    """`objection`: why the first figure falls, in French; `bound`, `derived`: where the others come from."""

    objection: str | None = None
    bound: list[Bound] = field(default_factory=list)
    derived: list[tuple[Value, Derived]] = field(default_factory=list)
    own: list[Value] = field(default_factory=list)


def checked(
    claim: Sentence,
    sources: Sequence[Source],
    *,
    asked: Sentence,
    declared: Claim | None = None,
) -> Checked:
    """`asked`: the question; `declared`: what the model said of this sentence."""
    found = Checked()
    waiting: list[Value] = []
    placed = {id(bound.value): bound for bound in bindings(claim, sources, asked.known)}
    for value in [value for part in claim.clauses for value in part.values]:
        if value.kind == "impossible":
            found.objection = f"date impossible : {_written(claim, value)}"
            return found
        best = placed.get(id(value))
        if best is not None and best.sound:
            found.bound.append(best)
        elif best is not None and (family(value)[0] == "date" or not _reckoned(claim)):
            found.objection = _misbound(claim, value)
            return found
        else:
            waiting.append(value)
    if waiting:
        _explained(found, waiting, claim, sources, asked, declared)
    return found


def _explained(
    found: Checked,
    waiting: Sequence[Value],
    claim: Sentence,
    sources: Sequence[Source],
    asked: Sentence,
    declared: Claim | None,
) -> None:
    """Figures that no source states: derived, the asker's own, or the example of a derived one."""
    given = [value for value in waiting if any(supports(v, value) for v in asked.values) and not _ruled(claim, value)]
    pool = operands(claim, sources, asked, found.bound)
    left = [value for value in waiting if value not in given]
    for value in left:
        others = [*pool, *(Operand(v, 0, 1) for v in left if v is not value and _supposable(claim, v))]
        others += [Operand(v, 0, 1) for v in given]
        stated = any(supports(v, value) for source in sources for s in source.sentences for v in s.values)
        worked = derived(claim.raw, value, others, declared, beside=_beside(claim, value), stated=stated)
        if (
            worked is not None
            and turned(claim, worked) is not False
            and not forsaken(claim, worked, asked, [value, *(v for v, _ in found.derived)])
            and not ambiguous(claim, worked, asked, pool)
        ):
            found.derived.append((value, worked))
    used = [operand.value for _, worked in found.derived for operand in worked.operands]
    worked_out = [value for value, _ in found.derived]
    for value in left:
        if value not in worked_out and not any(supports(other, value) for other in used):
            found.objection = f"chiffre absent des sources citées : {_written(claim, value)}"
            return
    found.own = given
    for value in given:
        if not _in_brackets(value, found, claim, sources):
            found.objection = f"chiffre d'une autre tranche de la source : {_written(claim, value)}"
            return


def _in_brackets(given: Value, found: Checked, claim: Sentence, sources: Sequence[Source]) -> bool:
    """Whether the asker's figure lies in the brackets of the figures that the claim gives him; a claim whose only
    figure is his lies in one of the nearest sentence's."""
    (point,) = brackets(claim, [given]) or (None,)
    if point is None:
        return True
    if found.bound:
        return all(
            bounded(point, bound.row.bounds) >= 0 for bound in found.bound if family(bound.value) != family(given)
        )
    every = [
        (sentence, near)
        for source in sources
        for sentence in source.sentences
        if (near := [b for b in brackets(sentence, sentence.values) if b.family == point.family and not b.point])
    ]
    nearest = max(every, key=lambda entry: cover(claim.words, entry[0].known), default=None)
    return nearest is None or bounded(point, nearest[1]) >= 0


def _beside(claim: Sentence, value: Value) -> str:
    """The half of the sentence that holds the figure."""
    group = next((clause.group for clause in claim.clauses if any(v is value for v in clause.values)), 0)
    return " ".join(clause.text for clause in claim.clauses if clause.group == group)


def _reckoned(claim: Sentence) -> bool:
    """Whether the sentence says that it reckons: a figure that stands elsewhere may then be a result too."""
    plain = flat(claim.raw)
    return any(cues()[name].search(plain) for name in ("difference", "change", "per_year", "per_month", "sum"))


def _supposable(claim: Sentence, value: Value) -> bool:
    """Whether the sentence takes this amount, area or time as its example: `pour un prix de 300 000 €`, `sur 3 ans`."""
    before = flat(claim.text[max(0, value.start - 40) : value.start])
    if value.unit in ("an", "mois"):
        return before.endswith("sur ") or flat(claim.text[value.end :]).startswith((" de ", " d'"))
    return value.unit in ("€", "m²") and bool(cues()["supposed"].search(before)) and not _ruled(claim, value)


def _ruled(claim: Sentence, value: Value) -> bool:
    """Whether the sentence says the figure of a rule, not of a case."""
    before = flat(claim.text[max(0, value.start - 28) : value.start])
    mine = flat(claim.text)
    return bool(cues()["ruled"].search(before)) and not any(word in mine for word in ("vous ", "votre", "vos "))


def _misbound(claim: Sentence, value: Value) -> str:
    return f"chiffre d'un autre sujet dans la source : {_written(claim, value)}"


def _written(claim: Sentence, value: Value) -> str:
    return claim.text[value.start : value.end].strip()
