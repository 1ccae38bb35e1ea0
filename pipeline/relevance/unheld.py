"""Questions that by their own words ask for what no corpus of rules holds.

Forecasts, a name to recommend, another country's law, figures of one building, a bank's offer of today, fields beside
ours: learned from `bench/data/unanswerable.tsv` by `python -m bench answerable --fit`.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from corpus.ports import Vector
from pipeline.understanding.learned.features import WORD, masked, ngrams
from pipeline.understanding.learned.linear import Linear, load

LEARNED: Final = Path(__file__).with_name("learned")
NAME: Final = "unheld"
WORD_WEIGHT: Final = 3.0
VECTOR_WEIGHT: Final = 3.0


def features(question: str) -> Mapping[str, float]:
    """Pieces of words, and words, numbers masked."""
    low = masked(question)
    return {**ngrams(low), **{f"w:{word}": WORD_WEIGHT for word in WORD.findall(low)}}


def unheld(question: str, vector: Vector, model: Linear | None = None) -> float:
    """Log-odds that it asks for such a thing."""
    return float((model or _model()).scores(features(question), VECTOR_WEIGHT * vector, unit=True)[0])


@cache
def _model() -> Linear:
    return load(NAME, LEARNED)
