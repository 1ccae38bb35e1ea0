"""Names of rules: law and article numbers, doctrine ids, and the schemes of the field. None of them is a number."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pipeline.schemes import schemes as known_schemes

_DIGIT: Final = re.compile(r"\d")
_LATIN: Final = (
    r"(?:bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies|terdecies|quaterdecies|"
    r"quindecies|sexdecies|septdecies|octodecies|novodecies|vicies|unvicies|duovicies|tervicies|quatervicies|"
    r"quinvicies|sexvicies|septvicies|octovicies|novovicies|tricies)"
)
_PIECE: Final = rf"(?:\s{_LATIN})?(?:\s[A-Z]{{1,3}}(?![\w'-]))?"
_CODED: Final = r"[LRD]\s?\*?\.?\s?\*?\s?\d{1,4}(?:-\d+)*(?!\w)"
_PLAIN: Final = rf"\d{{1,4}}(?:-(?:\d+|[A-Z]{{1,2}}))*{_PIECE}"
_ARTICLE: Final = re.compile(
    rf"\b(?:(?i:articles?)|art\.?|CGI|CMF)\s+(?:art\.\s*)?((?:{_CODED}|{_PLAIN})"
    rf"(?:\s?(?:,|et|à|ou)\s(?:{_CODED}|-\d+|{_PLAIN})(?!\s?(?:%|€|ans|mois|euros|\d)))*)"
)
_STANDALONE: Final = re.compile(
    rf"(?<![\w-])([LRD]\s?\*?\.?\s?\*?\s?\d{{1,4}}(?:-\d+)+(?!\w)|[LRD]\*?\.\s?\d{{1,4}}(?!\w)|\d{{1,4}}\s{_LATIN}(?:\s[A-Z]{{1,2}}\b)?)"
)
_LAW: Final = re.compile(
    r"\b(?:lois?|décrets?|ordonnances?|arrêtés?|règlements?|directives?|délibérations?|amendements?)"
    r"(?:\s+(?:européen(?:ne)?s?|organique|ELAN|Climat(?:\s+et\s+résilience)?|Hoguet|ALUR|ESSOC|Barnier|Pinel|(?:UE|CE)))*"
    r"\s+(?:n[°o]\s?)?\(?(\d{2,4}[-/]\d{1,5})(?![\d/])",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"\bn[°o]\s?(\d[\d-]*\d|\d)(?![\d ]*(?:%|€))", re.IGNORECASE)
_BARE_LAW: Final = re.compile(r"(?<![\w/.,-])((?:19|20)\d{2}-\d{1,5})(?![\w/-])")
_DOCTRINE: Final = re.compile(r"\b((?=[A-Z0-9-]*\d)[A-Z]{2,}(?:-[A-Z0-9]+)+|[A-Z]{1,8}\d{4,}[A-Z0-9]*)\b")


@dataclass(frozen=True, slots=True)
class Reference:
    """A rule's number in one form (`L562-1`, `199NOVOVICIES`, `2021-1104`) and where it stands."""

    name: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def references(text: str) -> tuple[Reference, ...]:
    """Rule numbers in order, without overlaps; the longest reading of a place wins."""
    if not _DIGIT.search(text):
        return ()
    found: list[Reference] = []
    for pattern in (_ARTICLE, _LAW, _STANDALONE, _DOCTRINE, _NUMBERED, _BARE_LAW):
        for match in pattern.finditer(text):
            start, end = match.span(1)
            if pattern is _BARE_LAW and _is_range_of_years(match.group(1)):
                continue
            if all(end <= other.start or start >= other.end for other in found):
                found.extend(_names(match.group(1), start, end))
    return tuple(sorted(found, key=lambda reference: reference.start))


def _is_range_of_years(text: str) -> bool:
    first, _, second = text.partition("-")
    return (len(second) == 4 and 1900 <= int(second) <= 2100) or (len(second) == 2 and int(second) > int(first[2:]))


def _names(text: str, start: int, end: int) -> list[Reference]:
    """`L. 541-1 à L. 541-9` names two articles; `L. 125-5 à -7` too."""
    names: list[Reference] = []
    for piece in re.split(r"\s?(?:,|\bet\b|\bà\b|\bou\b)\s", text):
        name = re.sub(r"[\s.*]", "", piece).upper()
        if name.startswith("-") and names:
            name = names[-1].name.rsplit("-", 1)[0] + name
        names.append(Reference(name, start, end))
    return names


@lru_cache(maxsize=8192)
def schemes(text: str) -> frozenset[str]:
    """Schemes named in the text, by their corpus entity."""
    plain = text.replace("’", "'")
    return frozenset(s.id for s in known_schemes().values() if s.names and s.names.search(plain))
