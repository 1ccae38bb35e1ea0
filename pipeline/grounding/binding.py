"""Whether a figure says in a claim what it says in its source: same clause, same subject, same place, same year."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.grounding.clauses import Clause, Sentence, content, family, known
from pipeline.grounding.lexicon import classes, flat, keys
from pipeline.grounding.moments import against, moment_of
from pipeline.grounding.sources import Source
from pipeline.text.figures import Value, supports

_PERIODS: Final = {
    "an": re.compile(r"(?<!\w)(?:ans?|annees?|annuel\w*)(?!\w)"),
    "mois": re.compile(r"(?<!\w)(?:mois|mensuel\w*|mensualites?|loyers?)(?!\w)"),
}
"""What a sentence must say somewhere of a figure that a claim gives a month or a year."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Where a claim's figure stands. `stolen`: what the claim says of it and the source says of another figure;
    `clashes`: classes of which the claim says another value; `share`: of the claim's words, those around it there."""

    source: int
    sentence: int
    value: Value
    stolen: tuple[str, ...]
    clashes: tuple[str, ...]
    share: float
    text: str

    @property
    def sound(self) -> bool:
        return not self.stolen and not self.clashes


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


def bindings(claim: Sentence, clause: Clause, value: Value, sources: Sequence[Source]) -> Iterator[Bound]:
    """Every place where the sources state this figure."""
    own_said, _ = around(claim, clause, value)
    said = list(dict.fromkeys(word for part in own_said for word in part.words))
    other_values = [v for part in own_said for v in part.values if family(v) != family(value)]
    text = " ".join(part.text for part in own_said)
    for source in sources:
        for index, sentence in enumerate(source.sentences):
            for held in sentence.clauses:
                for stated in held.values:
                    if supports(stated, value) or held.spans(stated, value):
                        yield _bound(source, index, held, stated, claim, value, said, other_values, text)


def _bound(
    source: Source,
    index: int,
    held: Clause,
    stated: Value,
    claim: Sentence,
    value: Value,
    said: Sequence[str],
    other_values: Sequence[Value],
    text: str,
) -> Bound:
    sentence = source.sentences[index]
    own, rivals = around(sentence, held, stated)
    own_text = " ".join(part.text for part in own)
    mine, theirs = beside(source, index, held, stated)
    others = _rival(source, index, rivals, stated)[1]
    dated = family(value)[0] == "date"
    stolen = [word for word in robbed(said, mine, theirs) if not dated or telling(word)]
    stolen += [str(v.value) for v in other_values if not carried(v, own) and carried(v, others)]
    stolen += _misplaced(claim, value, sentence, stated)
    stolen += _half_taken(claim, value, other_values, sentence, own, rivals)
    clashes = clashing(text, own_text, f"{source.title_text} {sentence.text}")
    if against(moment_of(claim, value), moment_of(sentence, stated)):
        clashes = (*clashes, "moment")
    if (
        value.period
        and not stated.period
        and not _PERIODS[value.period].search(flat(f"{source.title_text} {sentence.text}"))
    ):
        clashes = (*clashes, "period")
    near = mine | (source.sentences[index - 1].known if index else frozenset())
    found = sum(bool(near.intersection(keys(word))) for word in said)
    found += sum(carried(v, own) for v in other_values)
    told = len(said) + len(other_values)
    share = found / told if told else 1.0
    return Bound(source.id, index, stated, tuple(stolen), clashes, share, sentence.text)


def telling(word: str) -> bool:
    """A word that names one of several: a letter of the DPE, a zone, a size, a kind of home."""
    return any(character.isdigit() for character in word) or bool(classes(word))


def robbed(said: Sequence[str], mine: frozenset[str], theirs: frozenset[str]) -> list[str]:
    """What is said of a figure, and stands only beside its rivals. Persons go from sentence to sentence unsaid: who
    does what is looked at elsewhere."""
    return [
        word
        for word in said
        if not mine.intersection(keys(word)) and theirs.intersection(keys(word)) and "person" not in classes(word)
    ]


def beside(source: Source, index: int, held: Clause, stated: Value) -> tuple[frozenset[str], frozenset[str]]:
    """(keys of what the source says of this figure, keys of what it says of its rivals)"""
    sentence = source.sentences[index]
    own, rivals = around(sentence, held, stated)
    own_text = " ".join(part.text for part in own)
    mine = known([word for part in own for word in part.words]) | known(source.title)
    mine |= _shared_lead(sentence, own_text, stated) | _elliptic(sentence, held, rivals)
    return mine, _rival(source, index, rivals, stated)[0]


def rivals_of(source: Source, index: int, held: Clause, stated: Value) -> list[Clause]:
    """The clauses that state a rival of this figure, here or in another sentence."""
    return _rival(source, index, around(source.sentences[index], held, stated)[1], stated)[1]


def carried(value: Value, clauses: Sequence[Clause]) -> bool:
    """Whether one of the clauses states the figure, or a range in which it lies."""
    return any(supports(v, value) or clause.spans(v, value) for clause in clauses for v in clause.values)


def _misplaced(claim: Sentence, value: Value, sentence: Sentence, stated: Value) -> list[str]:
    """`l'usure est de 5,29 %, le taux moyen de 3,97 %`: the word that comes right before the figure comes, in the
    source, right before a rival."""
    word = _before(claim, value)
    if not word or not any(family(v) == family(value) for v in claim.values if v is not value):
        return []
    rivals = [v for v in sentence.values if family(v) == family(stated) and not supports(v, value)]
    mine = known([_before(sentence, stated)])
    theirs = known([_before(sentence, rival) for rival in rivals])
    return [word] if not mine.intersection(keys(word)) and theirs.intersection(keys(word)) else []


def _before(sentence: Sentence, value: Value) -> str:
    return next(reversed(content(sentence.text[max(0, value.start - 60) : value.start])), "")


def _half_taken(
    claim: Sentence,
    value: Value,
    others: Sequence[Value],
    sentence: Sentence,
    own: Sequence[Clause],
    rivals: Sequence[Clause],
) -> list[str]:
    """`de 10 à moins de 20 ans, 4 % ; de 20 ans et plus, 5 %`: 20 stands in both, so its side decides."""
    found: list[str] = []
    for other in others:
        mine = [v for part in own for v in part.values if supports(v, other)]
        theirs = [v for part in rivals for v in part.values if supports(v, other)]
        side = moment_of(claim, other).side
        if mine and theirs and all(moment_of(sentence, v).side != side for v in mine):
            found.append(str(other.value))
    return found


def _shared_lead(sentence: Sentence, own_text: str, value: Value) -> frozenset[str]:
    """`L'abattement est de 100 € par parent et de 31 € par enfant`: the subject said once holds for both figures, but
    for what the own clause says otherwise (`en nu, 3 ans ; en meublé, 1 an`)."""
    first = sentence.text[: next(v.start for v in sentence.values if family(v) == family(value))]
    mine, theirs = classes(own_text), classes(first)
    if any(name in mine and not mine[name] & values for name, values in theirs.items()):
        return frozenset()
    one_of_several = any(any(c.isdigit() for c in word) for word in content(own_text))
    return known([word for word in content(first) if not (one_of_several and telling(word))])


def _elliptic(sentence: Sentence, held: Clause, rivals: Sequence[Clause]) -> frozenset[str]:
    """`12 % pour 6 ans de location, 18 % pour 9 ans`: what only the first of a list says in full holds for the next."""
    if held.words or not rivals or rivals[0] is not next((c for c in sentence.clauses if c.values), None):
        return frozenset()
    return known(rivals[0].words)


def _rival(source: Source, index: int, rivals: Sequence[Clause], value: Value) -> tuple[frozenset[str], list[Clause]]:
    """(words, clauses) of the rivals here and of other sentences that hold a rival."""
    words = [word for clause in rivals for word in clause.words]
    clauses = list(rivals)
    for number, other in enumerate(source.sentences):
        if number != index and any(family(v) == family(value) and not supports(v, value) for v in other.values):
            words += other.words
            clauses += other.clauses
    return known(words), clauses


def clashing(said: str, own: str, whole: str) -> tuple[str, ...]:
    """Classes of which the claim says a value that its source's clause denies by another one, or nobody says there."""
    mine, theirs, wider = classes(said), classes(own), classes(whole)
    person = mine.get("person", frozenset()), theirs.get("person", frozenset())
    return (
        *(("person",) if all(person) and not person[0] & person[1] else ()),
        *(
            name
            for name, values in mine.items()
            if name != "person" and not values & (theirs.get(name) or wider.get(name, frozenset()))
        ),
    )
