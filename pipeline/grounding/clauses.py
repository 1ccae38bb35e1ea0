"""A sentence -> clauses with their words and figures: what one figure says is said in its clause, not in the next."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Final

from pipeline.grounding.lexicon import keys, lexicon, stems
from pipeline.grounding.lists import RANKED, read_out
from pipeline.text.figures import SHARES, Value, figures
from pipeline.text.wording import in_digits, without_idioms

_STRONG: Final = re.compile(
    r"\s*;\s*|\s+(?:tandis que|alors que|mais|contre|quand|puis)\s+|(?<=[\w)%€²])\.\s+|\s[–—]\s|\s\|\s", re.IGNORECASE
)
_WEAK: Final = re.compile(r",\s+(?:soit\s+)?|\s*:\s+|\s*[()]\s*", re.IGNORECASE)
_LINKED: Final = re.compile(r",?\s+(?:et|ou|puis|à)\s+", re.IGNORECASE)

_DEGREE: Final = re.compile(r"\b(tr[eè]s|non|peu) (?:d')?(?!plus\b|moins\b|près\b)([^\W\d_]{3,})", re.IGNORECASE)
_OUTSIDE: Final = re.compile(
    r"\b(?:hors|hormis|sans|autres? que)(?: (?:de la|du|des|les|la|le|aucune?))? (?:d'|l')?([^\W\d_]{3,})",
    re.IGNORECASE,
)
"""« très social » is no « social », « hors charges » and « sans les charges » no « charges »: read as one word."""
OUTSIDE: Final = "hors"
_DEGREES: Final = ("très", "tres", "non", "peu")
_OUTSIDES: Final = ("hors", "hormis", "sans", "autre")
_RATED: Final = re.compile(r"\b([Ll]ogements?|[Bb]iens?|[Aa]ppartements?|[Mm]aisons?)\s(?=[A-G]\b(?!['’]))")
"""« un logement G »: of class G."""
_LAW: Final = re.compile(r"\blois?\b", re.IGNORECASE)
"""Its stem is that of « loyer »."""
_REGION: Final = re.compile(r"\b[IÎ]le-de-France\b|\bfrancilien\w*", re.IGNORECASE)
_ORDINALS: Final = {"premi": 1, "premiè": 1, "deuxi": 2, "secon": 2, "trois": 3, "quatr": 4, "derni": 4}
_RANKED: Final = re.compile(
    r"\bT([1-4])(?=\s20\d\d)|"
    r"\b(premi[eè]re?|deuxième|seconde?|troisième|quatrième|dernier(?=\s[tqs])|\d{1,2}(?:er|e|ème|ère|nde?))\s+"
    rf"({RANKED})\b",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"\b(tranche|classe|phase|niveau|lot|groupe|catégorie)[sx]?\s((?:\d{1,2}(?:,\s|\s(?:et|ou|à)\s)?)+)(?![\d,]|\s?[%€])",
    re.IGNORECASE,
)
"""« tranche 4 », « 3e trimestre »: a name with a number in it, read as one word and no figure."""
_COUNTED: Final = re.compile(rf"\d|{RANKED}", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\s*\((?:[^(),;:]{1,40}|[^();:\d]{1,60})\)")
_RANGE: Final = re.compile(r"\s(?:à|et)\s")
_FROM: Final = re.compile(r"(?:\bde|\bentre|\bd')\s?$")
_DOING: Final = re.compile(
    r"(?:\b(?:se|ne|y|il|elle|on|ils|elles|qui|a|ont|est|sont|peut|peuvent|doit|doivent|faut|lui|leur|puis|être|été|avoir|ayant|"
    r"pas|plus|aussi|encore|bien)\s|\b[sn]')(?=([^\W\d_]{3,}))|(?:\b(?:de|à|pour|sans)\s|\bd')(?=([^\W\d_]+(?:er|ir|re))\b)|"
    r"(?=\b([^\W\d_]+(?:ment|ant))\b)",
    re.IGNORECASE,
)
"""A verb after its pronoun or auxiliary, an infinitive, an adverb: what a paraphrase changes freely."""
_TIME: Final = frozenset({"an", "mois", "jour", "semaine"})


@dataclass(frozen=True, slots=True)
class Clause:
    """`group`: clauses of one half of the sentence (between strong separators) have the same; `start`: its place in
    the sentence. `words`: content stems in order; `values`: its figures."""

    text: str
    start: int
    group: int
    words: tuple[str, ...]
    values: tuple[Value, ...]

    def spans(self, low: Value, value: Value) -> bool:
        """Whether the figure lies in a range that begins with `low`: 65 in `de 61 à 70 ans`."""
        if not isinstance(low.value, Decimal) or not isinstance(value.value, Decimal) or low.unit != value.unit:
            return False
        high = next((v for v in self.values if v.start > low.start and v.unit == low.unit), None)
        if high is None or not isinstance(high.value, Decimal) or not low.value < value.value < high.value:
            return False
        between = self.text[low.end - self.start : high.start - self.start]
        return bool(_RANGE.fullmatch(between)) and bool(_FROM.search(self.text[: low.start - self.start]))


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """Equal to itself alone. `raw`: as written; `text`: with its numbers in digits, where `values` have their places;
    `known`: the keys of all its words, synonyms included."""

    raw: str
    text: str
    clauses: tuple[Clause, ...]
    words: tuple[str, ...]
    known: frozenset[str]
    values: tuple[Value, ...]


@lru_cache(maxsize=8192)
def read_sentence(text: str, *, generous: bool = False) -> Sentence:
    """`generous`: see `in_digits`, for evidence."""
    plain = read_out(in_digits(text if generous else without_idioms(text), generous=generous))
    names = [found.span() for pattern in (_NAMED, _RANKED) for found in pattern.finditer(plain)]
    values = tuple(v for v in figures(plain, generous=generous) if not any(a <= v.start < b for a, b in names))
    clauses = [_clause(plain[start:end], start, group, values) for start, end, group in sorted(_cuts(plain, values))]
    words = content(plain)
    return Sentence(text, plain, tuple(clauses), words, known(words), values)


@lru_cache(maxsize=16384)
def content(text: str) -> tuple[str, ...]:
    """Content stems in order, without figures and their units (figures are compared as figures)."""
    neutral = lexicon().neutral
    low = text.lower()
    joined = _LAW.sub("légal", _RATED.sub(r"\1 classe ", text))
    if "franc" in low:
        joined = _REGION.sub("idf", joined)
    if any(word in low for word in _DEGREES):
        joined = _DEGREE.sub(r"\1\2", joined)
    if any(word in low for word in _OUTSIDES):
        joined = _OUTSIDE.sub(rf"{OUTSIDE}\1", joined)
    if _COUNTED.search(joined):
        joined = _RANKED.sub(_rank, _NAMED.sub(_name, joined))
    return tuple(term for term in stems(joined) if not term[0].isdigit() and term not in neutral)


def things(text: str, stems: Sequence[str]) -> list[str]:
    """Of these stems, those that no verb or adverb gives: nouns and adjectives, of which each one says something."""
    told = " ".join(next(filter(None, found.groups()), "") for found in _DOING.finditer(text.replace("’", "'")))
    done = frozenset(content(told))
    return [stem for stem in stems if stem not in done]


def _rank(found: re.Match[str]) -> str:
    """`T2 2027`, `2e trimestre`, `deuxième trimestre` -> one word."""
    said = (found.group(1) or found.group(2)).lower()
    rank = _ORDINALS.get(said[:5]) or re.sub(r"\D", "", said)
    return f"{(found.group(3) or 'trimestre').lower()}{rank} "


def _name(found: re.Match[str]) -> str:
    """`tranches 2 et 3` -> `tranche2 tranche3`."""
    return " ".join(f"{found.group(1).lower()}{number}" for number in re.findall(r"\d+", found.group(2))) + " "


def numbered(word: str) -> bool:
    """`tranche4`, `trimestre3`, `t2`: a name with a number in it. The letters of the DPE are read elsewhere."""
    return any(character.isdigit() for character in word) and not word.startswith("dpe")


def known(words: Sequence[str]) -> frozenset[str]:
    """The keys of all these words."""
    return _known(tuple(words))


@lru_cache(maxsize=8192)
def _known(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(key for word in words for key in keys(word))


def family(value: Value) -> tuple[str, str]:
    """Figures that could stand in each other's place."""
    if isinstance(value.value, str):
        return ("date", "")
    return (value.kind, "time" if value.unit in _TIME else value.unit)


def _cuts(text: str, values: Sequence[Value]) -> Iterator[tuple[int, int, int]]:
    """(start, end, group) of each clause; a list such as `6, 9 ou 12 ans` is never cut."""
    held = [(a.start, b.end) for a, b in pairwise(values) if _listed(text, a, b)]
    held += [(value.start, value.end) for value in values]
    held += [aside.span() for aside in _ASIDE.finditer(text)]
    strong = [m.span() for m in _STRONG.finditer(text) if _free(m, held)]
    weak = [m.span() for m in _WEAK.finditer(text) if _free(m, held) and all(not _within(m.span(), s) for s in strong)]
    weak += _between(text, values, held, [*strong, *weak])
    start, group = 0, 0
    for begin, end in sorted([*strong, *weak, (len(text), len(text))]):
        if begin >= start and text[start:begin].strip():
            yield start, begin, group
        group += (begin, end) in strong
        start = max(start, end)


def _between(
    text: str, values: Sequence[Value], held: Sequence[tuple[int, int]], cuts: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """`100 € par parent et 31 € par enfant`: figures of one family that are no list are cut at their last link word."""
    found = []
    for index, first in enumerate(values):
        second = next((value for value in values[index + 1 :] if family(value) == family(first)), None)
        if second is not None and not any(first.end <= start < second.start for start, _ in cuts):
            links = [m for m in _LINKED.finditer(text, first.end, second.start + 1) if _free(m, held)]
            found += [links[-1].span()] if links else []
    return found


def _listed(text: str, first: Value, second: Value) -> bool:
    """`6, 9` of `6, 9 ou 12 ans`."""
    return family(first) == family(second) and bool(SHARES.fullmatch(text[first.end : second.start]))


def _free(match: re.Match[str], held: Sequence[tuple[int, int]]) -> bool:
    return all(match.end() <= start or match.start() >= end for start, end in held)


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= span[0] < other[1] or span[0] <= other[0] < span[1]


def _clause(text: str, start: int, group: int, values: Sequence[Value]) -> Clause:
    here = tuple(value for value in values if start <= value.start < start + len(text))
    return Clause(text, start, group, content(text), here)
