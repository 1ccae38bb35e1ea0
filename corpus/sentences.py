"""French sentence boundaries, made for legal text: `art. 84`, `L. 541-1`, `10 700 €.`, `en zone A. Le plafond`."""

import re
from typing import Final

from corpus.french import fold
from corpus.lexicon import STOP_WORDS

# syntok cuts after "art." and "env.", leaves the closing guillemet to the next sentence and does not cut after "€.".
_END: Final = re.compile(
    r"(?:[.!?…]+)(?:[ \u00a0\u202f]?[»”\")\]])*[ \u00a0\u202f]+(?=[«“\"(\[\-–—]?[ \u00a0\u202f]?[^\W_])"
)
_ABBREVIATED: Final = """
    al art arts av bd boul cf ch chap col dr ed env ex fig hab jr mgr m mm n no nb op p par pp r ref reg s sect sq st
    ste t tel trim v vol adm const comm cass civ ann max min
"""
_ABBREVIATIONS: Final = frozenset(_ABBREVIATED.split())
_NEVER_LAST: Final = _ABBREVIATIONS & {"al", "art", "arts", "cf", "ch", "chap", "ed", "env", "ex", "n", "nb", "p", "pp"}


def sentences(text: str) -> list[str]:
    """Whole sentences in order; a line break always ends one. Joined, they hold all but the spacing."""
    return [sentence for line in text.splitlines() for sentence in _of_line(line.strip()) if sentence]


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if _cuts(line[start : end.start()], end.group().strip(), line[end.end() :]):
            found.append(line[start : end.end()].strip())
            start = end.end()
    return [*found, line[start:].strip()]


def _cuts(before: str, mark: str, after: str) -> bool:
    """Whether the punctuation between the two ends a sentence. In doubt no: a cut one misleads."""
    if before.count("«") > before.count("»") and "»" in after:  # what is quoted stays in one piece
        return False
    follower = after.lstrip('«“"([-–— \u00a0\u202f')
    if follower[:1].islower():
        return False
    if mark != ".":
        return True
    last = re.split(r"[\s'’(«]", before)[-1]
    word = fold(last).lower()
    if word in _NEVER_LAST or (word in _ABBREVIATIONS and last[:1].isupper()):
        return False
    if word in _ABBREVIATIONS and follower[:1].isdigit():
        return False
    if last.isdigit() and not re.search(r"\w", before[: -len(last)]):
        return False  # "1. Le bailleur": the number of a list item
    if re.fullmatch(r"[A-Z](?:\.?-[A-Z])+", last):
        return False  # "J.-C. Martin"
    if re.fullmatch(r"[A-Z]", last):
        # "zone A. Le plafond" ends, "L. 541-1" and "J. Martin" do not.
        return fold(re.split(r"[\s'’,]", follower)[0]).lower() in {*STOP_WORDS, "l", "d", "c", "s", "n", "non", "oui"}
    return True
