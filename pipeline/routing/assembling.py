"""The amounts of a request, once named, -> typed arguments of a calculation, or the French names of what is missing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.routing.calculation_words import NAMES
from pipeline.text.figures import Value

SUMMED = frozenset({"extra_cost", "charges", "debts", "works", "acquisition_costs", "sale_costs"})
"""Fields of which a request may name several parts."""
ONE_DURATION = "une seule durée"
YEARLY = re.compile(r"taxes? foncière|\bTF\b|\bPNO\b", re.IGNORECASE)
"""Charges that are due once a year whatever is said."""


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
    if re.search(r"\bco[uû]te?\b", plain, re.IGNORECASE) and not re.search(r"mensualité", plain, re.IGNORECASE):
        arguments["cost_first"] = True
    return arguments, missing


def _capacity(fields: Fields, plain: str) -> Assembled:
    arguments, missing = _take(fields, annual_rate="annual_rate")
    arguments |= {"monthly_income": _total(fields, "income", per="mois"), "months": _months(fields)}
    if not all(s.value.period or _worded(s) for s in fields.get("income", ())) or "income" not in fields:
        missing.append(NAMES["income"])
    missing += [NAMES["months"]] if arguments["months"] is None else []
    if "debts" in fields:
        arguments["monthly_debts"] = _total(fields, "debts", per="mois")
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


ASSEMBLE = {
    "yield": _yield,
    "loan": _loan,
    "capacity": _capacity,
    "debt": _debt,
    "capital_gain": _gain,
    "lmnp": _lmnp,
    "relance": _relance,
}
