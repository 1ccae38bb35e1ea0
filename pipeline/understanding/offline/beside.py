"""What stands right beside a number and says what it is, whatever the rest of the message is about."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from pipeline.reading import Quantity, Role
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import row_of

REACH: Final = 34
JOINED: Final = (
    r"(?:\s*(?:de|d'|c'est|a|à|:|=|est|sont|etait|vaut|valant|plutot|estimee?|evaluee?|passe a|en plus|"
    r"environ|hors assurance)\b|"
    r"\s*[:=])*\s*[-−]?"
)
EITHER: Final = re.compile(r"^\s*(?:ou|voire|ou plutot)\s*$")
BETWEEN: Final = re.compile(r"\bentre\s*$")


@cache
def _sides() -> tuple[tuple[Role, re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...]:
    """Role, its noun before a number, behind it, and behind it at the end of its part of the sentence."""
    return tuple(
        (
            role,
            re.compile(rf"(?:{noun.pattern}){JOINED}$"),
            re.compile(rf"^\s?(?:€|euros?)?\s?(?:d[eu]s? |d')(?:l'|la |les )?(?:{noun.pattern})"),
            re.compile(rf"^\s?(?:€|euros?)?\s?(?:{noun.pattern})\s?(?=[,;.?)+]|$|et\b)"),
        )
        for role, noun in cues.patterns("adjacent").items()
    )


YIELDS: Final = re.compile(r"\b(?:brut|net)e?$")
"""« 6 % brut »."""
HIGHEST_BRACKET: Final = 50
SURE: Final = 0.8
"""A role that was read with more confidence stands."""
SURELY: Final = 0.95
"""The same against a noun behind the number: « 15 000 de travaux » says it in so many words."""
UNTAUGHT: Final = frozenset(("gain", "main_home", "insurance"))
"""Roles that no training message has: what was read instead is worth nothing."""
MONTHLY: Final = frozenset(("income", "rent", "charges", "existing_debt"))
DEBTS: Final = frozenset(("charges", "rent"))
"""What a household pays before it borrows: in its capacity these are its debts."""


def named_beside(low: str, found: Sequence[Quantity], kind: str) -> list[Quantity]:
    """The same quantities; one that a noun stands right beside is what the noun says: « 6 000 de charges »,
    « interets d'emprunt 4000 ». The words after it outweigh those before."""
    told = []
    for index, quantity in enumerate(found):
        start = found[index - 1].end if index else 0
        before = low[max(start, quantity.start - REACH) : quantity.start]
        behind = low[quantity.end : quantity.end + REACH]
        left = next((role for role, pattern, *_ in _sides() if pattern.search(before)), None)
        right = next((role for role, _, pattern, _ in _sides() if pattern.search(behind)), None)
        if left is None and right is None:  # « 690/mois, 1 150 TF, 130 PNO »
            right = next((role for role, *_, pattern in _sides() if pattern.search(behind)), None)
        if quantity.unit == "%" and right == "rent":
            right = None  # « gestion 7 % des loyers » is a share of the rents
        role = right or left
        if role == "insurance" and kind not in ("calc_yield", "calc_regime"):
            role = None
        if role == "interest":
            role = role if kind == "calc_regime" else None
        elif (
            quantity.confidence >= (SURELY if role == right else SURE)
            and quantity.role != "other"
            and role not in UNTAUGHT
        ) or (kind == "calc_capacity" and role in DEBTS):
            role = None
        if role and not fits(role, quantity):
            role = None
        if role == "charges" and quantity.unit == "" and "gestion" in before and quantity.value <= 15:
            quantity = replace(quantity, unit="%")
        if quantity.unit == "year" and left in MONTHLY and not quantity.value % 50:
            role, quantity = left, replace(quantity, unit="€")  # « revenu 2000 » is no year
        elif quantity.unit in ("years", "months", "year", "date", "m²") and role not in ("vacancy",):
            role = None
        told.append(replace(quantity, role=role, confidence=1.0) if role else quantity)
    return told


def fits(role: Role, quantity: Quantity) -> bool:
    """Whether a number of this size can be that; its unit may be what the noun puts right."""
    row = row_of(role)
    if quantity.unit == "%" and "%" not in row.units:
        return False
    return quantity.value <= row.most and (role != "tmi" or quantity.value <= HIGHEST_BRACKET)


BRACKETS: Final = frozenset((0, 11, 30, 41, 45))
"""Percent."""
LEAST_RATE: Final = 0.7
"""Percent: below, where an insurance is spoken of, it is the insurance's."""
RESTATED: Final[Mapping[float, Role]] = {7.5: "fees_percent", 15: "other"}
"""Percent of the lump sums of the law: the works' own needs no input."""


def parts(low: str, found: Sequence[Quantity], kind: str) -> list[Quantity]:
    """« il a 40 % d'un bien vendu 350k » is the seller's share, « différé de 24 mois » no duration of the loan."""
    told = []
    for q in found:
        before, behind = low[: q.start], low[q.end :]
        role = q.role
        if kind == "calc_gain" and q.unit in ("%", "") and q.value in RESTATED and "forfait" in low:
            role = RESTATED[q.value]
        elif kind == "calc_capacity" and role in RECEIVED and _received(before, behind):
            role = "rent"
        elif kind == "calc_capacity" and role == "income" and q.confidence < SURE and _asks_income(low):
            role = "monthly_cap"
        elif kind == "calc_capacity" and cue("beside.ends").match(behind):
            role = "other"  # « loyer actuel 850 qui va s'arrêter »
        elif q.unit in ("", "€") and q.confidence < SURE and cue("beside.works_before").search(before):
            role = "works"
        elif (
            kind == "calc_gain"
            and q.unit == "%"
            and (cue("beside.part_before").search(before) or cue("beside.part_behind").match(behind))
        ):
            role = "share"
        elif kind == "calc_yield" and q.unit in ("€", "") and q.value >= LEAST_FEES and _fees(before, behind):
            role = "fees_amount"
        elif q.unit in ("%", "") and q.value in BRACKETS and cue("beside.bracket_before").search(before):
            role = "tmi"
        elif kind in ("calc_loan", "calc_capacity") and q.unit in ("%", "") and _insures(q, low):
            role = "insurance"
        elif kind == "calc_yield" and q.unit == "%" and YIELDS.search(flat(q.text)):
            role = "target_yield"
        elif q.unit in ("months", "years") and (
            cue("beside.deferred").search(before) or behind.startswith(" de differe")
        ):
            role = "defer"
        told.append(q if role == q.role else replace(q, role=role, confidence=1.0))
    return told


LEAST_FEES: Final = 3_000
"""Euros: below, the costs of a letting may be called « frais » as well."""


def _fees(before: str, behind: str) -> bool:
    """« avec 11 000 de frais » of a home that is bought."""
    return cue("beside.fees_behind").match(behind) is not None or cue("beside.fees_before").search(before) is not None


RECEIVED: Final = frozenset(("existing_debt", "rent", "charges", "other"))


def _asks_income(low: str) -> bool:
    """« quel revenu pour une mensualité de 2 100 € »: the amount is no income."""
    return cue("options.wants_income").search(low) is not None


def _insures(q: Quantity, low: str) -> bool:
    """Too little for a loan's rate: the insurance's, where one is spoken of."""
    return 0 < q.value < LEAST_RATE and "assur" in low and q.role in ("rate", "other", "insurance", "target_yield")


def _received(before: str, behind: str) -> bool:
    """« 700 de loyer perçu » is no debt."""
    said = cue("beside.received_before").search(before) or cue("beside.received_behind").match(behind)
    return said is not None


def alternatives(low: str, found: Sequence[Quantity]) -> tuple[float, ...]:
    """The second of two values of which one holds: « 800 ou 950 », « entre 800 et 950 »; they are never added up."""
    second = []
    for one, other in itertools.pairwise(found):
        between = low[one.end : other.start]
        either = EITHER.match(between) or (BETWEEN.search(low[: one.start]) and re.fullmatch(r"\s*et\s*", between))
        if either and one.role == other.role and one.unit == other.unit:
            second.append(other.value)
    return tuple(second)
