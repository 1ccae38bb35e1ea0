"""Which of the facts written down for a question an answer holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.worth.gold_scores import plain
from pipeline.types import Answer


@dataclass(frozen=True, slots=True)
class Found:
    """Facts found of those needed, and forbidden ones that are there."""

    found: int
    needed: int
    forbidden: int

    @property
    def worth(self) -> int:
        """By which two answers to one question are compared; a forbidden fact weighs as much as a needed one."""
        return self.found - self.forbidden


def facts_found(row: Mapping[str, Any], answer: Answer) -> Found:
    """`needed`: facts, each a text or a list of ways to write it; `forbidden`: texts."""
    told = plain(answer.text)
    needed = [[fact] if isinstance(fact, str) else fact for fact in row.get("needed") or ()]
    held = sum(any(plain(way) in told for way in ways) for ways in needed)
    return Found(held, len(needed), sum(plain(text) in told for text in row.get("forbidden") or ()))
