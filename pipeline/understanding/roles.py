"""What a number of a calculation may be, from one data file: one row a role."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.reading import Role, Unit

ROWS: Final = Path(__file__).with_name("roles.toml")
NEEDS: Final[Mapping[str, tuple[tuple[Role, ...], ...]]] = {
    "calc_loan": (("loan_amount", "purchase_price", "total_cost", "monthly_cap"), ("rate",), ("duration",)),
    "calc_yield": (("purchase_price", "total_cost", "loan_amount"), ("rent", "target_yield")),
    "calc_gain": (
        ("sale_price", "gain", "amount"),
        ("purchase_price", "total_cost", "gain", "amount"),
        ("holding_years", "purchase_year", "amount"),
    ),
    "calc_capacity": (("income", "monthly_cap"),),
    "calc_regime": (("rent", "income", "amount"),),
}
"""Of each group one input is needed before a figure makes sense."""
SAID_OTHERWISE: Final[Mapping[Role, tuple[Role, ...]]] = {
    "fees_amount": ("fees_percent",),
    "fees_percent": ("fees_amount",),
    "holding_years": ("purchase_year", "sale_year"),
    "amount": ("asset",),
    "asset": ("amount",),
    "purchase_price": ("total_cost",),
    "total_cost": ("purchase_price",),
}
"""What is said twice in two ways: the last of them stands."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of `roles.toml`; the file says what each key means."""

    label: str = ""
    suffix: str = ""
    of: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    units: tuple[Unit, ...] = ("€", "")
    most: float = float("inf")
    most_percent: float = float("inf")
    traits: tuple[str, ...] = ()
    usual: tuple[float, ...] = ()


@cache
def rows() -> Mapping[Role, Row]:
    """All of them, in the order of the file. Read once."""
    with ROWS.open("rb") as file:
        return {role: Row(**row) for role, row in tomllib.load(file).items()}


def row_of(role: Role) -> Row:
    return rows().get(role, Row())


@cache
def counted_in(kind: str) -> tuple[Role, ...]:
    """What counts in a calculation: in a talk about a loan, « 3,2 » is its rate. Nothing for any other intent."""
    return tuple(role for role, row in rows().items() if kind.removeprefix("calc_") in row.of)


@cache
def core_of(kind: str) -> tuple[Role, ...]:
    """What « 20 000 de moins » or « un demi-point de plus » moves when it is not named."""
    return tuple(role for role, row in rows().items() if kind.removeprefix("calc_") in row.core)


@cache
def having(trait: str) -> tuple[Role, ...]:
    """The roles with a trait: `many`, `summed`, `once`, `shared`."""
    return tuple(role for role, row in rows().items() if trait in row.traits)
