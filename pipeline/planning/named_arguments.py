"""The arguments of the small calculations, which take of these what they know."""

from collections.abc import Mapping
from typing import Any, Final

from pipeline.planning.slot_values import (
    amounts,
    asked,
    fees_of,
    in_months,
    monthly_of,
    months,
    one,
    total,
    yearly_of,
    years_held,
)
from pipeline.thread_state import Slots

Arguments = dict[str, Any]


WHOLE: Final[Mapping[str, frozenset[str]]] = {
    "reduction": frozenset(("works_within",)),
    "works_share": frozenset(("works_within", "all_in")),
}
"""Options by which a price holds the works too: what an « opération » costs « au total » does where they are asked."""


def of_named(kind: str, slots: Slots, options: frozenset[str]) -> Arguments:
    """Of the calculation `kind`; it leaves aside what it does not know."""
    price, rate = _price(slots, options), [q.value for q in slots.get("rate", ())]
    within = bool(WHOLE.get(kind, frozenset()) & options) and not slots.get("works")
    new = True if "new_home" in options else False if "old_home" in options else None
    said = _said(options)
    return {
        "purchase_price": None if within else price,
        "total_cost": price if within else None,
        "price": price,
        **fees_of(slots),
        "area": one(slots, "area"),
        "median": one(slots, "per_area"),
        "rent_per_area": one(slots, "per_area"),
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
        "rent_monthly": monthly_of(slots, "rent", 4_000),
        "works": total(q.value for q in amounts(slots, "works")),
        "debt": [q.value for q in slots.get("existing_debt", ())] or None,
        "share": _bought(one(slots, "share"), kept="keeps_own" in options),
        "sharers": _sharers(said, options),
        "couple_ends": True if "couple_ends" in options and "not_couple" not in options else None,
        "wanted": asked(options, **WANTED.get(kind, {})),
        "sale_price": one(slots, "sale_price"),
        "areas": [q.value for q in slots.get("area", ())] or None,
        "rent_yearly": yearly_of(slots, "rent", 2_500),
        "holding_years": years_held(slots),
        "furnished": furnished(options),
        "plan": next((name for name in ("psmv", "pvap") if name in options), None),
        "intermediation": True if "intermediation" in options else False if "no_intermediation" in options else None,
        "indices": [q.value for q in slots.get("index", ())] or None,
        **_of_one_amount(slots, options),
    }


def _of_one_amount(slots: Slots, options: frozenset[str]) -> Arguments:
    """What one of several owes or has of it, or what the law takes of it."""
    provisions = slots.get("charges", ())
    each_month = bool(provisions) and (provisions[-1].period == "month" or provisions[-1].value < MONTHLY_PROVISION)
    late = slots.get("elapsed", ())
    return {
        "shared": one(slots, "amount"),
        "part": one(slots, "share"),
        "real": one(slots, "amount"),
        "provisions_monthly": provisions[-1].value if each_month else None,
        "provisions_yearly": provisions[-1].value if provisions and not each_month else None,
        "paid_months": in_months(late[-1]) if late else None,
        "months_late": in_months(late[-1]) if late else None,
        "stage": _said(options).get("stage"),
        "annuity_yearly": yearly_of(slots, "amount", MONTHLY_ANNUITY),
    }


def furnished(options: frozenset[str]) -> bool | None:
    """How a home is let; None where both ways are spoken of, or neither."""
    both = {"furnished", "bare"} <= options
    return None if both else True if "furnished" in options else False if "bare" in options else None


def _price(slots: Slots, options: frozenset[str]) -> float | None:
    """Without the works that it holds: « 180 000 dont 60 000 de travaux »."""
    price, works = one(slots, "purchase_price"), total(q.value for q in amounts(slots, "works"))
    return price - works if price and works and "works_within" in options and works < price else price


def _bought(share: float | None, *, kept: bool) -> float | None:
    """The part that changes hands, where the one who keeps the home told the own."""
    return 100 - share if share is not None and kept else share


def _sharers(said: Mapping[str, str], options: frozenset[str]) -> int | None:
    """How many heirs share a home out in equal parts; the children of a couple that parts are none."""
    told = int(said.get("heirs", 0)) + ("beside_others" in options)
    apart = {"couple", "couple_ends", "relation_spouse"} & options
    return told if told > 1 and not apart else None


def _said(options: frozenset[str]) -> dict[str, str]:
    """« zone_B1 », « relation_child » -> {"zone": "B1", "relation": "child"}."""
    return {option.partition("_")[0]: option.partition("_")[2] for option in sorted(options)}


def _of_household(slots: Slots, options: frozenset[str]) -> Arguments:
    """What a household owns, earns or passes on, and who is in it."""
    said = _said(options)
    amount, children = one(slots, "amount"), int(said.get("heirs", 0)) or None
    couple = "couple" in options
    return {
        "amount": amount,
        "wealth": amount,
        "deficit": amount,
        "income_yearly": yearly_of(slots, "income", 9_000),
        "main_home": one(slots, "main_home"),
        "assets": [q.value for q in slots.get("asset", ())] or None,
        "debts": [q.value for q in slots.get("existing_debt", ()) if q.value] or None,
        "cash": one(slots, "cash"),
        "company_shares": one(slots, "company_shares"),
        "sold_shares": one(slots, "sold_shares"),
        "earlier_gift": one(slots, "earlier_gift"),
        "age": _ages(slots, couple=couple),
        "term": years_held(slots) if "temporary" in options else None,
        "passes": "usufruct" if "gives_usufruct" in options else "bare" if "gives_bare" in options else None,
        "relation": said.get("relation"),
        "estate": True if "estate" in options else None,
        "heirs": children,
        "givers": 2 if couple else None,
        "parts": parts_told(options),
        "tmi": one(slots, "tmi"),
    }


MONTHLY_PROVISION: Final = 250
"""Euros below which provisions are those of a month."""
MONTHLY_ANNUITY: Final = 4_000
"""Euros below which an annuity is that of a month."""
WANTED: Final[Mapping[str, Mapping[str, str]]] = {
    "usufruct": {"wants_bare": "bare"},
    "fees": {"wants_notary": "notary", "wants_transfer": "transfer"},
    "partition": {"wants_duty": "duty"},
    "income_tax": {"wants_tax": "tax"},
    "share_value": {"asks_duty": "duty"},
    "rent_revision": {"wants_gap": "gap"},
}
"""Calculation -> the option that asks for a result of its own -> that result."""


def _ages(slots: Slots, *, couple: bool) -> Any:
    """Of the usufructuary, or of both of a couple; of several others the oldest, who gives."""
    found = [q.value for q in slots.get("age", ())]
    return found[:2] if couple and len(found) > 1 else max(found, default=None)


def parts_told(options: frozenset[str]) -> float | None:
    """Of the household, where who is in it was told."""
    couple, children = "couple" in options, int(_said(options).get("heirs", 0))
    told = couple or children or "single" in options
    return parts_of(couple=couple, children=children) if told else None


def parts_of(*, couple: bool, children: int) -> float:
    """Parts of a household: half a part for each of the first two children, one for each from the third (CGI 194)."""
    return (2 if couple else 1) + 0.5 * min(children, 2) + max(0, children - 2)
