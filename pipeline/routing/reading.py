"""What a text is about: schemes, aspects, places, kind of dwelling, year. No decision is taken here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from corpus.communes.spelling import nearest
from corpus.places import Gazetteer, Mention
from pipeline.routing.homes import Span, rooms_of, span_of
from pipeline.routing.lexicon import (
    ASPECT_PATTERNS,
    CONCEPT,
    KEYWORD_TABLE,
    KEYWORDS,
    LOOKALIKES,
    SCHEME_ASPECT,
    SCHEME_PATTERNS,
    STRONG_PRICE,
)
from pipeline.routing.words import flat

FLAT = re.compile(r"appart\w*|\bt[1-6]\b(?!\d)|\bf[1-6]\b|studios?\b|duplex|\blofts?\b")
HOUSE = re.compile(r"\bmaisons?\b|\bvillas?\b|pavillons?\b|longeres?\b|maison individuelle")
FAR_YEAR = re.compile(
    r"(?:\bprix\b|\bvaleurs?\b|\bvalait\b|\bvaudra\b|\bcoutai\w+|\bmarche\b)[^.;]{0,60}\ben (\d{4})\b"
)
"""A year that prices were asked for, however far: it is refused in so many words, not passed over."""
BUILT = re.compile(r"\b(?:constru\w+|bati\w*|acquis\w*|achet\w+|date\w*|renov\w+|livr\w+)\b")
YEAR = re.compile(r"\b(?:en|de|annee|pour|sur|depuis|vs|et)? ?(20(?:1[4-9]|2\d))\b(?! ?(?:€|euros|m2|m²))")


@dataclass(frozen=True, slots=True)
class Reading:
    """Facts about one text. `aspects` come in order of appearance; `kind` and `rooms` are a dwelling of the sales tool,
    `span` the years that prices are wanted over."""

    text: str
    low: str
    mentions: tuple[Mention, ...] = ()
    schemes: tuple[str, ...] = ()
    said_aspects: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    kind: str | None = None
    year: int | None = None
    rooms: int | None = None
    span: Span | None = None

    @property
    def communes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m.places[0].insee for m in self.mentions if not m.ambiguous))

    @property
    def ambiguous(self) -> tuple[Mention, ...]:
        return tuple(m for m in self.mentions if m.ambiguous)

    @property
    def conceptual(self) -> bool:
        return CONCEPT.search(self.low) is not None

    @property
    def asks_prices(self) -> bool:
        """Whether a figure of the market is asked for, rather than a rule that speaks of a price."""
        return STRONG_PRICE.search(self.low) is not None and not self.conceptual


def read(text: str, *, places: Gazetteer, today: date, hints: Sequence[str] = ()) -> Reading:
    """Schemes and aspects by their French surface forms, communes by the gazetteer."""
    low = flat(text)
    mentions = places.find(text, hints=hints)
    masked = respelt(_without(low, [(m.start, m.end) for m in mentions]))
    schemes = _ordered(masked, SCHEME_PATTERNS)
    if (
        "pinel" in schemes
        and "relance-logement" in schemes
        and re.search(r"(successeur|remplac\w+) (du |le )?pinel", masked)
    ):
        schemes = tuple(s for s in schemes if s != "pinel" or len(re.findall(r"pinel", masked)) > 1)
    if "lmp" in schemes and "lmnp" in schemes and not re.search(r"\blmp\b|professionnels?", masked):
        schemes = tuple(s for s in schemes if s != "lmp")
    said = _ordered(masked, ASPECT_PATTERNS)
    span = span_of(masked, today=today)
    implied = tuple(SCHEME_ASPECT[s] for s in schemes if s in SCHEME_ASPECT)
    return Reading(
        text=text,
        low=low,
        mentions=mentions,
        schemes=schemes,
        said_aspects=said,
        aspects=tuple(dict.fromkeys((*said, *implied))),
        kind=_kind(masked),
        year=span.until if span else _year(masked, today),
        rooms=rooms_of(masked),
        span=span,
    )


def _without(low: str, spans: Sequence[tuple[int, int]]) -> str:
    """Places blanked out, so that no name of a town reads as a word (`Le Bourget`, `La Garde`)."""
    for start, end in spans:
        low = low[:start] + " " * (end - start) + low[end:]
    return low


def respelt(low: str) -> str:
    """Keywords of the field put right where one letter is wrong (`jeanbrin`, `foncie`); other words untouched."""
    return re.sub(r"[a-z]{5,}", lambda match: _keyword(match[0]), low)


@cache
def _keywords() -> frozenset[str]:
    return frozenset(KEYWORDS.split())


def _keyword(word: str) -> str:
    if word in _keywords() or word in LOOKALIKES or word.rstrip("s") in _keywords():
        return word
    return nearest(word, KEYWORD_TABLE) or word


def _ordered(low: str, patterns: dict[str, re.Pattern[str]]) -> tuple[str, ...]:
    found = [(match.start(), name) for name, pattern in patterns.items() if (match := pattern.search(low))]
    return tuple(name for _, name in sorted(found))


def _kind(low: str) -> str | None:
    is_flat, is_house = FLAT.search(low) is not None, HOUSE.search(low) is not None
    return None if is_flat == is_house else "flat" if is_flat else "house"


def _year(low: str, today: date) -> int | None:
    years = {int(match[1]) for match in YEAR.finditer(low)}
    if len(years) == 1 and max(years) <= today.year:
        return years.pop()
    far = None if BUILT.search(low) or len(years) > 1 else FAR_YEAR.search(low)
    return int(far[1]) if far and 1800 <= int(far[1]) <= 2100 else None
