"""A French request ("achat 190 000 € tout compris, loyer 800 €/mois…") -> inputs of a calculation, or what is missing.

Nothing is guessed: an amount that no word explains, or two amounts for one thing, make the reading incomplete.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from pipeline.reading.amounts import euros, percent
from pipeline.reading.figures import Value, figures
from pipeline.reading.wording import in_digits
from pipeline.routing.calculation_words import KINDS, NAMES, PERCENT, money_words

LONGEST = 2_000
SUMMED = frozenset({"extra_cost", "charges", "debts", "works", "acquisition_costs", "sale_costs"})
"""Fields of which a request may name several parts."""
CUT = re.compile(r"[,;.\n]|\bet\b|\bavec\b")
ONE_DURATION = "une seule durée"
YEARLY = re.compile(r"taxes? foncière|\bTF\b|\bPNO\b", re.IGNORECASE)
"""Charges that are due once a year whatever is said."""
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


@dataclass(frozen=True, slots=True)
class Said:
    """An amount and the words around it: in its clause, right after it, and since the amount before."""

    value: Value
    clause: str
    after: str
    before: str

    @property
    def number(self) -> float:
        """Signed: « taux de -1 % », « moins 1 % », « taux négatif de 1 % » must not become a loan at 1 %;
        a dash and a space begin a line of a list."""
        number = abs(float(self.value.value))
        minus = re.search(r"(?:^|[\s(:])[-−–]$", self.before)
        worded = self.value.unit == "%" and re.search(r"négati|\bmoins\s*$", self.clause, re.IGNORECASE)
        return -number if minus or worded else number


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
        elif name is not None:
            fields.setdefault(name, []).append(each)
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


Fields = Mapping[str, Sequence[Said]]
Assembled = tuple[dict[str, Any], list[str]]


def _total(fields: Fields, name: str, *, per: str = "") -> float | None:
    """The amount, parts summed, converted to `per` month or year; amounts without a period are taken as they are."""
    if name not in fields:
        return None
    parts = fields[name] if name in SUMMED else fields[name][:1]
    factor = {("an", "mois"): 1 / 12, ("mois", "an"): 12.0}
    return round(sum(s.number * factor.get((s.value.period or _worded(s), per), 1.0) for s in parts), 2)


def _worded(said: Said) -> str:
    """ "loyers annuels de 9 600 €", "charges mensuelles 120 €"."""
    words = f"{said.clause} {said.after}".lower()
    return (
        "an"
        if re.search(r"\bannuel|\bpar an\b|/an", words)
        else "mois"
        if re.search(r"\bmensuel|par mois", words)
        else ""
    )


def _take(fields: Fields, **names: str) -> Assembled:
    """Argument -> field, each required."""
    arguments = {argument: _total(fields, name) for argument, name in names.items()}
    return arguments, [NAMES[name] for argument, name in names.items() if arguments[argument] is None]


def _yield(fields: Fields, plain: str) -> Assembled:
    arguments, missing = _take(fields, cost="cost")
    if arguments["cost"] is not None and (extra := _total(fields, "extra_cost")) is not None:
        arguments["cost"] = round(arguments["cost"] + extra, 2)
    elif not re.search(
        r"tout compris|frais (?:de notaire )?(?:inclus|compris)|acte en main|\bFAI\b.*notaire", plain, re.I
    ):
        arguments["fees_known"] = False
    arguments["rent_per_month"] = _total(fields, "rent", per="mois")
    missing += [NAMES["rent"]] if arguments["rent_per_month"] is None else []
    if "charges" in fields:
        arguments["charges_per_year"] = _total(fields, "charges", per="an")
        dated = all(s.value.period or _worded(s) or YEARLY.search(s.clause) for s in fields["charges"])
        missing += [] if dated else [NAMES["charges"]]
    if "marginal_rate" in fields:
        arguments["marginal_rate"] = _total(fields, "marginal_rate")
        missing += [] if "charges" in fields else ["les charges annuelles"]
    return arguments, missing


def _loan(fields: Fields, plain: str) -> Assembled:
    arguments, missing = _take(fields, principal="principal", annual_rate="annual_rate")
    arguments["months"] = _months(fields)
    missing += [NAMES["months"]] if arguments["months"] is None else []
    if "insurance_rate" in fields:
        arguments["insurance_rate"] = _total(fields, "insurance_rate")
    return arguments, missing


def _debt(fields: Fields, plain: str) -> Assembled:
    arguments: dict[str, Any] = {
        "monthly_debts": _total(fields, "debts", per="mois"),
        "monthly_income": _total(fields, "income", per="mois"),
    }
    missing = [NAMES["debts"]] if arguments["monthly_debts"] is None else []
    if not all(s.value.period or _worded(s) for s in fields.get("income", ())) or "income" not in fields:
        missing.append(NAMES["income"])
    if (months := _months(fields)) is not None:
        arguments |= {"years": months / 12, "deferred": bool(re.search(r"différé|VEFA|sur plan", plain, re.IGNORECASE))}
    return arguments, missing


def _gain(fields: Fields, plain: str) -> Assembled:
    arguments, missing = _take(fields, sale_price="sale_price", purchase_price="purchase_price")
    months = _months(fields)
    arguments["years"] = None if months is None else months / 12
    missing += [NAMES["years"]] if months is None else []
    for name in ("acquisition_costs", "sale_costs", "works"):
        if name in fields:
            arguments[name] = _total(fields, name)
    return arguments, missing


def _lmnp(fields: Fields, plain: str) -> Assembled:
    arguments, missing = _gain(fields, plain)
    more, also = _take(fields, depreciation="depreciation")
    return {**arguments, **more}, [*missing, *also]


def _relance(fields: Fields, plain: str) -> Assembled:
    arguments, missing = _take(fields, price="price")
    words = plain.lower()
    levels = {"very_social": "très social", "social": "social", "intermediate": "intermédiaire"}
    arguments["level"] = next((level for level, word in levels.items() if word in words), None)
    missing += [NAMES["level"]] if arguments["level"] is None else []
    arguments["state"] = "existing" if re.search(r"\bancien\b|rénov", words) else "new"
    arguments["house"] = bool(re.search(r"\bmaison", words))
    if "works" in fields:
        arguments["works"] = _total(fields, "works")
    elif arguments["state"] == "existing":
        missing.append(NAMES["works"])
    return arguments, missing


def _months(fields: Fields) -> float | None:
    if "duration" not in fields:
        return None
    said = fields["duration"][0]
    return said.number * (12 if said.value.unit == "an" else 1)


ASSEMBLE = {"yield": _yield, "loan": _loan, "debt": _debt, "capital_gain": _gain, "lmnp": _lmnp, "relance": _relance}
