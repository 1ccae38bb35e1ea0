"""What a sentence may not be, whatever its sources say: advice, chatter, another language, half a sentence, a leak."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.grounding.lexicon import flat

_FILE: Final = Path(__file__).with_name("manner.toml")
LEAK: Final = "consignes du système"
UNFINISHED: Final = "phrase inachevée"
FOREIGN: Final = "phrase dans une autre langue"
_FINISHED: Final = re.compile(r"[.!?…:»\")\]%€|*_`]\s*$")
_HANGING: Final = re.compile(
    r"(?<!\w)(?:le|la|les|l'|un|une|des|du|de|d'|et|ou|a|au|aux|pour|par|que|qui|si|en|dans|sur|avec|ne|"
    r"n'|est|sont|dont|mais|ainsi que|"
    r"lorsque|entre|jusqu'a|selon|chez|sans|ce|cette|ces|son|sa|ses)\W*$"
)
_WORD: Final = re.compile(r"[a-z']+")
_FRENCH: Final = frozenset(
    [
        "le",
        "la",
        "les",
        "un",
        "une",
        "des",
        "du",
        "de",
        "d'un",
        "d'une",
        "et",
        "est",
        "sont",
        "a",
        "au",
        "aux",
        "pour",
        "par",
        "que",
        "qui",
        "dans",
        "sur",
        "avec",
        "sans",
        "ne",
        "pas",
        "plus",
        "ou",
        "se",
        "ce",
        "cette",
        "ces",
        "son",
        "sa",
        "ses",
        "leur",
        "leurs",
        "il",
        "elle",
        "ils",
        "elles",
        "en",
        "y",
        "soit",
        "reste",
        "peut",
        "doit",
        "depuis",
        "apres",
        "avant",
        "selon",
        "entre",
        "jusqu'a",
        "si",
        "l'on",
    ]
)
_FOREIGN: Final = frozenset(
    [
        "the",
        "of",
        "and",
        "is",
        "are",
        "to",
        "for",
        "with",
        "this",
        "that",
        "have",
        "has",
        "been",
        "since",
        "must",
        "may",
        "can",
        "not",
        "be",
        "by",
        "from",
        "on",
        "at",
        "or",
        "which",
        "than",
        "under",
        "der",
        "die",
        "das",
        "und",
        "ist",
        "nicht",
        "mit",
        "von",
        "el",
        "los",
        "las",
        "y",
        "es",
        "con",
        "para",
        "por",
        "del",
        "una",
        "che",
        "di",
        "il",
        "per",
        "non",
        "sono",
        "della",
        "gli",
        "een",
        "het",
        "van",
    ]
)
_ELIDED: Final = re.compile(r"(?:^|\s)(?:l|d|qu|n|s|c|j|m|t|jusqu|lorsqu|puisqu)'[a-z]")


@cache
def _forbidden() -> Mapping[str, re.Pattern[str]]:
    held = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {rule["why"]: re.compile("|".join(rule["patterns"])) for rule in held.values()}


def unmannered(sentence: str) -> str | None:
    """Why a sentence may never be published, in French, or None."""
    plain = flat(sentence)
    return next((why for why, pattern in _forbidden().items() if pattern.search(plain)), None)


def foreign(sentence: str) -> bool:
    """Whether it is in another language than French: more of its small words are foreign than French."""
    plain = flat(sentence)
    words = _WORD.findall(plain)
    french = sum(word in _FRENCH for word in words) + len(_ELIDED.findall(plain))
    other = sum(word in _FOREIGN for word in words)
    return other >= 2 and other > french


def unfinished(sentence: str, *, closed: bool) -> bool:
    """Whether a sentence stops before its end. `closed`: a bullet or a row, which needs no full stop."""
    if closed:
        return bool(_HANGING.search(flat(sentence)))
    return not _FINISHED.search(sentence.strip())
