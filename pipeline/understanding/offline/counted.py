"""Numbers that words beside them turn into others: a year into an age or a time that has passed, the amount of one of
several homes into that of all."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from pipeline.reading import Quantity, Role
from pipeline.understanding import cues
from pipeline.understanding.cues import cue

MONTHS: Final = 12
"""Of a year."""


def elapsed(low: str, found: Sequence[Quantity], today: date) -> list[Quantity]:
    """« capital restant apres 7 ans »: the time that has passed is no duration of the loan."""
    if not cue("beside.remaining").search(low):
        return list(found)
    told = []
    for q in found:
        told_by = cue("beside.after").search(low[: q.start]) or cue("beside.paid").match(low[q.end :])
        if told_by or cue("beside.instalment").search(low[q.start : q.end]):
            if q.unit in ("year", "date"):
                begun = q.day or today.replace(year=int(q.value), day=1)
                q = replace(q, value=_months(begun, today), unit="months", day=None)
            q = replace(q, role="elapsed", confidence=1.0) if q.unit in ("years", "months") else q
        told.append(q)
    return told


def _months(begun: date, today: date) -> float:
    """Instalments paid since then, the first a month later; of a year alone, since the same month."""
    return max(0.0, 12.0 * (today.year - begun.year) + today.month - begun.month)


def born(low: str, found: Sequence[Quantity], today: date) -> list[Quantity]:
    """« né en 1950 » is an age."""
    return [
        replace(q, value=float(_months(q.day or date(int(q.value), 7, 1), today) // 12), unit="years", day=None)
        if q.unit in ("year", "date") and cue("beside.born").search(low[: q.start])
        else q
        for q in found
    ]


COUNTED: Final = re.compile(
    r"(?<![\w,.])(?P<count>\d{1,2}|deux|trois|quatre|cinq|six|sept|huit|dix) (?:petits? |grands? |autres? |beaux )?"
    r"(?:lots?|appart\w*|studios?|chambres?|logements?|immeubles?|maisons?|garages?|parkings?|places?|biens?|t[1-5]|"
    r"locataires?|colocs?|colocataires?)(?: \w+){0,2}? (?:(?:loues?|louees?|estimes?|valant|payes?) )?(?:a |de )?$"
)
"""« 3 chambres à », « deux studios loués »: what follows is the amount of one of them."""
ANOTHER: Final = re.compile(r"^[ ]?(?:€|euros?|k)?[ ]?(?:,|et|puis)[ ]?(?:a |de )?\d")
NUMBERS: Final = {"deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "dix": 10}


def each_counted(low: str, found: Sequence[Quantity]) -> list[Quantity]:
    """« 4 lots à 520 », « deux studios loués 410 chacun »: the amount of one, times how many; each of a list of
    amounts (« deux apparts à 400 000 et 350 000 ») stands by itself."""
    told = []
    for q in found:
        count = COUNTED.search(low[max(0, q.start - 60) : q.start]) if q.unit in ("", "€") else None
        alone = not ANOTHER.match(low[q.end :])
        if count and alone and q.value >= 20:
            q = replace(q, value=q.value * (NUMBERS.get(count["count"]) or int(count["count"])))
        told.append(q)
    return told


def let_months(low: str, found: Sequence[Quantity]) -> list[Quantity]:
    """« loués 11 mois sur 12 » is a month without a tenant; « vacance 1 mois par an » is one already."""
    told = []
    for q in found:
        let = cue("beside.let_before").search(low[: q.start]) or cue("beside.let_behind").match(low[q.end :])
        of_a_year = let and cue("beside.of_a_year").match(low[q.end :]) and q.unit == "months" and q.value < MONTHS
        told.append(replace(q, value=MONTHS - q.value, role="vacancy", confidence=1.0) if of_a_year else q)
    return told


INSTEAD: Final = re.compile(r"(?:,? ?\bpas|au lieu de|plutot que|et non(?: pas)?|\bnon) (?:les? |a |de |sur )?$")


def zeroed(low: str) -> tuple[Role, ...]:
    """« sans apport », « hors assurance », « pas de travaux »."""
    said = []
    for role, pattern in cues.patterns("zeroed").items():
        if re.search(
            rf"\b(?:sans|hors|pas de|pas d'|enleve|retire|oublie|aucune?|zero) (?:l'|la |le |les |d'|"
            rf"aucune? )?(?:{pattern.pattern})",
            low,
        ):
            said.append(role)
    return tuple(said)


def replaced(low: str, found: Sequence[Quantity]) -> float | None:
    """« 180 pas 150 », « 20 au lieu de 25 »: the value that gives way."""
    return next((q.value for q in found if INSTEAD.search(low[max(0, q.start - 24) : q.start])), None)
