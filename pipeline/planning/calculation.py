"""A calculation's inputs as they were typed -> the calculator's arguments, in its units."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pipeline.planning.slot_values import (
    amounts,
    fees_of,
    in_months,
    many,
    monthly,
    monthly_of,
    months,
    one,
    put_down,
    rate_of,
    total,
    yearly,
    yearly_of,
)
from pipeline.reading import Quantity, Reading, Role
from pipeline.thread_state import Frame, Slots
from pipeline.types import ToolCall
from pipeline.understanding.named_calculations import KINDS, applies

Arguments = dict[str, Any]


def calculator_call(frame: Frame) -> ToolCall:
    """The call of the frame's calculation with all that is known; what is missing the calculator asks back."""
    named = {kind for kind in KINDS & frame.options if applies(kind, frame.slots)}
    told = _of_named(frame.slots, frame.options) if named else _MAKERS[frame.kind](frame.slots, frame.options)
    known = {name: value for name, value in told.items() if value is not None}
    return ToolCall("calculator", {"kind": min(named, default=frame.kind.removeprefix("calc_")), **known})


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


def _of_named(slots: Slots, options: frozenset[str]) -> Arguments:
    """For the small calculations, which take of these what they know."""
    price, rate = one(slots, "purchase_price"), [q.value for q in slots.get("rate", ())]
    new = True if "new_home" in options else False if "old_home" in options else None
    said = _said(options)
    return {
        "purchase_price": price,
        "price": price,
        **fees_of(slots),
        "area": one(slots, "area"),
        "loan_amount": one(slots, "loan_amount"),
        "rate": rate[0] if rate else None,
        "transfer_rate": rate[0] if rate else None,
        "months": months(slots),
        "after_months": in_months(slots["elapsed"][-1]) if slots.get("elapsed") else None,
        "new": new,
        "state": None if new is None else "new" if new else "existing",
        "zone": said.get("zone"),
        "level": said.get("level"),
        **_of_household(slots, options),
        "rent_monthly": one(slots, "rent"),
        "works": total(q.value for q in amounts(slots, "works")),
        "debt": [q.value for q in slots.get("existing_debt", ())] or None,
        "share": one(slots, "share"),
        "couple_ends": True if "couple_ends" in options else None,
        "wanted": _asked(options, wants_bare="bare", wants_duty="duty", **FEES_ASKED),
        "indices": [q.value for q in slots.get("index", ())] or None,
    }


def _said(options: frozenset[str]) -> dict[str, str]:
    """« zone_B1 », « relation_child » -> {"zone": "B1", "relation": "child"}."""
    return {option.partition("_")[0]: option.partition("_")[2] for option in sorted(options)}


def _of_household(slots: Slots, options: frozenset[str]) -> Arguments:
    """What a household owns, earns or passes on, and who is in it."""
    said = _said(options)
    amount, children = one(slots, "amount"), int(said["heirs"]) if "heirs" in said else None
    couple = "couple" in options
    return {
        "amount": amount,
        "wealth": amount,
        "deficit": amount,
        "income_yearly": yearly_of(slots, "income", 9_000),
        "main_home": one(slots, "main_home"),
        "assets": [q.value for q in slots.get("asset", ())] or None,
        "debts": [q.value for q in slots.get("existing_debt", ()) if q.value] or None,
        "age": _ages(slots, couple="couple" in options),
        "term": _years(slots) if "temporary" in options else None,
        "passes": "usufruct" if "gives_usufruct" in options else "bare" if "gives_bare" in options else None,
        "relation": said.get("relation"),
        "estate": True if "estate" in options else None,
        "heirs": children,
        "givers": 2 if couple else None,
        "parts": parts_of(couple=couple, children=children or 0) if couple or children else None,
        "tmi": one(slots, "tmi"),
    }


FEES_ASKED: Final = {"wants_notary": "notary", "wants_transfer": "transfer"}


def _ages(slots: Slots, *, couple: bool) -> Any:
    """Of the usufructuary, or of both of a couple; of several others the oldest, who gives."""
    found = [q.value for q in slots.get("age", ())]
    return found[:2] if couple and len(found) > 1 else max(found, default=None)


def parts_of(*, couple: bool, children: int) -> float:
    """Parts of a household: half a part for each of the first two children, one for each from the third (CGI 194)."""
    return (2 if couple else 1) + 0.5 * min(children, 2) + max(0, children - 2)


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
        "wanted": "remaining" if slots.get("elapsed") else _asked(options, per_year="yearly", cost="cost"),
    }


def _yield(slots: Slots, options: frozenset[str]) -> Arguments:
    percents = [q.value for q in slots.get("charges", ()) if q.unit == "%"]
    vacancy = slots.get("vacancy", ())
    unit = {"%": "vacancy_percent", "months": "vacancy_months", "weeks": "vacancy_weeks"}
    empty = {unit[q.unit]: q.value for q in vacancy if q.unit in unit}
    price, whole = one(slots, "purchase_price"), one(slots, "total_cost")
    insurance = [q for q in slots.get("insurance", ()) if q.unit != "%" and q.value >= 2]
    term = months(slots)
    rate = many(slots, "rate")
    if "all_in" in options and whole is None:
        price, whole = None, price
    elif "all_in" not in options and price is None:
        price, whole = whole, None  # a price is without fees unless somebody says that it holds them
    sides = ("rent", "price") if slots.get("target_yield") else ()
    side = next((side for side in sides if f"wants_{side}" in options), None)
    told = {
        "purchase_price": None if whole is not None else price,
        "total_cost": whole,
        **({} if whole is not None else fees_of(slots)),
        "rent_monthly": monthly_of(slots, "rent", 4_000),
        "charges_yearly": yearly_of(slots, "charges", 250),
        "property_tax": yearly_of(slots, "property_tax", 120),
        "insurance_yearly": yearly(insurance[0], monthly_below=30) if insurance else None,
        "management_percent": percents[0] if percents else None,
        **empty,
        "loan_amount": one(slots, "loan_amount"),
        "down_payment": put_down(slots, price or whole),
        "rate": rate[0] if isinstance(rate, list) else rate,
        "months": term[0] if isinstance(term, list) else term,
        "insurance_rate": rate_of(slots, "insurance"),
        "monthly_payment": one(slots, "monthly_cap"),
        "tmi": one(slots, "tmi"),
        "furnished": _furnished(options),
        "target_yield": one(slots, "target_yield"),
        "area": one(slots, "area"),
        "wanted": side or _asked(options, cash_flow="cash_flow", net_net="net_net", net="net", gross="gross"),
    }
    return {name: value for name, value in told.items() if not (side and "gross" in options and name in COMES_OFF)}


COMES_OFF: Final = frozenset(("charges_yearly", "property_tax", "insurance_yearly", "management_percent"))
"""Of a rent before its yield is net: « quel prix pour 6 % brut ? » leaves them out."""


def _asked(options: frozenset[str], **wanted: str) -> str | None:
    """The result that is asked for: the first of the options that is on."""
    return next((name for option, name in wanted.items() if option in options), None)


def _furnished(options: frozenset[str]) -> bool | None:
    both = {"furnished", "bare"} <= options
    return None if both else True if "furnished" in options else False if "bare" in options else None


def _gain(slots: Slots, options: frozenset[str]) -> Arguments:
    bought, sold = slots.get("purchase_year", ()), slots.get("sale_year", ())
    return {
        "gain": one(slots, "gain"),
        "sale_price": one(slots, "sale_price"),
        "purchase_price": one(slots, "purchase_price") or one(slots, "total_cost"),
        **_when(bought, "purchase"),
        **_when(sold, "sale"),
        "holding_years": None if bought else _years(slots),
        **fees_of(slots),
        "depreciation": one(slots, "depreciation"),
        "share": one(slots, "share"),
        "main_residence": True if "main_residence" in options else None,
    }


def _years(slots: Slots) -> float | None:
    found = slots.get("holding_years", ())
    return None if not found else round(found[-1].value / (12 if found[-1].unit == "months" else 1), 2)


def _when(found: Sequence[Quantity], what: str) -> Arguments:
    if not found:
        return {}
    said = found[-1]
    if said.day is not None:
        return {f"{what}_date": said.day.isoformat()}
    value = int(said.value)
    return {f"{what}_year": value if value > 100 else 2000 + value if value < 40 else 1900 + value}


def _capacity(slots: Slots, options: frozenset[str]) -> Arguments:
    owed = tuple(q for q in slots.get("existing_debt", ()) if q.value)
    debts = {"existing_debt": (*owed, *slots.get("charges", ()))}
    return {
        "income_monthly": monthly_of(slots, "income", 12_000),
        "debts_monthly": monthly_of(debts, "existing_debt", 6_000),
        "rate": many(slots, "rate"),
        "months": months(slots),
        "insurance_rate": rate_of(slots, "insurance"),
        "rent_monthly": monthly_of(slots, "rent", 4_000),
        "monthly_payment": one(slots, "monthly_cap"),
        "loan_amount": one(slots, "loan_amount"),
        "down_payment": put_down(slots, one(slots, "purchase_price")),
        "fees_percent": one(slots, "fees_percent"),
        "wanted": _asked(options, left_to_live="left", budget="budget"),
    }


def _regime(slots: Slots, options: frozenset[str]) -> Arguments:
    return {
        "rent_yearly": yearly_of(slots, "rent", 2_500),
        "charges_yearly": yearly_of(slots, "charges", 150),
        "property_tax": yearly_of(slots, "property_tax", 120),
        "works": total(q.value for q in amounts(slots, "works")),
        "interest_yearly": yearly_of(slots, "interest", 250),
        "depreciation": one(slots, "depreciation"),
        "purchase_price": one(slots, "purchase_price"),
        "tmi": one(slots, "tmi"),
        "furnished": _furnished(options),
        "tourist": True if "tourist" in options else None,
        "classified": True if {"tourist", "classified"} <= options else None,
        "income_yearly": yearly_of(slots, "income", 9_000),
        "parts": _of_household(slots, options)["parts"],
    }


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
