"""The weights by which sentences are chosen, fitted by `python -m bench choosing`, one a signal."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FITTED: Final = Path(__file__).with_name("learned") / "sentences.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """`answers`: weights of the score by which sentences of one evidence compare, per signal; `entry`: those of the
    log-odds that an entry's question is the one asked, `first` that dated records answer before an excerpt; both with
    `""` for the constant."""

    answers: Mapping[str, float]
    entry: Mapping[str, float]
    first: Mapping[str, float]

    def score(self, signals: Mapping[str, float]) -> float:
        """Comparable between excerpts of one question only."""
        return sum(self.answers.get(name, 0.0) * value for name, value in signals.items())

    def same(self, signals: Mapping[str, float]) -> float:
        """Probability in [0, 1] that the entry answers the very question."""
        odds = _weighed(self.entry, signals)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))

    def records(self, signs: Mapping[str, float]) -> float:
        """Log-odds that the records answer first."""
        return _weighed(self.first, signs)


def _weighed(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return weights[""] + sum(weights.get(name, 0.0) * value for name, value in signs.items())


@cache
def fitted() -> Weights:
    held = json.loads(FITTED.read_text(encoding="utf-8"))
    return Weights(answers=held["answers"], entry=held["entry"], first=held["first"])
