"""What calls to language models cost: a dated price table, and what an answer's calls cost together."""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.types import Usage

TABLE: Final = Path(__file__).with_name("prices.toml")
CHARACTERS_A_TOKEN: Final = 3.5
"""Of French text; on the dear side, since it serves budgets."""


@dataclass(frozen=True, slots=True)
class Price:
    """Euros for a million tokens. `as_of`: when `source` was read; None for a price of the firm's own settings."""

    input: float
    output: float
    as_of: date | None = None
    source: str = ""

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Euros of one call."""
        return (self.input * prompt_tokens + self.output * completion_tokens) / 1_000_000


@cache
def known_prices() -> Mapping[str, Price]:
    """The built-in table by model name, in euros at the table's own rate. Read once."""
    with TABLE.open("rb") as file:
        table = tomllib.load(file)
    rate = table["euros_per_dollar"]
    return {
        name: Price(row["input"] * rate, row["output"] * rate, row["as_of"], row["source"])
        for name, row in table["models"].items()
    }


def own_prices(text: str) -> Mapping[str, Price]:
    """`mon-modele=0,4/1,6 ; autre=0/0` -> euros for a million tokens in and out. Raises `ValueError`."""
    found: dict[str, Price] = {}
    for part in filter(str.strip, re.split(r"[;\n]", text)):
        name, told, prices = part.strip().rpartition("=")
        asked, _, answered = prices.replace(",", ".").partition("/")
        price = Price(float(asked), float(answered))
        if not (name and told) or not (0 <= price.input < math.inf and 0 <= price.output < math.inf):
            raise ValueError(part)
        found[name.strip()] = price
    return found


def price_of(model: str, own: Mapping[str, Price] | None = None) -> Price | None:
    """By exact name, else by the name that a dated version begins with (`gpt-4.1-mini-2025-04-14`); `own` prices go
    first. None: unknown, and then no cost is told."""
    prices = {**known_prices(), **(own or {})}
    if model in prices:
        return prices[model]
    dated = model[:-11] if model[-11:].replace("-", "").isdigit() and len(model) > 11 else ""
    return prices.get(dated)


def estimated_tokens(text: str) -> int:
    """Where nobody counts them."""
    return math.ceil(len(text) / CHARACTERS_A_TOKEN)


def total(last: Usage, *others: Usage) -> Usage:
    """Tokens and euros summed under the model of `last`; euros unknown when a call that used tokens has no price."""
    calls = [usage for usage in (last, *others) if usage.prompt_tokens or usage.completion_tokens]
    priced = [usage.euros for usage in calls if usage.euros is not None]
    return Usage(
        model=last.model,
        prompt_tokens=sum(usage.prompt_tokens for usage in calls),
        completion_tokens=sum(usage.completion_tokens for usage in calls),
        euros=sum(priced) if calls and len(priced) == len(calls) else None,
    )
