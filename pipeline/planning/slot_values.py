"""What the slots of a calculation hold, in the calculator's units."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from pipeline.reading import Quantity, Role
from pipeline.thread_state import Slots

Arguments = dict[str, Any]


def one(slots: Slots, role: Role) -> float | None:
    """The value of a role; a price typed as « 120 » or « 86 » is in thousands."""
    found = slots.get(role)
    if not found:
        return None
    return _price(found[-1]) if role in PRICES else round(found[-1].value, 4)


MOST_INSTALMENT: Final = 15_000
"""Euros a month."""
PRICES: Final = frozenset(("purchase_price", "sale_price", "total_cost", "loan_amount", "down_payment"))


def put_down(slots: Slots, price: float | None) -> float | None:
    """The down payment in euros; of a share in % that of this price, None where no price is known."""
    share = rate_of(slots, "down_payment") if slots.get("down_payment") else None
    if share is None or not 0 < share < 100:
        return one(slots, "down_payment")
    return None if price is None else round(price * share / 100, 2)


def _price(quantity: Quantity) -> float:
    return quantity.value * 1_000 if _short(quantity) else quantity.value


def in_thousands(slots: Slots) -> Slots:
    """« acheté 150, amorti 30, vendu 180 »: beside prices in thousands, other amounts without a unit are too."""
    prices = [q for role in PRICES for q in slots.get(role, ())]
    if not prices or not all(map(_short, prices)):
        return slots
    return {
        role: tuple(replace(q, value=q.value * 1_000) if role in BESIDE and _short(q) else q for q in values)
        for role, values in slots.items()
    }


BESIDE: Final = frozenset(("depreciation", "works", "fees_amount"))


def _short(quantity: Quantity) -> bool:
    return quantity.unit == "" and 5 <= quantity.value < 1_500


def one_or_all(values: Iterable[Any]) -> Any:
    """None, the value, or the list of several."""
    found = list(values)
    return found if len(found) > 1 else found[0] if found else None


def different(values: Iterable[Any]) -> Any:
    """The same, four different ones at most."""
    return one_or_all(list(dict.fromkeys(values))[:4])


def many(slots: Slots, role: Role) -> Any:
    return different(round(q.value, 4) for q in slots.get(role, ()))


def months(slots: Slots) -> Any:
    """« 20 ans », « 240 mois », « 20 » (years), « 240 » (months)."""
    return different(in_months(q) for q in slots.get("duration", ()))


def in_months(quantity: Quantity) -> int:
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


def total(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(sum(found), 2) if found else None


def yearly_of(slots: Slots, role: Role, monthly_below: float) -> float | None:
    """Euros a year, all values together; shares in % are none."""
    return total(yearly(q, monthly_below=monthly_below) for q in amounts(slots, role))


def monthly_of(slots: Slots, role: Role, yearly_from: float) -> Any:
    """Euros a month, each value by itself."""
    return one_or_all(monthly(q, yearly_from=yearly_from) for q in amounts(slots, role))


def amounts(slots: Slots, role: Role) -> list[Quantity]:
    return [q for q in slots.get(role, ()) if q.unit != "%"]


def rate_of(slots: Slots, role: Role) -> float | None:
    return next((q.value for q in slots.get(role, ()) if q.unit == "%" or (q.unit == "" and q.value < 2)), None)


def fees_of(slots: Slots) -> Arguments:
    return {
        "fees_percent": one(slots, "fees_percent"),
        "fees_amount": total(q.value for q in amounts(slots, "fees_amount")),
        "works": total(q.value for q in amounts(slots, "works")),
    }


def paid_already(slots: Slots) -> float | None:
    """Of each month, for the loan of a home that is let; a capital that is still owed is no instalment."""
    return total(q.value for q in amounts(slots, "existing_debt") if q.value <= MOST_INSTALMENT)


def asked(options: frozenset[str], **wanted: str) -> str | None:
    """The result that is asked for: the first of the options that is on."""
    return next((name for option, name in wanted.items() if option in options), None)


def years_held(slots: Slots) -> float | None:
    """Of the home, or of a usufruct for a time."""
    found = slots.get("holding_years", ())
    return None if not found else round(found[-1].value / (12 if found[-1].unit == "months" else 1), 2)
