"""Which excerpts are told where: the direct answer first, then each section's best, never the same thing twice."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pipeline.extractive.candidates import SAME_QUESTION, USUAL_CLOSENESS, Excerpt, terms_of
from pipeline.extractive.question_forms import Form
from pipeline.section_names import CAUTION, DUTIES, METHOD, NUMBERS, OWN_FILES, RESALE, RISKS, RULE, TO_KNOW

_CAUTION: Final = ("Points de vigilance", "Limites", "Points ouverts")
_WARNS: Final = re.compile(
    r"\bà vérifier\b|\berreurs?\b|\battention\b|\bexpose\b|\bn'est pas tranché|\bconfondre\b|\bconfusion|\bvigilan\w+|"
    r"\brisque(?:nt)? de\b|\bpas connu|\bremise? en cause",
    re.IGNORECASE,
)
_POLAR: Final[tuple[Form, ...]] = ("yes_no", "until", "other")
_RELEVANT: Final = 0.4
"""Score under which an excerpt is not about the question at all."""
_ENOUGH: Final = 0.6
"""Share of the best score of a section under which a bullet is left out."""


_NEAREST: Final = 0.9
"""Closeness from which an entry on a near question may open the answer, labelled with that question."""
_NEAR_MATCH: Final = 0.2
"""Least match of such an entry: half of the words of both. It is 0 where the entry names another amount or place."""
_NEAR_GAIN: Final = 0.6
_OWN_GAIN, _OWN_FIRST = 0.8, 2
"""For a sentence of the team's own files among the first passages found."""


def _under(gains: Mapping[str, float]) -> Callable[[Excerpt], float]:
    return lambda excerpt: gains.get(excerpt.section, 0.0)


_METHOD_HEADINGS: Final = {
    "Méthode": 0.4, "Calcul et exemple": 0.3, "Règle": 0.25, "En bref": 0.2, "Conditions": 0.15, "Chiffres": 0.15,
}  # fmt: skip

FITS: Final[Mapping[str, Callable[[Excerpt], float]]] = {
    RULE: _under({"Règle": 0.35, "Conditions": 0.35, "En bref": 0.2, "Questions fréquentes": 0.05}),
    OWN_FILES: lambda e: 0.4 * e.own,
    NUMBERS: lambda e: (
        bool(e.figures and not e.own) * (0.05 + _under({"Chiffres": 0.4, "Dates clés": 0.4, "Règle": 0.1})(e))
    ),
    RISKS: lambda e: 0.3 * (e.category == "risk"),
    METHOD: lambda e: (
        (e.category in ("methodology", "pricing") and not e.own) * (0.05 + _METHOD_HEADINGS.get(e.section, 0.0))
    ),
    DUTIES: lambda e: (e.category == "compliance") * (0.2 + _under({"Règle": 0.2, "Conditions": 0.2})(e)),
    RESALE: _under({"À la revente": 0.5}),
    TO_KNOW: lambda e: 0.15 + _under({"Règle": 0.15, "Conditions": 0.1, "Chiffres": 0.1})(e),
    CAUTION: lambda e: _under(dict.fromkeys(_CAUTION, 0.4))(e) + 0.2 * bool(_WARNS.search(e.sentences[0])),
}
"""How well an excerpt fits a section; 0 keeps it out."""


@dataclass(slots=True)
class Told:
    """What the answer holds so far, and what the thread has already read when it asks for more."""

    excerpts: list[Excerpt] = field(default_factory=list)
    read: frozenset[str] = frozenset()

    def repeats(self, excerpt: Excerpt) -> bool:
        return excerpt.sentences[0] in self.read or any(_alike(excerpt, other) for other in self.excerpts)


def _alike(one: Excerpt, other: Excerpt) -> bool:
    """The same place, or first sentences that say mostly the same, a shared date included."""
    if (one.source, one.index) == (other.source, other.index):
        return True
    if _is_line(one) and _is_line(other):
        return one.sentences[0] == other.sentences[0]
    mine, theirs = terms_of(one.sentences[0]), terms_of(other.sentences[0])
    shared = len(mine & theirs)
    least = min(len(mine), len(theirs))
    same_day = bool(one.days & other.days) and shared > 0.4 * least
    return same_day or shared > 0.78 * least or shared > 0.5 * len(mine | theirs)


def _is_line(excerpt: Excerpt) -> bool:
    """A line of a table, `Colonne : valeur ; …`: two of them share every column name and say different things."""
    return " : " in excerpt.sentences[0] and " ; " in excerpt.sentences[0]


def direct_answer(pool: Sequence[Excerpt], told: Told, *, kind: Form, most: int) -> list[Excerpt]:
    """One to `most` excerpts: of the FAQ entry that was asked, if there is one, else the best that open an article."""
    fresh = [e for e in pool if not told.repeats(e) and (not e.polar or _opens(e, kind))]
    ranked = sorted(fresh, key=lambda e: -(e.score + _opening(e, kind)))
    if not ranked:
        return []
    first = ranked[0]
    told.excerpts.append(first)
    near = [e for e in ranked if (e.source, e.index) != (first.source, first.index)]
    near = [e for e in near if not (e.polar or e.example or e.rival)]
    close = [e for e in near if e.score + _opening(e, kind) >= 0.66 * (first.score + min(0.4, _opening(first, kind)))]
    if first.match >= SAME_QUESTION:
        close = [e for e in close if e.source == first.source] or close[:2]
    goes_on = [e for e in near if _follows(e, first) and e.score >= 0.45 * first.score]
    goes_on = [e for e in goes_on if not _WARNS.search(e.sentences[0])]
    more = _varied(goes_on, told, min(1, most - 1))
    more += _varied(close[:8], told, most - 1 - len(more))
    return [first, *sorted(more, key=lambda e: (e.source != first.source, e.source, e.index))]


def _opens(excerpt: Excerpt, kind: Form) -> bool:
    """A Oui or Non may open the answer to its own question; to a near one only with its question beside it,
    and where the two share half of their words."""
    near = excerpt.close >= _NEAREST and excerpt.about and _labelled(excerpt) and excerpt.match >= _NEAR_MATCH
    return kind in _POLAR and (excerpt.match >= SAME_QUESTION or near)


def _follows(excerpt: Excerpt, first: Excerpt) -> bool:
    return excerpt.source == first.source and excerpt.index == first.index + len(first.sentences)


def _opening(excerpt: Excerpt, kind: Form) -> float:
    """What makes a good opening: the very question's answer, else what is nearest to it, else what an article says
    first."""
    return _place_gain(excerpt, kind) + _NEAR_GAIN * (excerpt.close - USUAL_CLOSENESS)


def _place_gain(excerpt: Excerpt, kind: Form) -> float:
    if excerpt.faq and excerpt.match >= SAME_QUESTION:
        return (2.0 if excerpt.index == 0 else 0.3) * excerpt.match + 0.3 * (excerpt.polar and kind == "yes_no")
    if excerpt.faq:
        return 0.3 if excerpt.polar and kind in _POLAR and excerpt.close >= _NEAREST else -0.1
    place = {"En bref": 0.35, "Règle": 0.15, "Conditions": 0.0}.get(excerpt.section, -0.15)
    if excerpt.own:  # no sections of ours; what it says of the very case goes before what an article says in general
        place = _OWN_GAIN if excerpt.source <= _OWN_FIRST else 0.0
    return place + 0.1 * (excerpt.index == 0) + 0.15 * excerpt.leads - 0.4 * bool(_WARNS.search(excerpt.sentences[0]))


def section(name: str, pool: Sequence[Excerpt], told: Told, *, most: int) -> list[Excerpt]:
    """Up to `most` excerpts for the section, best first but kept in reading order within one passage."""
    fit = FITS.get(name, FITS[TO_KNOW])
    fitting = [e for e in pool if fit(e) > 0]
    relevant = [e for e in fitting if e.score >= _RELEVANT] or [e for e in fitting if e.score >= _RELEVANT / 2]
    scored = [(e.score + fit(e), e) for e in relevant]
    scored = [(score, e) for score, e in scored if _labelled(e) and not told.repeats(e)]
    floor = max((score for score, _ in scored), default=0.0) * _ENOUGH
    ranked = [e for score, e in sorted(scored, key=lambda pair: -pair[0]) if score >= floor]
    chosen = _varied(ranked, told, most)
    first = {e.source: position for position, e in reversed(list(enumerate(chosen)))}
    return sorted(chosen, key=lambda e: (first[e.source], e.index))


def _labelled(excerpt: Excerpt) -> bool:
    """A bare Oui or Non needs its question beside it."""
    return not excerpt.polar or bool(excerpt.faq)


def _varied(ranked: Sequence[Excerpt], told: Told, most: int) -> list[Excerpt]:
    """Maximal marginal relevance: each time the best that says something new."""
    chosen: list[Excerpt] = []
    left = list(ranked)
    while len(chosen) < most:
        left = [e for e in left if not told.repeats(e)]
        if not left:
            break
        best = max(
            left, key=lambda e: e.score - 0.6 * max((_overlap(e, other) for other in told.excerpts), default=0.0)
        )
        chosen.append(best)
        told.excerpts.append(best)
    return chosen


def _overlap(one: Excerpt, other: Excerpt) -> float:
    return len(one.terms & other.terms) / (len(one.terms | other.terms) or 1)
