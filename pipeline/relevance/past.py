"""What was in force or was paid in a year of the past, asked of sources that speak of later years alone."""

import re
from collections.abc import Iterable
from typing import Final

from pipeline.understanding.own_words import flat

_WAS: Final = re.compile(
    r"\b(?:etai(?:t|ent)|valai(?:t|ent)|coutai(?:t|ent)|payai(?:t|ent)|empruntai(?:t|ent)|touchai(?:t|ent))\b|"
    r"\ba l'epoque\b"
)
_ENDS: Final = re.compile(r"\b(?:en|au t[1-4]|fin|debut) (?:19\d\d|20[01]\d)\W*$")
_CASE: Final = re.compile(
    r"\b(?:achet|acqui|achat|engag|vend|sign|constru|bati|depuis|herit|donn|emprunt|lou|investi|contract|bail|souscri|"
    r"ouver|pay|cout|revien|cession|pv\b|pris|prix de rev|nee? )"
)
"""Of somebody's own purchase or lease a year is a circumstance: « acheté en 2005 »."""
_YEAR: Final = re.compile(r"(?<![\d/.,-])(?:19|20)\d\d(?![\d/.,-]|\s?(?:€|euros))")
_ANY_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def year_asked(question: str) -> int | None:
    """The year of which a value is asked, in the past tense or in a few words (« taux d'usure en 2012 »); None of any
    other question."""
    low = flat(question)
    bare = _ENDS.search(low) is not None and _CASE.search(low) is None
    found = _YEAR.findall(low) if bare or _WAS.search(low) else []
    return int(found[-1]) if len(found) == 1 else None


def too_old(question: str, texts: Iterable[str]) -> bool:
    """Whether all that the texts speak of is of later years than the one asked of."""
    asked = year_asked(question)
    if asked is None:
        return False
    told = [int(year) for text in texts for year in _ANY_YEAR.findall(text)]
    return not told or asked < min(told)
