"""A calculation's inputs as they were typed -> the calculator's arguments, in its units."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

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


def one(slots: Slots, role: Role) -> float | None:
    """The value of a role; a price typed as « 120 » or « 86 » is in thousands."""
    found = slots.get(role)
    if not found:
        return None
    return _price(found[-1]) if role in PRICES else round(found[-1].value, 4)


PRICES: Final = frozenset(("purchase_price", "sale_price", "total_cost", "loan_amount", "down_payment"))


def _price(quantity: Quantity) -> float:
    short = quantity.unit == "" and 5 <= quantity.value < 1_500
    return quantity.value * 1_000 if short else quantity.value


def _one_or_all(values: Iterable[Any]) -> Any:
    """None, the value, or the list of several."""
    found = list(values)
    return found if len(found) > 1 else found[0] if found else None


def _different(values: Iterable[Any]) -> Any:
    """The same, four different ones at most."""
    return _one_or_all(list(dict.fromkeys(values))[:4])


def many(slots: Slots, role: Role) -> Any:
    return _different(round(q.value, 4) for q in slots.get(role, ()))


def months(slots: Slots) -> Any:
    """« 20 ans », « 240 mois », « 20 » (years), « 240 » (months)."""
    return _different(_months(q) for q in slots.get("duration", ()))


def _months(quantity: Quantity) -> int:
    in_months = quantity.unit == "months" or (quantity.unit != "years" and quantity.value > 45)
    return round(quantity.value if in_months else quantity.value * 12)


def monthly(quantity: Quantity, *, yearly_from: float) -> float:
    """Euros a month; without a period, a large amount is a year's."""
    if quantity.period == "week":
        return round(quantity.value * 52 / 12, 2)
    year = quantity.period == "year" or (not quantity.period and quantity.value >= yearly_from)
    return round(quantity.value / 12, 2) if year else quantity.value


def yearly(quantity: Quantity, *, monthly_below: float) -> float:
    """Euros a year; without a period, a small amount is a month's."""
    if quantity.period == "week":
        return round(quantity.value * 52, 2)
    month = quantity.period == "month" or (not quantity.period and 0 < quantity.value < monthly_below)
    return round(quantity.value * 12, 2) if month else quantity.value


def _total(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(sum(found), 2) if found else None


def _yearly(slots: Slots, role: Role, monthly_below: float) -> float | None:
    """Euros a year, all values together; shares in % are none."""
    return _total(yearly(q, monthly_below=monthly_below) for q in _amounts(slots, role))


def _monthly(slots: Slots, role: Role, yearly_from: float) -> Any:
    """Euros a month, each value by itself."""
    return _one_or_all(monthly(q, yearly_from=yearly_from) for q in _amounts(slots, role))


def _amounts(slots: Slots, role: Role) -> list[Quantity]:
    return [q for q in slots.get(role, ()) if q.unit != "%"]


def _rate_of(slots: Slots, role: Role) -> float | None:
    return next((q.value for q in slots.get(role, ()) if q.unit == "%" or (q.unit == "" and q.value < 2)), None)


def _fees(slots: Slots) -> Arguments:
    percent = one(slots, "fees_percent")
    return {
        "fees_percent": percent,
        "fees_amount": None if percent is not None else _total(q.value for q in _amounts(slots, "fees_amount")),
        "works": _total(q.value for q in _amounts(slots, "works")),
    }


def _of_named(slots: Slots, options: frozenset[str]) -> Arguments:
    """For the small calculations, which take of these what they know."""
    price, rate = one(slots, "purchase_price"), [q.value for q in slots.get("rate", ())]
    new = True if "new_home" in options else False if "old_home" in options else None
    said = {option.partition("_")[0]: option.partition("_")[2] for option in sorted(options)}
    return {
        "purchase_price": price,
        "price": price,
        **_fees(slots),
        "area": one(slots, "area"),
        "loan_amount": one(slots, "loan_amount"),
        "rate": rate[0] if rate else None,
        "months": months(slots),
        "after_months": _months(slots["elapsed"][-1]) if slots.get("elapsed") else None,
        "new": new,
        "state": None if new is None else "new" if new else "existing",
        "zone": said.get("zone"),
        "level": said.get("level"),
        **_of_household(slots, options, said),
        "rent_monthly": one(slots, "rent"),
        "indices": [q.value for q in slots.get("index", ())] or None,
    }


def _of_household(slots: Slots, options: frozenset[str], said: Mapping[str, str]) -> Arguments:
    """What a household owns, earns or passes on, and who is in it."""
    amount, children = one(slots, "amount"), int(said["heirs"]) if "heirs" in said else None
    couple = "couple" in options
    return {
        "amount": amount,
        "wealth": amount,
        "deficit": amount,
        "income_yearly": amount,
        "main_home": one(slots, "main_home"),
        "age": one(slots, "age"),
        "relation": said.get("relation"),
        "estate": True if "estate" in options else None,
        "heirs": children,
        "givers": 2 if couple else None,
        "parts": parts_of(couple=couple, children=children or 0) if couple or children else None,
        "tmi": one(slots, "tmi"),
    }


def parts_of(*, couple: bool, children: int) -> float:
    """Parts of a household: half a part for each of the first two children, one for each from the third (CGI 194)."""
    return (2 if couple else 1) + 0.5 * min(children, 2) + max(0, children - 2)


def _loan(slots: Slots, options: frozenset[str]) -> Arguments:
    amounts = [q for q in slots.get("insurance", ()) if q.unit != "%" and q.value >= 2]
    price = one(slots, "purchase_price") or one(slots, "total_cost")
    principal = one(slots, "loan_amount")
    return {
        "loan_amount": principal,
        "purchase_price": None if principal is not None else price,
        "down_payment": one(slots, "down_payment"),
        **({} if principal is not None else _fees(slots)),
        "rate": many(slots, "rate"),
        "months": months(slots),
        "insurance_rate": None if amounts else _rate_of(slots, "insurance"),
        "insurance_monthly": monthly(amounts[0], yearly_from=600) if amounts else None,
        "claimed" if "claimed" in options else "monthly_cap": one(slots, "monthly_cap"),
        "in_fine": True if "in_fine" in options else None,
        "after_months": _months(slots["elapsed"][-1]) if slots.get("elapsed") else None,
        "defer": _months(slots["defer"][-1]) if slots.get("defer") else None,
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
    return {
        "purchase_price": None if whole is not None else price,
        "total_cost": whole,
        **({} if whole is not None else _fees(slots)),
        "rent_monthly": _monthly(slots, "rent", 4_000),
        "charges_yearly": _yearly(slots, "charges", 250),
        "property_tax": _yearly(slots, "property_tax", 120),
        "insurance_yearly": yearly(insurance[0], monthly_below=30) if insurance else None,
        "management_percent": percents[0] if percents else None,
        **empty,
        "loan_amount": one(slots, "loan_amount"),
        "down_payment": one(slots, "down_payment"),
        "rate": rate[0] if isinstance(rate, list) else rate,
        "months": term[0] if isinstance(term, list) else term,
        "insurance_rate": _rate_of(slots, "insurance"),
        "monthly_payment": one(slots, "monthly_cap"),
        "tmi": one(slots, "tmi"),
        "furnished": _furnished(options),
        "target_yield": one(slots, "target_yield"),
        "area": one(slots, "area"),
        "wanted": next(
            (side for side in ("rent", "price") if f"wants_{side}" in options and slots.get("target_yield")), None
        )
        or _asked(options, cash_flow="cash_flow", net_net="net_net", net="net", gross="gross"),
    }


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
        **_fees(slots),
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
        "income_monthly": _monthly(slots, "income", 12_000),
        "debts_monthly": _monthly(debts, "existing_debt", 6_000),
        "rate": many(slots, "rate"),
        "months": months(slots),
        "insurance_rate": _rate_of(slots, "insurance"),
        "rent_monthly": _monthly(slots, "rent", 4_000),
        "monthly_payment": one(slots, "monthly_cap"),
        "loan_amount": one(slots, "loan_amount"),
        "down_payment": one(slots, "down_payment"),
        "fees_percent": one(slots, "fees_percent"),
        "wanted": _asked(options, left_to_live="left", budget="budget"),
    }


def _regime(slots: Slots, options: frozenset[str]) -> Arguments:
    return {
        "rent_yearly": _yearly(slots, "rent", 2_500),
        "charges_yearly": _yearly(slots, "charges", 150),
        "property_tax": _yearly(slots, "property_tax", 120),
        "works": _total(q.value for q in _amounts(slots, "works")),
        "interest_yearly": _yearly(slots, "interest", 250),
        "depreciation": one(slots, "depreciation"),
        "purchase_price": one(slots, "purchase_price"),
        "tmi": one(slots, "tmi"),
        "furnished": _furnished(options),
        "tourist": True if "tourist" in options else None,
        "classified": True if {"tourist", "classified"} <= options else None,
        "income_yearly": _yearly(slots, "income", 9_000),
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
