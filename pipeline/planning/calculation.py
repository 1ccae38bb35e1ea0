"""A calculation's inputs as they were typed -> the calculator's arguments, in its units."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pipeline.planning.named_arguments import furnished, of_named, parts_told
from pipeline.planning.slot_values import (
    amounts,
    asked,
    fees_of,
    in_months,
    in_thousands,
    many,
    monthly,
    monthly_of,
    months,
    one,
    paid_already,
    put_down,
    rate_of,
    total,
    yearly,
    yearly_of,
    years_held,
)
from pipeline.reading import Quantity, Reading, Role
from pipeline.thread_state import Frame, Slots
from pipeline.types import ToolCall
from pipeline.understanding.named_calculations import KINDS, applies
from pipeline.understanding.roles import NEEDS, SAID_OTHERWISE

Arguments = dict[str, Any]


def calculator_call(frame: Frame) -> ToolCall:
    """The call of the frame's calculation with all that is known; what is missing the calculator asks back."""
    named = {kind for kind in KINDS & frame.options if applies(kind, frame.slots)}
    kind = "calc_loan" if frame.kind == "calc_capacity" and _without_income(frame) else frame.kind
    name = min(named, default=kind.removeprefix("calc_"))
    told = of_named(name, frame.slots, frame.options) if named else _MAKERS[kind](frame.slots, frame.options)
    known = {argument: value for argument, value in told.items() if value is not None}
    return ToolCall("calculator", {"kind": name, **known})


def _without_income(frame: Frame) -> bool:
    """« combien il emprunte avec 1 100 par mois, 25 ans à 3,5 » has all that a loan needs, and no income, nor asks for
    one."""
    needs = all(any(role in frame.slots for role in group) for group in NEEDS["calc_loan"])
    return needs and not {"income", "existing_debt"} & frame.slots.keys() and "wants_income" not in frame.options


def alternative_calls(frame: Frame, reading: Reading) -> list[ToolCall]:
    """One calculation, or two where a value is said as « 800 ou 950 »."""
    if not reading.alternatives:
        return [calculator_call(frame)]
    second = set(reading.alternatives)
    sides = []
    for of_second in (False, True):
        slots = {}
        for role, values in frame.slots.items():
            split = any(q.value in second for q in values) and role not in ("rate", "duration")
            slots[role] = tuple(q for q in values if (q.value in second) is of_second) or values if split else values
        sides.append(calculator_call(replace(frame, slots=slots)))
    return sides if sides[0] != sides[1] else sides[:1]


def beside_earlier(call: ToolCall, frame: Frame, focus: Frame | None) -> ToolCall:
    """With the calculation that this one changes, where the thread's last one is the same with another input."""
    if focus is None or not focus.results or (focus.kind, focus.root) != (frame.kind, frame.root):
        return call
    earlier = calculator_call(focus)
    same = earlier.arguments["kind"] == call.arguments["kind"] and focus.slots != frame.slots
    if not same or focus.slots.keys() - frame.slots.keys() - SAID_OTHERWISE.keys():
        return call
    gap = {"gap": True} if "wants_gap" in frame.options else {}
    return ToolCall(call.tool, {**call.arguments, "earlier": dict(earlier.arguments), **gap})


def _loan(slots: Slots, options: frozenset[str]) -> Arguments:
    paid = [q for q in slots.get("insurance", ()) if q.unit != "%" and q.value >= 2]
    price = one(slots, "purchase_price") or one(slots, "total_cost")
    principal = one(slots, "loan_amount")
    if price is None and any(q.unit == "%" for q in slots.get("down_payment", ())):
        price, principal = principal, None  # a share of what the purchase costs
    return {
        "loan_amount": principal,
        "purchase_price": None if principal is not None else price,
        "down_payment": put_down(slots, price),
        **({} if principal is not None else fees_of(slots)),
        "rate": many(slots, "rate"),
        "months": months(slots),
        "insurance_rate": None if paid else rate_of(slots, "insurance"),
        "insurance_monthly": monthly(paid[0], yearly_from=600) if paid else None,
        "claimed" if "claimed" in options else "monthly_cap": one(slots, "monthly_cap"),
        "in_fine": True if "in_fine" in options else None,
        "after_months": in_months(slots["elapsed"][-1]) if slots.get("elapsed") else None,
        "defer": in_months(slots["defer"][-1]) if slots.get("defer") else None,
        "wanted": _wanted_of_loan(slots, options),
    }


def _wanted_of_loan(slots: Slots, options: frozenset[str]) -> str | None:
    if slots.get("elapsed"):
        return "remaining"
    if "first_year" in options:
        return "first_year"
    both = "wants_instalment" in options
    if "wants_insurance" in options and slots.get("insurance") and not both:
        return "insurance"
    if "wants_gap" in options and any(len(slots.get(role, ())) > 1 for role in ("rate", "duration")):
        return "monthly_gap" if "wants_instalment" in options else "gap"
    if both and "cost" in options and not slots.get("monthly_cap"):
        return "both"
    yearly = "yearly_interest" if "in_fine" in options else "per_year"
    return asked(options, **{yearly: "yearly"}, cost="cost", whole_budget="whole", budget="budget",
                 wants_instalment="instalment")  # fmt: skip


def _yield(slots: Slots, options: frozenset[str]) -> Arguments:
    percents = [q.value for q in slots.get("charges", ()) if q.unit == "%"]
    vacancy = slots.get("vacancy", ())
    unit = {"%": "vacancy_percent", "months": "vacancy_months", "weeks": "vacancy_weeks"}
    empty = {unit[q.unit]: q.value for q in vacancy if q.unit in unit}
    price, whole = one(slots, "purchase_price"), one(slots, "total_cost")
    insurance = [q for q in slots.get("insurance", ()) if q.unit != "%" and q.value >= 2]
    term = months(slots)
    rate = many(slots, "rate")
    if "all_in" in options and whole is None and not _apart(slots):
        price, whole = None, price
    elif "all_in" not in options and price is None:
        price, whole = whole, None  # a price is without fees unless somebody says that it holds them
    sides = ("rent", "price") if slots.get("target_yield") else ()
    side = next((side for side in sides if f"wants_{side}" in options), None)
    told = {
        "purchase_price": None if whole is not None else price,
        "total_cost": whole,
        **({} if whole is not None else fees_of(slots)),
        **_let(slots, options),
        "property_tax": yearly_of(slots, "property_tax", 120),
        "insurance_yearly": yearly(insurance[0], monthly_below=30) if insurance else None,
        "management_percent": percents[0] if percents else None,
        **empty,
        "loan_amount": one(slots, "loan_amount"),
        "down_payment": put_down(slots, price or whole),
        "rate": rate[0] if isinstance(rate, list) else rate,
        "months": term[0] if isinstance(term, list) else term,
        "insurance_rate": rate_of(slots, "insurance"),
        "monthly_payment": one(slots, "monthly_cap") or paid_already(slots),
        "tmi": one(slots, "tmi"),
        "furnished": furnished(options),
        "target_yield": one(slots, "target_yield"),
        "area": one(slots, "area"),
        "micro": True if {"micro", "bare"} <= options else None,
        "gross_target": True if side and "gross" in options else None,
        "wanted": side or asked(options, cash_flow="cash_flow", net_net="net_net", net="net", gross="gross"),
    }
    return {name: value for name, value in told.items() if not (side and "gross" in options and name in COMES_OFF)}


def _apart(slots: Slots) -> bool:
    """« 95 000 plus 7 800 de frais, rendement frais compris ? »: the price does not hold the fees that are told."""
    return any(slots.get(role) for role in ("fees_amount", "fees_percent"))


def _let(slots: Slots, options: frozenset[str]) -> Arguments:
    """« 520 dont 40 de charges » are 480 of rent: the tenant pays those charges."""
    rent, charges = monthly_of(slots, "rent", 4_000), amounts(slots, "charges")
    if "charges_within" in options and isinstance(rent, float) and charges and charges[0].value < rent:
        return {"rent_monthly": rent - charges[0].value}
    return {"rent_monthly": rent, "charges_yearly": yearly_of(slots, "charges", 250)}


COMES_OFF: Final = frozenset(("charges_yearly", "property_tax", "insurance_yearly", "management_percent"))
"""Of a rent before its yield is net: « quel prix pour 6 % brut ? » leaves them out."""


def _gain(slots: Slots, options: frozenset[str]) -> Arguments:
    slots = in_thousands(slots)
    bought, sold = slots.get("purchase_year", ()), slots.get("sale_year", ())
    return {
        "gain": one(slots, "gain"),
        "sale_price": one(slots, "sale_price"),
        "purchase_price": one(slots, "purchase_price") or one(slots, "total_cost"),
        **_when(bought, "purchase"),
        **_when(sold, "sale"),
        "holding_years": None if bought else years_held(slots),
        **fees_of(slots),
        "depreciation": one(slots, "depreciation"),
        "share": one(slots, "share"),
        "main_residence": True if "main_residence" in options else None,
        "wanted": asked(options, wants_left="net", wants_surtax="surtax", wants_gain="gain"),
    }


def _when(found: Sequence[Quantity], what: str) -> Arguments:
    if not found:
        return {}
    said = found[-1]
    if said.day is not None:
        return {f"{what}_date": said.day.isoformat()}
    value = int(said.value)
    return {f"{what}_year": value if value > 100 else 2000 + value if value < 40 else 1900 + value}


def _with_instalment(slots: Slots) -> Slots:
    """« 248 000 € sur 25 ans, échéance 1 362 €, prêt étudiant 95 € »: without a rate, the instalment of the loan is
    told among those that are paid, as the one that would repay it in time."""
    paid, terms = slots.get("existing_debt", ()), slots.get("duration", ())
    capital = one(slots, "loan_amount") or 0.0
    if not paid or not terms or "monthly_cap" in slots or not capital:
        return slots
    own = max(paid, key=lambda q: q.value)
    if own.value * in_months(terms[-1]) < capital:
        return slots
    others = tuple(q for q in paid if q is not own)
    kept = {role: values for role, values in slots.items() if role not in ("loan_amount", "duration", "existing_debt")}
    return {**kept, "monthly_cap": (replace(own, role="monthly_cap"),), **({"existing_debt": others} if others else {})}


def _capacity(slots: Slots, options: frozenset[str]) -> Arguments:
    slots = _with_instalment(slots) if "wants_ratio" in options and not slots.get("rate") else slots
    owed = tuple(q for q in slots.get("existing_debt", ()) if q.value)
    debts = {"existing_debt": (*owed, *slots.get("charges", ()))}
    paid = [q for q in slots.get("insurance", ()) if q.unit != "%" and q.value >= 2]
    ratio = {} if slots.get("rate") else {"wants_ratio": "ratio"}  # with a rate, it is the capital that is asked
    return {
        "income_monthly": monthly_of(slots, "income", 12_000),
        "debts_monthly": monthly_of(debts, "existing_debt", 6_000),
        "rate": many(slots, "rate"),
        "months": months(slots),
        "insurance_rate": None if paid else rate_of(slots, "insurance"),
        "insurance_monthly": monthly(paid[0], yearly_from=600) if paid else None,
        "rent_monthly": monthly_of(slots, "rent", 4_000),
        "monthly_payment": one(slots, "monthly_cap"),
        "loan_amount": one(slots, "loan_amount"),
        "down_payment": put_down(slots, one(slots, "purchase_price")),
        "fees_percent": one(slots, "fees_percent"),
        "wanted": asked(
            options, wants_income="income", left_to_live="left", **ratio, whole_budget="whole", budget="budget"
        ),
    }


def _regime(slots: Slots, options: frozenset[str]) -> Arguments:
    insurance = [q for q in slots.get("insurance", ()) if q.unit != "%" and q.value >= 30]
    return {
        "rent_yearly": yearly_of(slots, "rent", 2_500),
        "charges_yearly": yearly_of(slots, "charges", 150),
        "property_tax": yearly_of(slots, "property_tax", 120),
        "works": total(q.value for q in amounts(slots, "works")),
        "interest_yearly": yearly_of(slots, "interest", 250),
        "depreciation": one(slots, "depreciation"),
        "purchase_price": one(slots, "purchase_price"),
        "tmi": one(slots, "tmi"),
        "furnished": furnished(options),
        "tourist": True if "tourist" in options else None,
        "classified": "not_classified" not in options if "tourist" in options and CLASSES & options else None,
        "income_yearly": yearly_of(slots, "income", 9_000),
        "parts": parts_told(options),
        "insurance_yearly": yearly(insurance[0], monthly_below=30) if insurance else None,
        "energy": True if "energy_works" in options else None,
        "wanted": asked(options, wants_deficit="deficit")
        or (None if "sets_regimes" in options else asked(options, micro="micro", real="real")),
    }


CLASSES: Final = {"classified", "not_classified"}


_MAKERS: Final[Mapping[str, Callable[[Slots, frozenset[str]], Arguments]]] = {
    "calc_loan": _loan, "calc_yield": _yield, "calc_gain": _gain, "calc_capacity": _capacity, "calc_regime": _regime,
}  # fmt: skip


def pending_roles(missing: Sequence[str]) -> tuple[str, ...]:
    """The roles of the inputs that were asked back."""
    return tuple(dict.fromkeys(ROLE_OF_ARGUMENT.get(name, name) for name in missing))


ROLE_OF_ARGUMENT: Final[Mapping[str, Role]] = {
    "months": "duration", "rent_monthly": "rent", "rent_yearly": "rent", "income_monthly": "income",
    "income_yearly": "income", "debts_monthly": "existing_debt", "charges_yearly": "charges",
    "insurance_rate": "insurance", "insurance_monthly": "insurance", "monthly_payment": "monthly_cap",
}  # fmt: skip
"""What an input that the calculator misses is called once it is given."""
