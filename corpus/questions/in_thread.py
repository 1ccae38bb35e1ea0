"""What a thread adds to a question that is asked in it, and what each of these things is worth.

A message of a thread is held beside an entry by itself, behind the question before it and behind the one with which the
thread came to its rule; an entry gains where it is of a document that the answers cited, or like the entries that they
opened on, and loses where it was told already. Fitted by `python -m bench leaning --fit`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from corpus.ports import Vector

FITTED: Final = Path(__file__).with_name("in_thread.json")
MOST_WORDS: Final = 8
"""Terms of a message beyond which it speaks no more for itself."""


@dataclass(frozen=True, slots=True)
class Behind:
    """The message behind an earlier question, in one line, with its vector."""

    text: str
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class InThread:
    """`last`, `first`: the message behind the question before it, and behind the first that our articles answered;
    `cited`: documents that the answers cited, `told`: passages of the entries that they opened on, the latest first."""

    last: Behind
    first: Behind
    cited: Sequence[str] = ()
    told: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Weights:
    """`own`, `own_long`: of the message's own score, the second times the share of `MOST_WORDS` that it has; `last`,
    `first`: of its scores behind other questions. Points: `cited_last`, `cited` for an entry of the document cited
    last, or earlier; `asked_like`, `told_like` times the cosine of its question and of its answer with those of the
    entry told last, `like` with the question of the nearest told in the thread; `again` for one told already; `learned`
    times the log-odds of what was learned of messages in threads."""

    own: float
    own_long: float
    last: float
    first: float
    cited_last: float
    cited: float
    asked_like: float
    told_like: float
    like: float
    again: float
    learned: float

    def of_itself(self, terms: int) -> float:
        """What the score of a message of so many terms counts."""
        return self.own + self.own_long * min(MOST_WORDS, terms) / MOST_WORDS


@cache
def fitted() -> Weights:
    """As shipped."""
    return Weights(**json.loads(FITTED.read_text(encoding="utf-8")))
