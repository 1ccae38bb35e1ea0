"""Of which row of its sources a claim speaks: the figure that it states must be that row's."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pipeline.grounding.brackets import Bracket, bounded, brackets
from pipeline.grounding.clauses import OUTSIDE, Clause, Sentence, content, family, numbered, things
from pipeline.grounding.lexicon import clashing, keys, marks
from pipeline.grounding.moments import against, backwards, left, moment_of
from pipeline.grounding.rows import ATTACHED, NEAR, OWN, Row, around, kindred
from pipeline.grounding.sources import Source
from pipeline.grounding.ties import crowded, displaced, headless, lent, lent_day, loosened, redated
from pipeline.text.figures import Value, supports

_FIGURE: Final = 2.0
"""What a figure or a bracket that both say counts for, beside a word."""
_SYNONYM: Final = 0.9
_ALONE: Final = 9.0
"""A margin where there is nothing to be mistaken for."""
LEAST_MARGIN: Final = -0.99
"""By which another row may fit better: a word or two that a paraphrase shares with it."""
LEAST_DATE_MARGIN: Final = -2.0
"""Of a date: many things may have happened on it."""
LEAST_SWAP: Final = -0.4
_CLEAR: Final = 0.2
_MOST: Final = 0.75
"""From this margin, and this share of what is said of the figure, its row is found without its own name."""
_OPENING: Final = re.compile(r"\s*(?:avec|sans|hors|après)\s", re.IGNORECASE)
"""« Avec l'abattement, la taxe est de … »: what opens the sentence is said of its figures."""
_TABLED: Final = " | "
"""Between the cells of a row of a table, which says in a word or two of what its figure is."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What a claim says of one of its figures: `words` with their weights, figures of other families, whether
    each has a word of its own before it, and their bounds."""

    value: Value
    clause: Clause
    text: str
    words: tuple[tuple[str, float], ...]
    values: tuple[Value, ...]
    named: tuple[bool, ...]
    bounds: tuple[Bracket, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """Where a claim's figure stands. `margin`: by how much its row fits the claim better than any row of a figure that
    the claim does not state; `swap`: better than if it changed places with another figure of the claim; `share`: of
    what the claim says, what that row says; `fits`: 1 where the brackets agree, -1 where they do not; `clashes`:
    classes of which the claim says another value."""

    value: Value
    row: Row
    source: Source
    margin: float
    swap: float
    share: float
    fits: float
    clashes: tuple[str, ...]
    said: Said
    taken: float
    untimely: bool
    past: bool
    hedge: bool
    turned: bool

    @property
    def strange(self) -> bool:
        """Whether the row says nothing of what is said of the figure, and rivals do."""
        return self.taken > 0 and not any(self.row.says(word) > NEAR for word, _ in self.said.words)

    @property
    def sound(self) -> bool:
        least = LEAST_DATE_MARGIN if family(self.value)[0] == "date" else LEAST_MARGIN
        return (
            self.margin >= least and self.swap >= LEAST_SWAP and self.fits >= 0 and not self.clashes and not self.turned
        )


Candidate = tuple[Source, Row, bool]
"""A row, and whether it states some figure of the claim."""


def bindings(claim: Sentence, sources: Sequence[Source], asked: frozenset[str] = frozenset()) -> list[Bound]:
    """Each figure of the claim that some row states, beside the best such row. `asked`: keys of the question."""
    stated = [_said(claim, clause, value) for clause in claim.clauses for value in clause.values]
    families: dict[tuple[str, str], list[Candidate]] = {}
    found = []
    for said in stated:
        bound = _bound(said, _candidates(said.value, stated, sources, families), claim, asked)
        if bound is None and (full := _elliptic(said, claim)) is not None:
            bound = _bound(full, _candidates(full.value, stated, sources, families), claim, asked)
            bound = replace(bound, value=said.value) if bound else None
        found += [bound] if bound else []
    return [_settled(bound, found) for bound in found]


def _candidates(
    value: Value, stated: Sequence[Said], sources: Sequence[Source], families: dict[tuple[str, str], list[Candidate]]
) -> list[Candidate]:
    """The rows of the figure's family, read once a claim. `families`: those read before."""
    name = family(value)
    if name not in families:
        alike = [other.value for other in stated if family(other.value) == name or other.value.kind == "number"]
        families[name] = [
            (source, row, any(row.carries(other) for other in alike))
            for source in sources
            for row in kindred(source.title, source.sentences).get(name, ())
        ]
    return families[name]


def _said(claim: Sentence, clause: Clause, value: Value) -> Said:
    own, _ = around(claim, clause, value)
    words: dict[str, float] = {}
    for part in own:
        for word in part.words:
            words[word] = max(words.get(word, 0.0), OWN if part is clause else ATTACHED)
    values = tuple(v for part in own for v in part.values if family(v) != family(value))
    text = " ".join(part.text for part in own)
    named = tuple(_named(claim, v) for v in values)
    return Said(value, clause, text, tuple(words.items()), values, named, brackets(claim, values))


def _elliptic(said: Said, claim: Sentence) -> Said | None:
    """`six mois en vide, trois en meublé`: the unit said once, before, holds for the number."""
    value = said.value
    before = [v for v in claim.values if v.end <= value.start and v.unit]
    if value.kind != "number" or value.unit or not before:
        return None
    return replace(said, value=replace(value, kind=before[-1].kind, unit=before[-1].unit))


def _named(claim: Sentence, value: Value) -> bool:
    """`une réduction de 35 %` says of what the figure is, `pour 9 ans` does not."""
    before = max((v.end for v in claim.values if v.end <= value.start), default=0)
    return bool(content(re.split(r"[,;:]", claim.text[before : value.start])[-1]))


def _bound(said: Said, kin: Sequence[Candidate], claim: Sentence, asked: frozenset[str]) -> Bound | None:
    bound = bool(moment_of(claim, said.value).side)  # « au plus 9 mois » is no « de 1 à 10 mois »
    stating = [supports(row.value, said.value) if bound else row.carries(said.value) for _, row, _ in kin]
    if not any(stating):
        return None
    scored = [(likeness(said, row), source, row) for source, row, _ in kin]
    mine = [entry for entry, states in zip(scored, stating, strict=True) if states]
    told = [_against(said, row, source, claim) for _, source, row in mine]
    best = max(range(len(mine)), key=lambda index: (not told[index], mine[index][0]))
    score, source, row = mine[best]
    rivals = [entry for entry, (_, _, carried) in zip(scored, kin, strict=True) if not carried]
    margin = score - max(entry[0] for entry in rivals) if rivals else _ALONE
    others = [entry[2] for entry in rivals]
    whole = sum(weight for _, weight in said.words) + _FIGURE * len(said.values)
    bounds = () if family(said.value)[0] == "date" else said.bounds
    fit = [found for bracket in bounds if (found := bounded(bracket, row.bounds))]
    share = score / whole if whole else 1.0
    taken = _taken(said, row, others)
    clear = _CLEAR <= margin < _ALONE and share >= _MOST and not taken
    return Bound(
        said.value,
        row,
        source,
        margin,
        _ALONE,
        share,
        min(fit, default=0.0),
        told[best]
        if _TABLED in claim.raw
        else (*told[best], *_loose(claim, said, row, source, others, asked, kin, clear=clear)),
        said,
        taken,
        _untimely(said, row, claim),
        _past(claim, row),
        _unreserved(claim, row),
        backwards(claim, said.value, row.sentence),
    )


def _loose(
    claim: Sentence,
    said: Said,
    row: Row,
    source: Source,
    rivals: Sequence[Row],
    asked: frozenset[str],
    kin: Sequence[Candidate],
    *,
    clear: bool,
) -> tuple[str, ...]:
    """What ties the figure to another row than its own, where there is another. `clear`: no other fits as well."""
    others = [rival for rival in rivals if not supports(rival.value, row.value)]
    days = [other for _, other, _ in kin if not supports(other.value, said.value)]
    words = [word for word, weight in said.words if weight == OWN]
    opening = [w for c in claim.clauses[:1] if _OPENING.match(c.text) and not c.values for w in c.words]
    if family(said.value)[0] == "date":  # what happened on a day is told by many verbs
        words = things(said.text, words)
    found = {
        "lent": bool(lent([*words, *opening], row, others)) or lent_day(claim, said.value, row, days),
        "head": not clear
        and bool(others or (words and said.value.value != 1))
        and not _beside(said, row, others)
        and headless(row, claim.known | asked),
        "displaced": displaced(said.text, words, row, source),
        "crowded": crowded(claim, words, row),
        "redated": redated(claim, said.clause, said.value, row, [r for _, r, _ in kin]),
    }
    return tuple(name for name, there in found.items() if there)


def _beside(said: Said, row: Row, others: Sequence[Row]) -> bool:
    """Whether another figure of the claim stands beside this one in the source, and beside no rival of it."""
    there = [v for v in said.values if v.kind != "year" and any(supports(value, v) for value in row.values)]
    return any(not any(supports(value, v) for other in others for value in other.values) for v in there)


def likeness(said: Said, row: Row) -> float:
    """How much of what is said of the claim's figure is said of this row's."""
    score = sum([weight * _closeness(word, row) for word, weight in said.words])
    for value, named in zip(said.values, said.named, strict=True):
        if any(supports(v, value) for v in row.values):
            score += _FIGURE
        elif named and any(supports(v, value) for v in row.sentence.values):
            score += _FIGURE / 2
    if family(said.value)[0] == "date":
        return score
    return score + _FIGURE * sum(bounded(bracket, row.bounds) for bracket in said.bounds)


def _closeness(word: str, row: Row) -> float:
    """How closely the row says the word, or nearly as closely another for it."""
    stem, *groups = keys(word)
    own = row.words.get(stem, 0.0) * OWN
    return max([own, *(row.words.get(group, 0.0) * _SYNONYM for group in groups)]) if groups else own


def _settled(bound: Bound, found: Sequence[Bound]) -> Bound:
    """With its margin over a change of places; free of both where it is a bound of another figure's bracket."""
    for other in found:
        if other.fits > 0 and any(value is bound.value for value in other.said.values):
            return replace(bound, margin=max(0.0, bound.margin), clashes=())
    gaps = [
        likeness(bound.said, bound.row) + likeness(other.said, other.row)
        - likeness(bound.said, other.row) - likeness(other.said, bound.row)
        for other in found
        if other is not bound and other.row is not bound.row and family(other.value) == family(bound.value)
    ]  # fmt: skip
    return replace(bound, swap=min(gaps, default=_ALONE))


def _against(said: Said, row: Row, source: Source, claim: Sentence) -> tuple[str, ...]:
    """What the claim says of its figure that its row denies: another value of a class, moment or period."""
    wide = f"{source.title_text} {row.sentence.text}"
    found = clashing(said.text, row.text, wide, source.flat_text)
    if any(row.says(word) <= NEAR for word, _ in said.words if numbered(word)):
        found = (*found, "name")
    if any(_excepted(word, row) for word, _ in said.words):
        found = (*found, "exception")
    if against(moment_of(claim, said.value), moment_of(row.sentence, row.value)):
        found = (*found, "moment")
    if left(claim, said.value, row.sentence, row.value):
        found = (*found, "left")
    return (*found, *loosened(claim, said.value, said.text, row, source))


def _excepted(word: str, row: Row) -> bool:
    """`en zone tendue` of a row that says `hors zone tendue`, or the other way round."""
    other = word.removeprefix(OUTSIDE) if word.startswith(OUTSIDE) else f"{OUTSIDE}{word}"
    return row.says(word) <= NEAR and row.says(other) >= ATTACHED


def _taken(said: Said, row: Row, rivals: Sequence[Row]) -> float:
    """How much of what is said of the figure only rivals of its row say."""
    lost = [(word, weight) for word, weight in said.words if row.says(word) <= NEAR]
    return sum(weight for word, weight in lost if any(rival.says(word) >= ATTACHED for rival in rivals))


def _untimely(said: Said, row: Row, claim: Sentence) -> bool:
    """Until or from a date of which the row says neither."""
    return bool(moment_of(claim, said.value).way) and not moment_of(row.sentence, row.value).way


def _past(claim: Sentence, row: Row) -> bool:
    """A figure that was, given for one that is. A claim with a date does not speak of today."""
    mine, theirs = marks(claim.raw), marks(row.text)
    dated = any(family(value)[0] == "date" for value in claim.values)
    return "past" in theirs and "present" not in theirs and "past" not in mine and not dated


def _unreserved(claim: Sentence, row: Row) -> bool:
    """What the source says with a reserve (« serait », « à vérifier »), and the claim without."""
    return "hedge" in marks(row.text) and "hedge" not in marks(claim.raw)
