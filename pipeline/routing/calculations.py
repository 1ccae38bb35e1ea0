"""A French request ("achat 190 000 € tout compris, loyer 800 €/mois…") -> inputs of a calculation, or what is missing.

Nothing is guessed: an amount that no word explains, or two amounts for one thing, make the reading incomplete.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from pipeline.routing.assembling import ASSEMBLE, ONE_DURATION, SUMMED, Said
from pipeline.routing.calculation_words import KINDS, NAMES, PERCENT, money_words
from pipeline.text.amounts import euros, percent
from pipeline.text.figures import figures
from pipeline.text.wording import in_digits

LONGEST = 2_000
CUT = re.compile(r"[,;.\n]|\bet\b|\bavec\b")
LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s+")


@dataclass(frozen=True, slots=True)
class Reading:
    """`arguments` for the tool "calculator", or None when something is `missing` (French names)."""

    kind: str
    arguments: Mapping[str, Any] | None
    missing: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """What to ask back; empty when nothing is missing."""
        return f"Pour ce calcul, précisez : {' ; '.join(self.missing)}." if self.missing else ""


def read_request(text: str, *, before: Sequence[str] = ()) -> Reading | None:
    """None when no calculation with figures is asked for. Never raises.

    `before`: what the same person said earlier of the same operation; a value said later takes the earlier one's place.
    """
    if sum(map(len, (text, *before))) > LONGEST:
        return None
    told = [_plain(each) for each in (*before, text)]
    kind = next(filter(None, map(_kind, told)), None)
    if kind is None:
        return None
    said = [_said(plain) for plain in told]
    fields, unclear = reduce(_together, (_fields(kind, each) for each in said))
    amounts = any(s.value.unit == "€" for each in said for s in each)
    if not amounts and not any(name in fields for name in money_words(kind)):
        return None
    arguments, missing = ASSEMBLE[kind](fields, "\n".join(told))
    missing = [*missing, *unclear]
    return Reading(kind, None if missing else {"kind": kind, **arguments}, tuple(dict.fromkeys(missing)))


def _plain(text: str) -> str:
    return in_digits(LIST_NUMBER.sub("", text).replace("’", "'"))


def _kind(plain: str) -> str | None:
    line = " ".join(plain.split())
    return next((kind for kind, pattern in KINDS if pattern.search(line)), None)


Named = tuple[dict[str, list["Said"]], list[str]]


def _together(earlier: Named, now: Named) -> Named:
    """What was unclear earlier is settled by a word that now explains the amount, or that names the value again."""
    fields, unclear = now
    settled = {_what_is(said) for several in fields.values() for said in several}
    named = tuple(NAMES.get(name, ONE_DURATION) for name in fields)
    left = [doubt for doubt in earlier[1] if doubt not in settled and not doubt.startswith(named)]
    return {**earlier[0], **fields}, [*left, *unclear]


def _said(plain: str) -> list[Said]:
    found = [
        v
        for v in figures(plain)
        if not isinstance(v.value, str) and v.kind in ("amount", "percent", "measure", "number")
    ]
    listed = []
    for index, value in enumerate(found):
        before = plain[found[index - 1].end if index else 0 : value.start]
        rest = plain[value.end : found[index + 1].start if index + 1 < len(found) else len(plain)]
        listed.append(Said(value, CUT.split(before)[-1], CUT.split(rest)[0], before))
    return listed


def _fields(kind: str, said: Sequence[Said]) -> tuple[dict[str, list[Said]], list[str]]:
    """Field -> amounts; and the amounts that no word explains, or that two words could."""
    fields: dict[str, list[Said]] = {}
    unclear: list[str] = []
    alone: list[Said] = []
    for each in said:
        value = each.value
        if value.kind == "measure" and value.unit in ("an", "mois"):
            name: str | None = "duration"
        elif value.kind == "percent":
            name = _label(each, PERCENT.get(kind, {}))
        elif value.unit == "€" or (value.kind == "number" and not value.unit):
            name = _label(each, money_words(kind), strict=value.unit != "€")
            if kind == "yield" and name == "cost" and value.period == "mois":
                name = "rent"  # nobody pays a price by the month
        else:
            continue
        if name is None and value.unit in ("€", "%"):
            unclear.append(_what_is(each))
            alone += [each] if value.unit == "€" else []
        elif name is not None:
            fields.setdefault(name, []).append(each)
    if kind == "loan" and len(alone) == 1 and "principal" not in fields and {"annual_rate", "duration"} & set(fields):
        fields["principal"] = alone
        unclear.remove(_what_is(alone[0]))  # a loan has one amount: nothing else can be meant
    for name, several in fields.items():
        if name not in SUMMED and len({(s.number, s.value.period, s.value.unit) for s in several}) > 1:
            unclear.append(f"{NAMES.get(name, ONE_DURATION)} (deux valeurs : {', '.join(map(_shown, several))})")
    return fields, unclear


def _label(said: Said, words: Mapping[str, str], *, strict: bool = False) -> str | None:
    """« 800 € de loyer », then the last word of the clause before, then the words after, then those further before."""
    for name, pattern in words.items():
        if re.match(rf"\s*(?:(?:de|du|des|en|pour)\s+|d')(?:la\s+|l')?(?:{pattern})", said.after, re.IGNORECASE):
            return name
    places = (said.clause,) if strict else (said.clause, said.after, said.before)
    for place in places:
        ends = {
            name: (match.end(), len(match.group()))
            for name, pattern in words.items()
            for match in re.finditer(pattern, place, re.IGNORECASE)
        }
        if ends:
            return (
                max(ends, key=lambda name: ends[name]) if place is not said.after else min(ends, key=lambda n: ends[n])
            )
    return None


def _what_is(said: Said) -> str:
    return f"à quoi correspond {_shown(said)}"


def _shown(said: Said) -> str:
    shown = {"€": euros(said.number), "%": percent(said.number), "an": f"{said.number:g} ans"}
    return shown.get(said.value.unit, f"{said.number:g} {said.value.unit}".strip())
