"""Numbers written in words -> digits, and typography -> one form, so that figures are read from one alphabet."""

import re
from functools import lru_cache
from typing import Final

_TYPOGRAPHY: Final = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'", "−": "-", "‑": "-", "﹣": "-", "％": "%", "œ": "oe"}
)
_PERCENT_WORDS: Final = re.compile(r"\bpour[ -]cents?\b", re.IGNORECASE)
_COUNTED: Final = (
    r"(?:ans?|années?|mois|jours?|semaines?|nuits?|nuitées|euros?|pour cent|%|points?|logements?|lots?|communes?|"
    r"ventes?|pièces?|classes?|biens|fois|mètres?|semestres?|trimestres?)\b"
)
_NINE_WORD: Final = re.compile(
    rf"(?<!-)\bneuf\b(?!-)(?!\s+(?:(?:cents?|mille|millions?|milliards?|ou|à|et\s+(?:dix|onze|douze))\b|{_COUNTED}))",
    re.IGNORECASE,
)
_HALF: Final = re.compile(r"(?<![\d,])(\d+)( (?:ans?|années?|mois|points?|%))? et demie?\b", re.IGNORECASE)
_HALF_POINT: Final = re.compile(r"\bun demi[- ](?=point\b)", re.IGNORECASE)
"""« trois ans et demi », « un demi-point »."""
_SMALL: Final = re.compile(
    r"\b(?:vingt|trente|quarante|cinquante|soixante)[- ](?:et[- ])?(?:une?|deux)\b"
    rf"|\b(deux)(?=\s+{_COUNTED})"
    r"|\b(une?)(?=\s+(?:(?:ans?|année|mois|euro|point)\b|%))",
    re.IGNORECASE,
)
_ANY_TWO: Final = re.compile(r"(?<!-)\bdeux\b(?!-|\s+(?:cents?|mille|millions?|milliards?)\b)", re.IGNORECASE)
_HELD: Final = "zq"
"""Glued before a word that must stay a word."""
_NUMBER_WORD: Final = re.compile(
    r"\b(?:trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|"
    r"cinquante|soixante|cents?|mille|millions?|milliards?|\w+ième)\b",
    re.IGNORECASE,
)
_NUMERALS: Final = {"un": "1", "une": "1", "deux": "2"}
_PARTS: Final = re.compile(
    r"\b(une?|deux|trois|quatre|cinq|six|sept|huit|neuf)\s+(vingtièmes?|dixièmes?|cinquièmes?|quarts?)\b(?!\s+d'heure)",
    re.IGNORECASE,
)
_COUNTS: Final = {
    w: n for n, w in enumerate(["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"], 1)
} | {"une": 1}
_SHARES: Final = {"v": 5, "d": 10, "c": 20, "q": 25}
"""Percent that a twentieth, a tenth, a fifth, a quarter stands for, by its first letter."""
_IDIOMS: Final = re.compile(
    r"\b(?:sur|en)\s+une?\s+(?:an|année)\b|\bd'une?\s+(?:an|année|mois)\s+(?:sur|à) l'autre|"
    r"\bune?\s+\w+\s+sur\s+\w+\b|\bdouze mois\b(?= glissants)|"
    r"\bà (?:deux|trois|quatre)\b(?! (?:ans|mois|jours|points?|fois|pièces))",
    re.IGNORECASE,
)
"""Ways of speaking, not figures: `sur un an`, `un bailleur sur deux`, `à deux`."""


@lru_cache(maxsize=8192)
def in_digits(text: str, *, generous: bool = False) -> str:
    """`trois pour cent` -> `3 %`, `dix-huit mois` -> `18 mois`; the adjective `neuf` and the articles `un`, `une`
    stay. `generous` (for evidence) also reads every `deux`, which a claim uses as a mere word ("les deux régimes")."""
    plain = text.translate(_TYPOGRAPHY)
    low = plain.lower()  # most texts have none of the rarer words, and are not searched for them
    if "cent" in low:
        plain = _PERCENT_WORDS.sub("%", plain)
    if "ième" in low or "quart" in low:
        plain = _PARTS.sub(_percent_of, plain)
    plain = _SMALL.sub(lambda found: _NUMERALS.get(found.group().lower(), found.group()), plain)
    if generous and "deux" in low:
        plain = _ANY_TWO.sub("2", plain)
    if "demi" in low:
        plain = _HALF_POINT.sub("0,5 ", plain)
    plain = _spelled(plain) if _NUMBER_WORD.search(plain) else plain
    return _HALF.sub(r"\1,5\2", plain) if "demi" in low else plain


def _percent_of(part: re.Match[str]) -> str:
    return f"{_COUNTS[part.group(1).lower()] * _SHARES[part.group(2)[0].lower()]} %"


def without_idioms(text: str) -> str:
    """The same length of text, with ways of speaking blanked out."""
    return _IDIOMS.sub(lambda found: "·" * len(found.group()), text)


def _spelled(text: str) -> str:
    from text_to_num import alpha2digit

    # What follows a digit is a scale ("1,2 million"), not a number of its own; "neuf" is mostly "new".
    guarded = re.sub(r"(?<=\d)\s+(mill(?:ion|iard)s?|mille)\b", rf" {_HELD}\1", text, flags=re.IGNORECASE)
    guarded = _NINE_WORD.sub(f"{_HELD}neuf", guarded)
    guarded = re.sub(
        r"\b(neuf)\s+(ou|et)\s+(l'ancien|ancien|à rénover|réhabilité)", rf"{_HELD}\1 \2 \3", guarded, flags=re.I
    )
    return str(alpha2digit(guarded, "fr")).replace(_HELD, "")
