"""Which facts a question asks for: its words against those of the records, its schemes, the kind that it asks for."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final, Literal

from corpus.facts.book import FactBook, fact_book, ranked
from corpus.facts.cases import case_terms, cases_asked
from corpus.facts.loading import load_vocabulary
from corpus.facts.values import Attribute, Fact
from corpus.french import analyze, words_of

Group = tuple[str, str, str]
Sign = Literal["cue", "weak"]
Form = Literal["answer", "still_open", "overview", "portrait", "beside"]
ENOUGH: Final = 0.58
"""From this score on a group answers the question; below, prose does better."""
ALSO: Final = 0.72
"""Of the best score: what a second kind that is asked for needs."""
MOST_GROUPS: Final = 3
NEAR: Final = 0.4
"""From this score on, records on which sources disagree are near the question."""
LEAST_SAID: Final = 0.07
"""Of the question's telling words, what a group needs whatever its scheme and kind."""
_LABEL, _WORDS, _CASE = 1.0, 0.9, 0.6
_NAMED, _OTHER = 0.35, -0.45
_CUE, _WEAK, _OTHER_KIND = 0.4, 0.15, -0.3
_YEAR: Final = re.compile(r"\b(?:(avant) |(?:t|trimestre )([1-4]) )?(20[1-4]\d)\b(?! (?:euros?|eur|e|balles|m2)\b)")
_QUARTERS: Final = (
    ("premier", "1er", "1e"),
    ("deuxieme", "2e", "2eme"),
    ("troisieme", "3e", "3eme"),
    ("quatrieme", "4e", "4eme"),
)
_OVERSEAS: Final = "outre-mer"
"""In the label of a rule of its own, which answers those alone who name it."""
_TIMELESS: Final = frozenset(("calendrier", "échéance", "entrée"))
"""Kinds whose records are told whatever the day: what is over and what is to come belong to the answer."""
_ALIKE: Final = {
    "délai": "durée", "validité": "durée", "préavis": "durée", "barème": "taux", "calendrier": "échéance",
    "entrée": "échéance", "base": "plafond", "seuil": "plafond",
}  # fmt: skip
"""Kinds that the same words may mean."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of the records. `facts`: in the order in which to tell them; `on`: the day on which they are
    told; `score`: how well the first one fits, about 1 where it holds every word of the question, its scheme and kind
    apart. `form`: they are the answer, the answer with a yes or no, the kinds that were listed of a scheme, the scheme
    as a whole, or stand beside the answer."""

    facts: tuple[Fact, ...]
    form: Form
    on: date
    score: float = 1.0


def asked_of(text: str, *, schemes: Collection[str], today: date, book: FactBook | None = None) -> Asked | None:
    """The facts that answer `text`, or None where none does. `schemes`: those that it is about, in its thread too."""
    book = book or fact_book()
    day = day_meant(text, today)
    plain = _plain(text)
    kinds = _kinds(plain)
    if overview := _overview(plain, kinds, schemes, book, day):
        return Asked(overview, "overview" if len(_asked_kinds(kinds)) >= 2 else "portrait", today)
    past = day < today or _says("past", plain)
    scored = [pair for pair in _scored(text, kinds, schemes, book) if past or not _over(book.groups[pair[1]], today)]
    chosen = _chosen(scored, kinds)
    if not chosen:
        return None
    told = [_told(_in_force(book.groups[group], day, today), text) for group in chosen]
    facts, score = tuple(fact for held in told for fact in held), scored[0][0]
    asserted = _says("yes_no", plain) and not _says("counts", plain)
    defined = _says("defines", plain) and not _asked_kinds(kinds)
    if (asserted or defined) and not facts[0].closes:
        return Asked(facts, "beside", today, score)
    if _says("still", plain) and facts[0].closes:
        return Asked(facts, "still_open", max(today, day), score)
    return Asked(facts, "answer", today, score)


def disputed_near(text: str, *, schemes: Collection[str], book: FactBook | None = None) -> tuple[Fact, ...]:
    """The values that sources disagree on nearest to `text`, ranked; nothing where none is near, or is of a scheme that
    neither the text is about nor what answers it best."""
    book = book or fact_book()
    scored = _scored(text, _kinds(_plain(text)), schemes, book)
    meant = {*schemes, *(scored[0][1][:1] if scored[0][0] >= ENOUGH else ())}
    for score, group in scored:
        if score < NEAR:
            break
        if book.groups[group][0].status == "disputed" and meant & book.groups[group][0].schemes:
            return ranked(book.groups[group])
    return ()


def _told(held: Sequence[Fact], text: str) -> Sequence[Fact]:
    """The cases that the text names; where sources disagree, what each of them says."""
    return held if held[0].status == "disputed" else cases_asked(held, text)


def _plain(text: str) -> str:
    """Its words one space apart and around, those that are cut short in full."""
    short = load_vocabulary().short
    return f" {' '.join(short.get(word, word) for word in words_of(text))} "


def day_meant(text: str, today: date) -> date:
    """The middle of the year that the question names last, or of its quarter; the year before for « avant 2026 »; today
    for this year and for none."""
    said = " ".join(words_of(text))
    for number, names in enumerate(_QUARTERS, start=1):
        for name in names:
            said = said.replace(f"{name} trimestre", f"trimestre {number}")
    found = list(_YEAR.finditer(said))
    if not found:
        return today
    before, quarter, year = found[-1].groups()
    if quarter:
        return date(int(year), 3 * int(quarter) - 1, 15)
    meant = int(year) - bool(before)
    return today if meant == today.year else date(meant, 7, 1)


def _scored(
    text: str, kinds: Mapping[str, Sign], schemes: Collection[str], book: FactBook
) -> Sequence[tuple[float, Group]]:
    index = _index(book)
    asked = index.asked(frozenset(analyze(text)), schemes, kinds)
    overseas = _says("overseas", _plain(text))
    here = (group for group, facts in book.groups.items() if overseas or _OVERSEAS not in facts[0].label)
    return sorted(((index.score(group, asked), group) for group in here), key=lambda pair: -pair[0])


def _chosen(scored: Sequence[tuple[float, Group]], kinds: Mapping[str, Sign]) -> Sequence[Group]:
    """The best group, and for each other kind that is asked for the best one of its kind and scheme."""
    best, first = scored[0]
    if best < ENOUGH:
        return ()
    chosen, had = [first], {_kind(first[1])}
    for score, group in scored[1:]:
        asked = kinds.get(group[1]) == "cue" and _kind(group[1]) not in had and group[0] == first[0]
        if asked and score >= max(ENOUGH, ALSO * best) and len(chosen) < MOST_GROUPS:
            chosen.append(group)
            had.add(_kind(group[1]))
    return chosen


def _over(group: Sequence[Fact], today: date) -> bool:
    """Whether all of it ended before this year, told only to those who ask for the past. A value of every quarter is
    still the last one known; an end told as one is apart."""
    timeless = group[0].attribute in _TIMELESS or group[0].closes
    return not timeless and all(fact.effective_to and fact.effective_to.year < today.year for fact in group)


def _kind(attribute: str) -> str:
    return _ALIKE.get(attribute, attribute)


def _overview(
    plain: str, kinds: Mapping[str, Sign], schemes: Collection[str], book: FactBook, on: date
) -> tuple[Fact, ...]:
    """The main facts of the one scheme to be explained; those of the kinds that are listed, when several are."""
    named = _asked_kinds(kinds)
    explained = _says("explains", plain) or (not kinds and _says("defines", plain))
    if len(schemes) != 1 or not (explained or len(named) >= 3):
        return ()
    (scheme,) = schemes
    main = [group for group, facts in book.groups.items() if facts[0].main and group[0] == scheme]
    kept = [group for group in main if _kind(group[1]) in named] if len(named) >= 2 else main
    if len(kept) < (2 if len(named) >= 2 else 3):
        return ()
    return tuple(fact for group in kept for fact in _in_force(book.groups[group], on, on))


def _says(want: str, plain: str) -> bool:
    return any(f" {phrase} " in plain for phrase in load_vocabulary().asks.get(want, ()))


def _asked_kinds(kinds: Mapping[str, Sign]) -> frozenset[str]:
    return frozenset(_kind(kind) for kind, sign in kinds.items() if sign == "cue")


def _kinds(plain: str) -> Mapping[str, Sign]:
    """The kinds of fact that the question's phrases ask for. A longer phrase takes its words from the shorter ones:
    « à partir de combien d'années » asks for a duration, and for no threshold."""
    known = load_vocabulary().attributes.values()
    found: dict[str, Sign] = {a.id: "weak" for a in known if any(f" {phrase} " in plain for phrase in a.weak)}
    for phrase, kinds in _cues():
        if f" {phrase} " in plain:
            plain = plain.replace(f" {phrase} ", " | ")
            found |= dict.fromkeys(kinds, "cue")
    return found


@cache
def _cues() -> Sequence[tuple[str, Sequence[str]]]:
    """Each phrase that asks for kinds of its own, the longest first."""
    asked: dict[str, list[str]] = {}
    for attribute in load_vocabulary().attributes.values():
        for phrase in attribute.cues:
            asked.setdefault(phrase, []).append(attribute.id)
    return sorted(asked.items(), key=lambda pair: -len(pair[0]))


def _in_force(group: Sequence[Fact], on: date, today: date) -> Sequence[Fact]:
    """Those of the day; else the next to come, else the last that were. A group that names the year is of today."""
    if group[0].status == "disputed":
        return ranked(group)
    if group[0].attribute in _TIMELESS and not group[0].closes:
        return group
    day = today if str(on.year) in group[0].label else on
    if held := [fact for fact in group if fact.holds(day)]:
        return held
    if coming := [fact for fact in group if (fact.effective_from or date.min) > day]:
        first = min(fact.effective_from or date.min for fact in coming)
        return [fact for fact in coming if fact.effective_from == first]
    last = max(fact.effective_to or date.min for fact in group)
    return [fact for fact in group if fact.effective_to == last]


@dataclass(frozen=True)
class _Index:
    """Each group's terms with their weight, how rare a term is among groups, and the terms of kinds (« max »), which
    weigh nothing where no group has them."""

    weights: Mapping[Group, Mapping[str, float]]
    rarity: Mapping[str, float]
    schemes: Mapping[Group, frozenset[str]]
    kinds: frozenset[str]
    unknown: float

    def asked(self, terms: frozenset[str], schemes: Collection[str], kinds: Mapping[str, Sign]) -> "_Wanted":
        telling = [term for term in terms if term in self.rarity or term not in self.kinds]
        return _Wanted(
            terms=sorted(terms),
            whole=sum(self.rarity.get(term, self.unknown) for term in telling) or 1.0,
            schemes=frozenset(schemes),
            named=[frozenset(analyze(scheme.replace("-", " "))) for scheme in schemes],
            kinds=kinds,
            alike=_asked_kinds(kinds),
        )

    def score(self, group: Group, asked: "_Wanted") -> float:
        """About 1 where the group holds every telling word of the question, of its scheme and kind."""
        own = self.weights[group]
        held = sum(self.rarity[term] * own[term] for term in asked.terms if term in own) / asked.whole
        if held < LEAST_SAID:
            return 0.0
        others = any(not scheme <= own.keys() for scheme in asked.named)
        named = _NAMED if self.schemes[group] & asked.schemes else _OTHER if others else 0.0
        sign = asked.kinds.get(group[1]) or ("weak" if _kind(group[1]) in asked.alike else None)
        other = _OTHER_KIND if "cue" in asked.kinds.values() else 0.0
        return held + named + (_CUE if sign == "cue" else _WEAK if sign == "weak" else other)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A question as groups are scored for it. `whole`: the weight of its telling terms; `named`: the terms of each of
    its schemes; `alike`: the kinds that it asks for, whatever their name."""

    terms: Sequence[str]
    whole: float
    schemes: frozenset[str]
    named: Sequence[frozenset[str]]
    kinds: Mapping[str, Sign]
    alike: frozenset[str]


@cache
def _index(book: FactBook) -> _Index:
    attributes = load_vocabulary().attributes
    weights = {group: _weights(facts, attributes[group[1]]) for group, facts in book.groups.items()}
    total = len(weights)
    counts: dict[str, int] = {}
    for own in weights.values():
        for term in own:
            counts[term] = counts.get(term, 0) + 1
    rarity = {term: math.log(1 + total / count) for term, count in counts.items()}
    schemes = {group: frozenset().union(*(fact.schemes for fact in facts)) for group, facts in book.groups.items()}
    kinds = frozenset(analyze(" ".join(word for a in attributes.values() for word in (*a.cues, *a.weak))))
    return _Index(weights, rarity, schemes, kinds, unknown=math.log(1 + total / 12))


def _weights(facts: Sequence[Fact], attribute: Attribute) -> Mapping[str, float]:
    first = facts[0]
    own = dict.fromkeys(analyze(" ".join((first.words, attribute.words))), _WORDS)
    own |= {term: _CASE for fact in facts for term in case_terms(fact) if term not in own}
    return own | dict.fromkeys(analyze(first.label), _LABEL)
