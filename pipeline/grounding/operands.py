"""What may be reckoned with: figures of the sentence that stand, of the question, and of the nearest sentences."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pipeline.grounding.alignment import cover
from pipeline.grounding.binding import Bound
from pipeline.grounding.brackets import brackets
from pipeline.grounding.clauses import Sentence, family, known
from pipeline.grounding.derivation import Derived, Operand
from pipeline.grounding.lexicon import flat, keys, marks
from pipeline.grounding.moments import goes_to
from pipeline.grounding.rows import ATTACHED, NEAR, Row, kindred
from pipeline.grounding.sources import Source
from pipeline.grounding.ties import headless, telling
from pipeline.text.figures import Value, figures, supports

_PAIR: Final = 2
NEAREST: Final = 3
"""Sentences of each source, those with most of the claim's words, whose figures may be reckoned with."""


@dataclass(frozen=True, slots=True)
class Kin:
    """The rows of one source and family beside a claim. By the row's id, `words`: of the claim's words those said of
    its figure; `beside`: of the claim's other figures those beside it. `gaps`: figures that the source calls a gap."""

    rows: tuple[Row, ...]
    words: Mapping[int, frozenset[str]]
    beside: Mapping[int, frozenset[Value]]
    gaps: tuple[Value, ...]


def operands(claim: Sentence, sources: Sequence[Source], asked: Sentence, bound: Sequence[Bound]) -> list[Operand]:
    """What may be reckoned with: figures of the sentence that stand, of the question, and of the nearest sentences."""
    pool = [Operand(found.row.value, found.source.id, 2) for found in bound]
    pool += [Operand(value, 0, 1) for value in (*asked.values, *_counts(claim))]
    for source in sources:
        ranked = sorted(range(len(source.sentences)), key=lambda i: -cover(claim.words, source.sentences[i].known))
        for kin in kindred(source.title, source.sentences).values():
            if near := [row for row in kin if row.place in ranked[:NEAREST]]:
                told = _kin(claim, kin)
                pool += [_operand(claim, asked, source, row, told) for row in near]
    return _distinct(_soundest(pool))


def _kin(claim: Sentence, rows: Sequence[Row]) -> Kin:
    told = [v for v in claim.values if family(v) not in (family(rows[0].value), ("date", ""))]
    return Kin(
        tuple(rows),
        {id(row): frozenset(w for w in claim.words if row.says(w) >= ATTACHED) for row in rows},
        {id(row): frozenset(v for v in told if _beside_row(row, v)) for row in rows},
        tuple(r.value for r in rows if "gap" in marks(r.clause.text) and any(map(r.says, claim.words))),
    )


def _operand(claim: Sentence, asked: Sentence, source: Source, row: Row, kin: Kin) -> Operand:
    rivals = [r for r in kin.rows if not supports(r.value, row.value)]
    own = kin.words[id(row)] | frozenset(word for word in asked.words if row.says(word) >= ATTACHED)
    titled = known(source.title)
    near = sum(not titled.intersection(keys(word)) for word in own)
    kept = frozenset(str(v.value) for v in kin.beside[id(row)])
    near += len(kept)
    others = frozenset().union(*(kin.beside[id(r)] for r in rivals)) - kin.beside[id(row)]
    taken = frozenset(str(v.value) for v in others)
    stolen = frozenset().union(*(kin.words[id(r)] for r in rivals)).intersection(telling(claim.words)) - own
    mine = frozenset(w for w in claim.words if row.says(w) > NEAR)
    fuller = [r.value for r in rivals if r.place != row.place and mine < kin.words[id(r)]]
    days = [v.value for v in row.values if isinstance(v.value, str)]
    return Operand(
        value=_counted(claim, row), source=source.id, near=near, own=own | kept, stolen=stolen | taken,
        fuller=tuple(fuller), then=goes_to(row.sentence, row.value),
        named=_named(claim, asked, row, kin.rows), place=row.place,
        gaps=kin.gaps,
        dated=max(days, default=source.as_of.isoformat() if source.as_of else ""),
    )  # fmt: skip


def _counted(claim: Sentence, row: Row) -> Value:
    """`abaisser de 120 à 90 le nombre de nuits`: what the row counts without a unit, in the claim's unit."""
    unit = next((v.unit for v in claim.values if v.kind == "measure" and v.unit), "")
    if row.value.kind != "number" or not unit or not re.search(rf"(?<!\w){unit}s?(?!\w)", flat(row.sentence.text)):
        return row.value
    return replace(row.value, kind="measure", unit=unit)


def _beside_row(row: Row, value: Value) -> bool:
    return any(supports(v, value) or row.clause.spans(v, value) for v in row.values)


def _counts(claim: Sentence) -> list[Value]:
    """`à deux`, `les trois parts`: numbers that are no figures, but may multiply one."""
    return [value for value in figures(claim.raw, generous=True) if value.kind == "number" and value.unit == ""]


def _soundest(pool: Sequence[Operand]) -> list[Operand]:
    """Of each source and family, the operands nearest to the claim's words; at most six."""
    kept: list[Operand] = []
    for key in dict.fromkeys((o.source, family(o.value)) for o in pool):
        alike = sorted((o for o in pool if (o.source, family(o.value)) == key), key=lambda o: -o.near)
        kept += alike[:6]
    return kept


def _distinct(pool: Sequence[Operand]) -> list[Operand]:
    found: dict[tuple[object, str, str], Operand] = {}
    for operand in pool:
        key = (operand.value.value, operand.value.unit, operand.value.kind)
        if key not in found or found[key].near < operand.near:
            found[key] = operand
    return list(found.values())


def _named(claim: Sentence, asked: Sentence, row: Row, kin: Sequence[Row]) -> bool:
    """Whether sentence or question say this figure, or what it is. A bound of a bracket must be said itself."""
    if any(supports(row.value, value) for value in (*claim.values, *asked.values)):
        return True
    alike = [value for value in row.clause.values if family(value) == family(row.value)]
    if row.values and any(not bracket.point for bracket in brackets(row.sentence, alike)):
        return False
    if not headless(row, claim.known | asked.known):
        return True
    return len(alike) == 1 and any(row.says(word) >= ATTACHED for word in claim.words if _parts(word, kin))


def _parts(word: str, kin: Sequence[Row]) -> bool:
    """Whether the word tells this figure from another of its family."""
    return any(r.says(word) < ATTACHED for r in kin)


def forsaken(claim: Sentence, worked: Derived, asked: Sentence, results: Sequence[Value] = ()) -> bool:
    """Whether it reckons with figures that the sentence does not speak of, or otherwise than it says. `results`:
    figures of the sentence that are worked out, this one and those before."""
    if worked.operation == "difference" and ("whole" in marks(claim.raw) or _told(claim, worked)):
        return True
    given = (*claim.values, *asked.values)
    unsaid = [o for o in worked.operands if o.source and not any(supports(o.value, value) for value in given)]
    unnamed = [operand for operand in unsaid if not operand.named]
    if unnamed and not _together(claim, worked, unnamed):
        return True
    used = [*(operand.value for operand in worked.operands), *results]
    spare = [v for v in claim.values if not any(supports(value, v) for value in used)]
    return any(family(o.value) == family(v) for o in unsaid for v in spare)


def ambiguous(claim: Sentence, worked: Derived, asked: Sentence, pool: Sequence[Operand]) -> bool:
    """Whether the sentence could as well reckon with another figure: one of the same source of which it says more
    than of an operand that it does not state itself."""
    given = (*claim.values, *asked.values)
    used = [operand.value for operand in worked.operands]
    for mine in (o for o in worked.operands if o.source and not any(supports(o.value, v) for v in given)):
        alike = [o for o in pool if o.source == mine.source and family(o.value) == family(mine.value)]
        if any(o.near > mine.near and not any(supports(v, o.value) for v in used) for o in alike):
            return True
    return False


def _told(claim: Sentence, worked: Derived) -> bool:
    """Whether the source itself states such a gap, of another size: « l'écart de 2 mois représente 1 600 € »."""
    return "gap" in marks(claim.raw) and any(operand.gaps for operand in worked.operands)


def _together(claim: Sentence, worked: Derived, unnamed: Sequence[Operand]) -> bool:
    """Whether figures are meant together: of two years of which one is said, or, in one sentence of the source, both
    parts of a sum, or from one to the other."""
    if len(worked.operands) < _PAIR:
        return False
    years = {operand.dated[:4] for operand in worked.operands}
    if len(years) > 1 and len(unnamed) < len(worked.operands) and any(str(v.value)[:4] in years for v in claim.values):
        return True
    if len({(o.source, o.place) for o in worked.operands if o.source}) > 1:
        return False
    if worked.operation == "sum" or any(operand.then is not None for operand in worked.operands):
        return True
    by_rate = worked.operation == "product" and len(worked.operands) == _PAIR
    return not by_rate and len(unnamed) < len(worked.operands)
