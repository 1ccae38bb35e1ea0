"""What stands right before a date or a number and turns it round: until or from, less than or more than."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pipeline.grounding.clauses import Sentence, family
from pipeline.grounding.lexicon import flat, marks
from pipeline.text.figures import Value, supports

_FILL: Final = r"(?:\s|le |la |l'|les |du |de |d'|fin |debut |au |a |en |1er |annee |mois |date )*$"
_UNTIL: Final = re.compile(
    rf"(?<!\w)(?:avant|jusqu'(?:au|a|en|aux|ici)|au plus tard|anterieure?s? (?:au|a)|d'ici|expir\w+|"
    rf"prend fin|s'arret\w+|se termin\w+){_FILL}"
)
_FROM: Final = re.compile(
    rf"(?<!\w)(?:apres|a partir d\w+|a compter d\w+|des|depuis|posterieure?s? (?:au|a)|au-dela d\w+|"
    rf"ulterieure?s? (?:au|a)|passe|commenc\w+|debut\w+|demarr\w+){_FILL}"
)
_RANGE_START: Final = re.compile(r"(?<!\w)(?:entre|du|de)\s+(?:le )?$")
_RANGE_END: Final = re.compile(r"(?<!\w)(?:du|entre|de)\s[^,;.]{3,26}\s(?:au|a|et|et le)\s+(?:le )?$")
_RANGE_GOES_ON: Final = re.compile(r"^\s*(?:au|a|et|jusqu'au)\s(?!plus|moins)")
_LESS: Final = re.compile(
    r"(?<!\w)(?:moins d\w+|inferieure?s? a|sous|au plus|au maximum|maximum d\w+|plafonn\w+ a|limit\w+ a|"
    r"dans la limite d\w+|en dessous d\w+|jusqu'a|avant)\s*(?:les |la |le |ses )?$"
)
_MORE: Final = re.compile(
    r"(?<!\w)(?:plus d\w+|superieure?s? a|au moins|au-dela d\w+|au-dessus d\w+|au minimum|minimum d\w+|des|apres|passe|"
    r"partir d\w+)\s*(?:les |la |le |ses )?$"
)
_BEGINS: Final = re.compile(r"(?<!\w)(?:commenc\w+|debut\w+|demarr\w+|s'ouvre\w*|part) (?:a|des)\s*$")
_ENDS: Final = re.compile(r"(?<!\w)(?:s'arret\w+|fini\w*|s'achev\w+|se termin\w+|cess\w+|prend fin|plafonne) a\s*$")
_PASSING: Final = re.compile(r"(?<!\w)(?:depass\w*|exced\w*)\s*(?:les |la |le |ses )?$")
_NOT_PASSING: Final = re.compile(r"(?:(?<!\w)(?:ne|sans|pas)\s|(?<!\w)n')[^,;.:]*$")
_NOT_MORE: Final = re.compile(
    r"(?<!\w)(?:pas|jamais)\s(?:[\w'-]+\s){0,4}(?:plus|superieure?s?|au-dela|au-dessus)\s[^,;.:]*$"
)
_PLUS: Final = re.compile(r"(?<!\w)(?:plus d\w+|superieure?s? a|au-dela d\w+|au-dessus d\w+)\s*(?:les |la |le |ses )?$")
_LESS_AFTER: Final = re.compile(r"^\s*(?:au (?:plus|maximum)|et moins|maximum|ou moins)(?!\w)")
_MORE_AFTER: Final = re.compile(r"^\s*(?:au (?:moins|minimum)|et (?:plus|au-dela)|minimum|ou plus|et davantage)(?!\w)")
_WINDOW: Final = 42
_COMES: Final = re.compile(r"(?:\bde|\bd')\s?$")
_GOES: Final = re.compile(r"\s+à\s+")


@dataclass(frozen=True, slots=True)
class Moment:
    """`way` of a date: until it, from it; `side` of a number: below it, above it; empty where nothing is said."""

    way: Literal["until", "from", ""]
    side: Literal["less", "more", ""]
    dated: bool


def moment_of(sentence: Sentence, value: Value) -> Moment:
    before = sentence.text[max(0, value.start - _WINDOW) : value.start]
    after = sentence.text[value.end : value.end + _WINDOW]
    return _told(before, after, value.unit, dated=family(value)[0] == "date")


@lru_cache(maxsize=8192)
def _told(before: str, after: str, unit: str, *, dated: bool) -> Moment:
    before, after = flat(before), flat(after)
    return Moment(_way(before, after) if dated else "", _side(before, after) or _edge(before, unit), dated)


def _edge(before: str, unit: str) -> Literal["less", "more", ""]:
    """« la tranche commence à 11 498 € »; a rate that begins at 5 % bounds nothing."""
    if unit == "%":
        return ""
    return "more" if _BEGINS.search(before) else "less" if _ENDS.search(before) else ""


def _way(before: str, after: str) -> Literal["until", "from", ""]:
    if _UNTIL.search(before) or _RANGE_END.search(before):
        return "until"
    if _FROM.search(before) or (_RANGE_START.search(before) and _RANGE_GOES_ON.search(after)):
        return "from"
    return ""


def _side(before: str, after: str) -> Literal["less", "more", ""]:
    if _PASSING.search(before):
        return "less" if _NOT_PASSING.search(before) else "more"
    if _PLUS.search(before):
        return "less" if _NOT_MORE.search(before) else "more"
    if _LESS.search(before) or _LESS_AFTER.search(after):
        return "less"
    return "more" if _MORE.search(before) or _MORE_AFTER.search(after) else ""


def against(claim: Moment, source: Moment) -> bool:
    """Whether the two say the opposite of their date or number."""
    if claim.way and source.way and claim.way != source.way:
        return True
    return not claim.dated and bool(claim.side and source.side) and claim.side != source.side


def goes_to(sentence: Sentence, value: Value) -> Value | None:
    """The figure to which this one goes."""
    after = (v for v in sentence.values if v.start > value.start)
    found = next((v for v in after if family(v) == family(value)), None)
    if found is None or not _GOES.fullmatch(sentence.text[value.end : found.start]):
        return None
    return found if _COMES.search(sentence.text[: value.start]) else None


def backwards(claim: Sentence, said: Value, source: Sentence) -> bool:
    """`de 20 % à 12 %` where the source says `de 12 % à 20 %`."""
    following = goes_to(claim, said)
    if following is None:
        return False
    goals = ((other, goes_to(source, other)) for other in source.values)
    return any(goal and supports(other, following) and supports(goal, said) for other, goal in goals)


def left(claim: Sentence, said: Value, source: Sentence, held: Value) -> bool:
    """12 % of « est passée de 12 % à 20 % », given for what is."""
    goal = goes_to(source, held)
    if goal is None or goes_to(claim, said) is not None or "past" in marks(claim.raw):
        return False
    return not any(supports(goal, value) for value in claim.values)
