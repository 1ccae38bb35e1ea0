"""What counts in each calculation, and what kind of number each input is."""

from collections.abc import Mapping
from typing import Final

from pipeline.reading import Role

ROLES_OF: Final[Mapping[str, frozenset[Role]]] = {
    kind: frozenset(roles.split())
    for kind, roles in {
        "calc_loan": "loan_amount rate duration insurance monthly_cap purchase_price total_cost down_payment "
        "fees_amount fees_percent works elapsed defer",
        "calc_yield": "purchase_price total_cost works fees_amount fees_percent rent charges property_tax insurance "
        "vacancy loan_amount down_payment rate duration monthly_cap tmi target_yield area existing_debt",
        "calc_gain": "sale_price purchase_price total_cost purchase_year sale_year holding_years fees_amount "
        "fees_percent works depreciation share",
        "calc_capacity": "income existing_debt rate duration insurance rent monthly_cap down_payment charges "
        "loan_amount purchase_price fees_percent",
        "calc_regime": "rent charges property_tax works depreciation tmi income insurance purchase_price loan_amount "
        "rate duration existing_debt interest",
    }.items()
}
"""What counts in each calculation: in a talk about a loan, « 3,2 » is its rate."""
CORE: Final[Mapping[str, tuple[Role, ...]]] = {
    "calc_loan": ("loan_amount", "purchase_price", "total_cost", "rate", "duration"),
    "calc_yield": ("purchase_price", "total_cost", "rent", "rate", "duration"),
    "calc_gain": ("sale_price", "purchase_price", "holding_years"),
    "calc_capacity": ("income", "rate", "duration"),
    "calc_regime": ("rent", "income", "tmi"),
}
"""What « 20 000 de moins » or « un demi-point de plus » moves when it is not named."""
MANY: Final = frozenset(
    ("rate", "duration", "rent", "income", "existing_debt", "charges", "works", "fees_percent", "fees_amount", "area")
)
"""Roles of which one message may say several values: added up, or set side by side."""
SUMMED: Final = frozenset(("rent", "income", "existing_debt", "charges", "works", "fees_amount"))
KINDS_OF_UNIT: Final[Mapping[str, tuple[Role, ...]]] = {
    "years": ("duration", "holding_years"),
    "months": ("duration", "vacancy"),
    "weeks": ("vacancy",),
    "%": ("rate", "insurance", "fees_percent", "tmi", "target_yield", "vacancy"),
    "points": ("rate",),
    "m²": ("area",),
    "year": ("purchase_year", "sale_year"),
    "date": ("purchase_year", "sale_year"),
}
SHARED: Final[tuple[Role, ...]] = (
    "purchase_price",
    "total_cost",
    "rent",
    "charges",
    "property_tax",
    "area",
    "works",
    "loan_amount",
    "rate",
    "duration",
    "tmi",
    "down_payment",
    "fees_percent",
    "fees_amount",
    "insurance",
)
"""Inputs that describe the home or its loan, whatever is computed with them."""
NEEDS: Final = {
    "calc_loan": (("loan_amount", "purchase_price", "total_cost", "monthly_cap"), ("rate",), ("duration",)),
    "calc_yield": (("purchase_price", "total_cost", "loan_amount"), ("rent", "target_yield")),
    "calc_gain": (("sale_price",), ("purchase_price", "total_cost"), ("holding_years", "purchase_year")),
    "calc_capacity": (("income",),),
    "calc_regime": (("rent", "income"),),
}
"""Of each line one input is needed before a figure makes sense."""
