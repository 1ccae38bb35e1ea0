"""Questions that by their own words ask for what nothing of ours holds, and what that is.

Forecasts, a name to recommend, another country's law, figures of one building, a bank's offer of today, fields beside
ours: learned from `bench/data/unanswerable.tsv` by `python -m bench answerable --fit`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from corpus.ports import Vector
from pipeline.understanding.learned.features import WORD, masked, ngrams
from pipeline.understanding.learned.linear import Linear, load, softmax

LEARNED: Final = Path(__file__).with_name("learned")
NAME: Final = "unheld"
KINDS: Final = "unheld_kinds"
SENTENCES: Final = Path(__file__).with_name("unheld.toml")
SURE_KIND: Final = 0.6
"""Share of the likeliest kind from which it is named."""
WORD_WEIGHT: Final = 3.0
VECTOR_WEIGHT: Final = 3.0


def features(question: str) -> Mapping[str, float]:
    """Pieces of words, and words, numbers masked."""
    low = masked(question)
    return {**ngrams(low), **{f"w:{word}": WORD_WEIGHT for word in WORD.findall(low)}}


@dataclass(frozen=True, slots=True)
class Unheld:
    """What a question asks for by its own words. `odds`: log-odds that nothing of ours holds such a thing; `said`: what
    that is, as a French sentence, or nothing where it is of no kind that is known for sure."""

    odds: float = 0.0
    said: str = ""


NOT_READ: Final = Unheld()


def read_unheld(question: str, vector: Vector) -> Unheld:
    """By the shipped models."""
    return Unheld(unheld(question, vector), _what(question, vector))


def unheld(question: str, vector: Vector, model: Linear | None = None) -> float:
    """Log-odds that it asks for what nothing of ours holds."""
    return float((model or _model()).scores(features(question), VECTOR_WEIGHT * vector, unit=True)[0])


def _what(question: str, vector: Vector) -> str:
    model = _kinds()
    shares = softmax(model.scores(features(question), VECTOR_WEIGHT * vector, unit=True))
    best = int(shares.argmax())
    return _sentences().get(model.labels[best], "") if shares[best] >= SURE_KIND else ""


@cache
def _model() -> Linear:
    return load(NAME, LEARNED)


@cache
def _kinds() -> Linear:
    return load(KINDS, LEARNED)


@cache
def _sentences() -> Mapping[str, str]:
    found: dict[str, str] = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    return found
