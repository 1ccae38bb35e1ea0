"""The weights by which sentences are chosen, one a signal, fitted by `python -m bench choosing` and, of what opens an
answer, by `python -m bench openings`."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FITTED: Final = Path(__file__).with_name("learned") / "sentences.json"
OPENINGS: Final = FITTED.with_name("openings.json")


@dataclass(frozen=True, slots=True)
class Weights:
    """`answers`: weights of the score by which sentences of one evidence compare, per signal; `entry`: those of the
    log-odds that an entry's question is the one asked, with `""` for the constant; `opening`: those by which all that
    may open an answer compares, an article's sentence or not."""

    answers: Mapping[str, float]
    entry: Mapping[str, float]
    opening: Mapping[str, float]

    def score(self, signals: Mapping[str, float]) -> float:
        """Comparable between excerpts of one question only."""
        return _weighed(self.answers, signals)

    def same(self, signals: Mapping[str, float]) -> float:
        """Probability in [0, 1] that the entry answers the very question."""
        odds = self.entry[""] + _weighed(self.entry, signals)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))

    def opens(self, signs: Mapping[str, float]) -> float:
        """Comparable between what may open one answer: differences are log-odds."""
        return _weighed(self.opening, signs)


def _weighed(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in signs.items())


@cache
def fitted() -> Weights:
    held, opening = (json.loads(file.read_text(encoding="utf-8")) for file in (FITTED, OPENINGS))
    return Weights(answers=held["answers"], entry=held["entry"], opening=opening)
