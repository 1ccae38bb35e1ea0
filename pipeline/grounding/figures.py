"""Each figure of a sentence: stated by its source of the same thing, the asker's own, or worked out again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.grounding.alignment import cover
from pipeline.grounding.binding import Bound, around, beside, bindings, carried, rivals_of, robbed
from pipeline.grounding.clauses import Clause, Sentence, family, known
from pipeline.grounding.derivation import Derived, Operand, cues, derived
from pipeline.grounding.directions import turned
from pipeline.grounding.lexicon import flat, keys
from pipeline.grounding.sources import Source
from pipeline.grounding.tranches import in_bracket
from pipeline.text.figures import Value, figures, supports
from pipeline.types import Claim

NEAREST: int = 3
"""Sentences of each source, those with most of the claim's words, whose figures may be reckoned with."""
_VAGUE = 0.2
"""Share of a claim's words that must stand around its figure in the source."""


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
    waiting: list[tuple[Clause, Value]] = []
    for clause, value in [(part, value) for part in claim.clauses for value in part.values]:
        if value.kind == "impossible":
            found.objection = f"date impossible : {_written(claim, value)}"
            return found
        places = list(bindings(claim, clause, value, sources))
        best = max(places, key=lambda place: (place.sound, place.share), default=None)
        if best is not None and best.sound and (best.share >= _VAGUE or family(value)[0] == "date"):
            found.bound.append(best)
        elif best is not None and not _reckoned(claim):
            found.objection = _misbound(claim, value, best)
            return found
        else:
            waiting.append((clause, value))
    if waiting:
        _explained(found, waiting, claim, sources, asked, declared)
    return found


def _explained(
    found: Checked,
    waiting: Sequence[tuple[Clause, Value]],
    claim: Sentence,
    sources: Sequence[Source],
    asked: Sentence,
    declared: Claim | None,
) -> None:
    """Figures that no source states: derived, the asker's own, or the example of a derived one."""
    given = [
        value for _, value in waiting if any(supports(v, value) for v in asked.values) and not _ruled(claim, value)
    ]
    pool = _pool(claim, sources, asked, found)
    left = [value for _, value in waiting if value not in given]
    for value in left:
        others = [*pool, *(Operand(v, 0, 1) for v in left if v is not value and _supposable(claim, v))]
        others += [Operand(v, 0, 1) for v in given]
        stated = any(supports(v, value) for source in sources for s in source.sentences for v in s.values)
        worked = derived(claim.raw, value, others, declared, beside=_beside(claim, value), stated=stated)
        if worked is not None and turned(claim, worked) is not False:
            found.derived.append((value, worked))
    used = [operand.value for _, worked in found.derived for operand in worked.operands]
    worked_out = [value for value, _ in found.derived]
    for value in left:
        if value not in worked_out and not any(value is other for other in used):
            found.objection = f"chiffre absent des sources citées : {_written(claim, value)}"
            return
    found.own = given
    for value in given:
        if not _in_brackets(value, found, claim, sources):
            found.objection = f"chiffre d'une autre tranche de la source : {_written(claim, value)}"
            return


def _in_brackets(given: Value, found: Checked, claim: Sentence, sources: Sequence[Source]) -> bool:
    """Whether the asker's figure lies in the brackets of the figures that the claim gives him."""
    told = {source.id: source for source in sources}
    if found.bound:
        return all(in_bracket(given, told[b.source].sentences[b.sentence], b.value) for b in found.bound)
    every = [sentence for source in sources for sentence in source.sentences]
    nearest = max(every, key=lambda sentence: cover(claim.words, sentence.known), default=None)
    return nearest is None or in_bracket(given, nearest, None)


def _beside(claim: Sentence, value: Value) -> str:
    """The half of the sentence that holds the figure."""
    group = next((clause.group for clause in claim.clauses if any(v is value for v in clause.values)), 0)
    return " ".join(clause.text for clause in claim.clauses if clause.group == group)


def _pool(claim: Sentence, sources: Sequence[Source], asked: Sentence, found: Checked) -> list[Operand]:
    """What may be reckoned with: figures of the sentence that stand, of the question, and of the nearest sentences."""
    pool = [Operand(bound.value, bound.source, 2) for bound in found.bound]
    pool += [Operand(value, 0, 1) for value in (*asked.values, *_counts(claim))]
    for source in sources:
        ranked = sorted(range(len(source.sentences)), key=lambda i: -cover(claim.words, source.sentences[i].known))
        for index in ranked[:NEAREST]:
            for clause in source.sentences[index].clauses:
                pool += [_operand(claim, asked, source, index, clause, value) for value in clause.values]
    return _distinct(_soundest(pool))


def _operand(claim: Sentence, asked: Sentence, source: Source, index: int, clause: Clause, value: Value) -> Operand:
    mine, theirs = beside(source, index, clause, value)
    here, _ = around(source.sentences[index], clause, value)
    rivals = rivals_of(source, index, clause, value)
    own = frozenset(word for word in (*claim.words, *asked.words) if mine.intersection(keys(word)))
    titled = known(source.title)
    near = sum(not titled.intersection(keys(word)) for word in own)
    near += sum(supports(v, w) or clause.spans(v, w) for v in clause.values for w in claim.values if v is not value)
    days = [v.value for part in here for v in part.values if isinstance(v.value, str)]
    told = [v for v in claim.values if family(v) not in (family(value), ("date", ""))]
    kept = frozenset(str(v.value) for v in told if carried(v, here))
    taken = frozenset(str(v.value) for v in told if not carried(v, here) and carried(v, rivals))
    return Operand(
        value=value, source=source.id, near=near, own=own | kept,
        stolen=frozenset(robbed(claim.words, mine, theirs)) | taken,
        dated=max(days, default=source.as_of.isoformat() if source.as_of else ""),
    )  # fmt: skip


def _counts(claim: Sentence) -> list[Value]:
    """`à deux`, `les trois parts`: numbers that are no figures, but may multiply one."""
    return [value for value in figures(claim.raw, generous=True) if value.kind == "number" and value.unit == ""]


def _soundest(pool: Sequence[Operand]) -> list[Operand]:
    """Of each source and family, the operands nearest to the claim's words; at most four."""
    kept: list[Operand] = []
    for key in dict.fromkeys((o.source, family(o.value)) for o in pool):
        alike = sorted((o for o in pool if (o.source, family(o.value)) == key), key=lambda o: -o.near)
        kept += alike[:4]
    return kept


def _distinct(pool: Sequence[Operand]) -> list[Operand]:
    found: dict[tuple[object, str, str], Operand] = {}
    for operand in pool:
        key = (operand.value.value, operand.value.unit, operand.value.kind)
        if key not in found or found[key].near < operand.near:
            found[key] = operand
    return list(found.values())


def _reckoned(claim: Sentence) -> bool:
    """Whether the sentence says that it reckons: a figure that stands elsewhere may then be a result too."""
    plain = flat(claim.raw)
    return any(cues()[name].search(plain) for name in ("difference", "change", "per_year", "per_month", "sum"))


def _supposable(claim: Sentence, value: Value) -> bool:
    """Whether the sentence takes this amount or area as its example: `pour un prix de 300 000 €`."""
    if value.unit not in ("€", "m²"):
        return False
    before = flat(claim.text[max(0, value.start - 40) : value.start])
    return bool(cues()["supposed"].search(before)) and not _ruled(claim, value)


def _ruled(claim: Sentence, value: Value) -> bool:
    """Whether the sentence says the figure of a rule, not of a case."""
    before = flat(claim.text[max(0, value.start - 28) : value.start])
    mine = flat(claim.text)
    return bool(cues()["ruled"].search(before)) and not any(word in mine for word in ("vous ", "votre", "vos "))


def _misbound(claim: Sentence, value: Value, best: Bound) -> str:
    figure = _written(claim, value)
    if best.stolen or best.clashes:
        return f"chiffre d'un autre sujet dans la source : {figure}"
    return f"chiffre absent des sources citées à ce sujet : {figure}"


def _written(claim: Sentence, value: Value) -> str:
    return claim.text[value.start : value.end].strip()
