"""Which excerpts are told where: the direct answer first, then what helps, never the same thing twice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pipeline.extractive.asked import terms_of
from pipeline.extractive.candidates import Excerpt
from pipeline.section_names import CAUTION, DUTIES, METHOD, NUMBERS, OWN_FILES, RESALE, RISKS, RULE
from pipeline.text.references import references

SAME: Final = 0.5
"""From this probability on, an entry's question is the one asked: its answer may stand without it."""
NEAR: Final = 0.15
"""From this one on, an entry is told whole and alone."""
LIKE: Final = 0.05
"""From this one on, a yes or no of an entry may open the answer, with its own question beside it."""
BESIDE: Final = 1.2
"""Log-odds that an excerpt may lose to the first one and still stand in the opening beside it."""
HELPS, HELPS_DEEPER = 3.0, 6.0
"""The same for what is told after the opening, and when more is asked for."""

_OF_HEADING: Final[Mapping[str, str]] = {
    "Chiffres": NUMBERS, "Dates clés": NUMBERS, "Calcul et exemple": NUMBERS, "Points de vigilance": CAUTION,
    "Limites": CAUTION, "Points ouverts": CAUTION, "À la revente": RESALE,
}  # fmt: skip
_OF_CATEGORY: Final[Mapping[str, str]] = {
    "risk": RISKS, "compliance": DUTIES, "methodology": METHOD, "pricing": METHOD,
}  # fmt: skip


@dataclass(slots=True)
class Told:
    """What the answer holds so far, and what the thread has already read when it asks for more."""

    excerpts: list[Excerpt] = field(default_factory=list)
    read: frozenset[str] = frozenset()

    def repeats(self, excerpt: Excerpt) -> bool:
        return excerpt.sentences[0] in self.read or any(_alike(excerpt, other) for other in self.excerpts)


def may_open(pool: Sequence[Excerpt], told: Told) -> list[Excerpt]:
    """Those that can be said first, the likeliest first."""
    able = [e for e in pool if not e.polar or (e.faq and e.same >= LIKE)]
    fresh = [e for e in able if not told.repeats(e)] or ([] if told.excerpts else able)
    return sorted(_of_the_very_thing(fresh), key=lambda e: -e.score)


def direct_answer(
    ranked: Sequence[Excerpt], chosen: Excerpt, told: Told, *, most: int, whole: Callable[[Excerpt], Excerpt]
) -> list[Excerpt]:
    """One to `most` excerpts of `ranked`, those that may open: the one that was `chosen` to, `whole`, and what stands
    close beside it; an entry that may well be the very one stands alone."""
    first = whole(chosen)
    told.excerpts.append(first)
    if first.same >= NEAR and len(first.sentences) > len(chosen.sentences):
        return [first]
    beside = [e for e in ranked if e is not chosen and not e.polar]
    near = [e for e in beside if e.score >= first.score - BESIDE]
    following = [e for e in beside if _follows(e, first) and e.score >= first.score - HELPS]
    more = _distinct([*following, *near], told, most - 1)
    return [first, *sorted(more, key=lambda e: (e.source != first.source, e.source, e.index))]


def what_helps(pool: Sequence[Excerpt], told: Told, *, most: int, lose: float = HELPS) -> list[Excerpt]:
    """Up to `most` more that lose at most so many log-odds to the best, the likeliest first; those of one passage
    together, in its order."""
    best = max((e.score for e in (*told.excerpts, *pool)), default=0.0)
    ranked = sorted(pool, key=lambda e: -e.score)
    near = [e for e in ranked if e.score >= best - lose and (not e.polar or e.faq)]
    chosen = _distinct(near, told, most)
    place = {e.source: at for at, e in reversed(list(enumerate(chosen)))}
    return sorted(chosen, key=lambda e: (place[e.source], e.index))


def naming_texts(pool: Sequence[Excerpt], last: frozenset[str]) -> list[Excerpt]:
    """Those that name a text of law among the sentences of the `last` answer, else in the passages that these are
    from; where these name none, what they say."""
    told = [e for e in pool if e.sentences[0] in last]
    around = [e for e in pool if e.source in {one.source for one in told}]
    named = ([e for e in some if references(" ".join(e.sentences))] for some in (told, around))
    return next(filter(None, named), around)


def section_of(excerpt: Excerpt) -> str:
    """Where an excerpt is told: by its file, its heading, else its article's category."""
    if excerpt.own:
        return OWN_FILES
    return _OF_HEADING.get(excerpt.section) or _OF_CATEGORY.get(excerpt.category, RULE)


def _of_the_very_thing(found: Sequence[Excerpt]) -> list[Excerpt]:
    """Those that open with no rival of what was asked about, and of these the ones whose passages hold most of the
    words that only an added document has."""
    straight = [e for e in found if not e.signals.get("rival")] or list(found)
    least = min((e.signals.get("lacks", 0.0) for e in straight), default=0.0)
    return [e for e in straight if e.signals.get("lacks", 0.0) <= least]


def _follows(excerpt: Excerpt, first: Excerpt) -> bool:
    return excerpt.source == first.source and excerpt.index == first.index + len(first.sentences)


def _distinct(ranked: Sequence[Excerpt], told: Told, most: int) -> list[Excerpt]:
    """Each time the best that says something new."""
    chosen: list[Excerpt] = []
    for excerpt in ranked:
        if len(chosen) < most and not told.repeats(excerpt):
            chosen.append(excerpt)
            told.excerpts.append(excerpt)
    return chosen


def _alike(one: Excerpt, other: Excerpt) -> bool:
    """The same place, or a first sentence that says mostly what one of the other's does, a shared date included."""
    if one.source == other.source and _places(one) & _places(other):
        return True
    if _is_line(one) and _is_line(other):
        return one.sentences[0] == other.sentences[0]
    mine = terms_of(one.sentences[0])
    same_day = bool(one.days & other.days)
    return any(_mostly(mine, terms_of(told), same_day=same_day) for told in other.sentences)


def _mostly(mine: frozenset[str], theirs: frozenset[str], *, same_day: bool) -> bool:
    shared, least = len(mine & theirs), min(len(mine), len(theirs))
    return shared > (0.4 if same_day else 0.78) * least or shared > 0.5 * len(mine | theirs)


def _places(excerpt: Excerpt) -> frozenset[int]:
    return frozenset(range(excerpt.index, excerpt.index + len(excerpt.sentences)))


def _is_line(excerpt: Excerpt) -> bool:
    """A line of a table, `Colonne : valeur ; …`: two of them share every column name and say different things."""
    return " : " in excerpt.sentences[0] and " ; " in excerpt.sentences[0]
