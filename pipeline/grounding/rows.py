"""Sources as rows: each figure with the words, figures and bounds that are said of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from pipeline.grounding.brackets import Bracket, beyond, brackets, laddered
from pipeline.grounding.clauses import Clause, Sentence, content, family, known
from pipeline.grounding.lexicon import classes, flat, keys
from pipeline.text.figures import Value, supports

OWN: Final = 1.0
ATTACHED: Final = 0.8
"""How closely a word belongs to a figure: in its clause, in a clause without a rival figure, said once for a list, in
the title, elsewhere in the half-sentence or in the sentence before."""
_LEAD: Final = 0.9
_TITLE: Final = 0.5
NEAR: Final = 0.3
_AGAIN: Final = re.compile(r"(?<!\w)(?:soit|c'est-a-dire|donc|egales? a)(?!\w)|=")


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A figure of a source. `place`: its sentence; `text`: the clauses that speak of it; `words`: key -> how closely
    it belongs to the figure; `values`: figures of other families beside it; `bounds`: what they bound."""

    place: int
    sentence: Sentence
    clause: Clause
    value: Value
    text: str
    words: dict[str, float]
    values: tuple[Value, ...]
    bounds: tuple[Bracket, ...]

    def carries(self, value: Value) -> bool:
        """Whether it states the figure, or a range in which that lies."""
        return supports(self.value, value) or self.clause.spans(self.value, value)

    def says(self, word: str) -> float:
        """How closely the word, or another for it, belongs to the figure."""
        return max([self.words.get(key, 0.0) for key in keys(word)])


def around(sentence: Sentence, clause: Clause, value: Value) -> tuple[list[Clause], list[Clause]]:
    """(clauses that speak of this figure, clauses that speak of a rival: another figure of its family). A clause
    without either goes with its half of the sentence, or with the figure where that half has no rival; never with a
    figure on the other side of a rival, but for what opens or closes the sentence."""
    rivals = [other for other in sentence.clauses if other is not clause and _rivals(other, value)]
    taken = {other.group for other in rivals} - {clause.group}
    places = [index for index, other in enumerate(sentence.clauses) if any(other is rival for rival in rivals)]
    here = next(index for index, other in enumerate(sentence.clauses) if other is clause)
    low = max((place for place in places if place < here), default=-1)
    high = min((place for place in places if place > here), default=len(sentence.clauses))
    ends = (min(places, default=-1), max(places, default=len(sentence.clauses)))
    own = [
        other
        for index, other in enumerate(sentence.clauses)
        if other is clause
        or (
            index not in places
            and other.group not in taken
            and (low < index < high or ((index < ends[0] or index > ends[1]) and not other.values))
        )
    ]
    return own, rivals


def _rivals(clause: Clause, value: Value) -> bool:
    return any(family(v) == family(value) and not supports(v, value) for v in clause.values)


@lru_cache(maxsize=512)
def kindred(title: tuple[str, ...], sentences: tuple[Sentence, ...]) -> Mapping[tuple[str, str], tuple[Row, ...]]:
    """The rows by the family of their figures."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows(title, sentences):
        found.setdefault(family(row.value), []).append(row)
    return {name: tuple(held) for name, held in found.items()}


@lru_cache(maxsize=512)
def rows(title: tuple[str, ...], sentences: tuple[Sentence, ...]) -> tuple[Row, ...]:
    """One a figure. `title`: the words of title and heading, which hold for all."""
    made = [
        _row(title, sentences, index, clause, value)
        for index, sentence in enumerate(sentences)
        for clause in sentence.clauses
        for value in clause.values
    ]
    alike: dict[tuple[str, str], list[Row]] = {}
    for row in made:
        alike.setdefault(family(row.value), []).append(row)
    return tuple(_resolved(row, alike[family(row.value)]) for row in made)


def _row(title: Sequence[str], sentences: Sequence[Sentence], index: int, clause: Clause, value: Value) -> Row:
    sentence = sentences[index]
    own, rivals = around(sentence, clause, value)
    text = " ".join(part.text for part in own)
    words: dict[str, float] = {}
    _add(words, known(clause.words), OWN)
    _add(words, known([word for part in own for word in part.words]), ATTACHED)
    _add(words, _elliptic(sentence, clause, rivals), ATTACHED)
    alone = not content(sentence.text[clause.start : value.start])
    _add(words, _shared_lead(sentence, text, value), _LEAD if alone or not rivals else _TITLE)
    _add(words, _said_again(sentence, clause), _LEAD)
    _add(words, _borrowed(sentence, clause, value), _LEAD)
    _add(words, known(title), _TITLE)
    _add(words, known([w for part in sentence.clauses if part.group == clause.group for w in part.words]), NEAR)
    _add(words, sentences[index - 1].known if index else frozenset(), NEAR)
    values = tuple(v for part in own for v in part.values if family(v) != family(value))
    here = {family(v) for v in clause.values}  # a bound in the figure's own clause is its bound, not one of the next
    bounding = [v for v in values if family(v) not in here or any(v is mine for mine in clause.values)]
    return Row(index, sentence, clause, value, text, words, values, brackets(sentence, bounding))


def _add(words: dict[str, float], found: Iterable[str], weight: float) -> None:
    for key in found:
        if words.get(key, 0.0) < weight:
            words[key] = weight


def _shared_lead(sentence: Sentence, own_text: str, value: Value) -> frozenset[str]:
    """`L'abattement est de 100 € par parent et de 31 € par enfant`: the subject said once holds for both figures, but
    for what the own clause says otherwise (`en nu, 3 ans ; en meublé, 1 an`)."""
    first = sentence.text[: next(v.start for v in sentence.values if family(v) == family(value))]
    words = content(first)
    if not words:
        return frozenset()
    theirs = classes(first)
    mine = classes(own_text) if theirs else {}
    if any(name in mine and not mine[name] & values for name, values in theirs.items()):
        return frozenset()
    telling = [word for word in words if _telling(word)]
    if telling and any(any(c.isdigit() for c in word) for word in content(own_text)):  # the clause names one of several
        return known([word for word in words if word not in telling])
    return known(words)


def _telling(word: str) -> bool:
    """A word that names one of several: a letter of the DPE, a zone, a size, a kind of home."""
    return any(character.isdigit() for character in word) or bool(classes(word))


def _elliptic(sentence: Sentence, held: Clause, rivals: Sequence[Clause]) -> frozenset[str]:
    """`12 % pour 6 ans de location, 18 % pour 9 ans`: what only the first of a list says in full holds for the next."""
    if held.words or not rivals or rivals[0] is not next((c for c in sentence.clauses if c.values), None):
        return frozenset()
    return known(rivals[0].words)


def _borrowed(sentence: Sentence, clause: Clause, value: Value) -> frozenset[str]:
    """`le dépôt est de 800 € en nu et de 1 600 € en meublé`: what stands before the figure of the clause before, where
    this one says nothing before its own."""
    earlier = [
        c for c in sentence.clauses if c.start < clause.start and any(family(v) == family(value) for v in c.values)
    ]
    if not earlier or content(sentence.text[clause.start : value.start]):
        return frozenset()
    last = earlier[-1]
    first = next(v for v in last.values if family(v) == family(value))
    return known([word for word in content(sentence.text[last.start : first.start]) if not _telling(word)])


def _said_again(sentence: Sentence, clause: Clause) -> frozenset[str]:
    """`le loyer passe à 630 € par mois, soit 7 560 € par an`: what stands before « soit » holds for what follows."""
    opening = sentence.text[max(0, clause.start - 8) : clause.start + 6]
    before = [other for other in sentence.clauses if other.start < clause.start]
    return known(before[-1].words) if before and _AGAIN.search(flat(opening)) else frozenset()


def _resolved(row: Row, kin: Sequence[Row]) -> Row:
    """With the bounds that the rows of its family leave open."""
    alike = [bound for other in kin if other is not row for bound in other.bounds]
    found = laddered(row.bounds, alike)
    tops = [b for b in alike if b.high is not None and b.low is None]
    if not found and tops and beyond(row.clause):
        top = max(tops, key=lambda b: b.high or Decimal(0))
        found = (Bracket(top.family, top.high, None),)
    return replace(row, bounds=found)
