"""Who does what a figure tells of, and to whom: the locataire pays, the bailleur is paid."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pipeline.grounding.clauses import Sentence
from pipeline.grounding.lexicon import flat, matches
from pipeline.text.figures import Value

_DETERMINED: Final = r"(?: ?(?:le|la|l'|les|un|une|son|sa|ses|ce|cet|cette|chaque|tout))? ?$"
_TO: Final = re.compile(rf"(?<!\w)(?:a|au|aux){_DETERMINED}")
_BY: Final = re.compile(rf"(?<!\w)par{_DETERMINED}")
_OTHERWISE: Final = re.compile(
    rf"(?<!\w)(?:de|d'|du|des|pour|chez|envers|contre|avec|sans|entre|selon|que|sur){_DETERMINED}"
)
_SERVING: Final = re.compile(r"(?<!\w)(?:lui|leur) (?:est|sont|sera|seront|serait|a ete|ont ete|soit|soient)(?!\w)")
_WINDOW: Final = 16


@lru_cache(maxsize=4096)
def _persons(text: str) -> tuple[tuple[int, int, str], ...]:
    """(place, person, part) in order; part: `does`, `by`, `to`, or empty where neither."""
    plain = flat(text)
    found = [
        (match.start(), index, _part(plain[max(0, match.start() - _WINDOW) : match.start()]))
        for (name, index), there in matches("classes", plain).items()
        if name == "person"
        for match in there
    ]
    return tuple(sorted(found))


def _part(before: str) -> str:
    if _BY.search(before):
        return "by"
    if _TO.search(before):
        return "to"
    return "" if _OTHERWISE.search(before) else "does"


def _served(sentence: Sentence, value: Value) -> frozenset[int]:
    """Whoever is last said to do something, where what follows is done to him: « l'acquéreur …, le dépôt lui est
    rendu »."""
    before = [
        (place, person) for place, person, part in _persons(sentence.text) if part == "does" and place < value.start
    ]
    told = flat(sentence.text[before[-1][0] : value.start]) if before else ""
    return frozenset({before[-1][1]}) if _SERVING.search(told) else frozenset()


def _actors(sentence: Sentence, value: Value) -> Iterator[int]:
    """Whoever is last said to do something before the figure, or else whom « par » names."""
    told = _persons(sentence.text)
    by = [person for _, person, part in told if part == "by"]
    before = [person for place, person, part in told if part == "does" and place < value.start]
    yield from before[-1:] or by[:1]


def exchanged(claim: Sentence, said: Value, source: Sentence, held: Value) -> bool:
    """Whether somebody else does it in the source, or does it whom the claim lets it be done to."""
    mine, theirs = set(_actors(claim, said)), set(_actors(source, held))
    if mine & _served(source, held) - _served(claim, said):
        return True
    if mine and theirs and mine != theirs:
        return True
    reached = {person for _, person, part in _persons(claim.text) if part == "to"}
    return bool(theirs & reached) and not theirs & mine
