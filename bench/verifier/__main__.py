"""python -m bench.verifier: mutations of our articles and written pairs -> pipeline/grounding/verifier.json.

The verifier only sees what the gate's rules let through, in training as in use.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.gate import evidence_of, is_true, rows_of
from bench.verifier.fitting import chances, fitted
from bench.verifier.mutations import labelled
from corpus.chunking import chunk
from corpus.sources.articles import read_articles
from corpus.types import Document, Passage
from pipeline.grounding.alignment import FEATURES
from pipeline.grounding.clauses import read_sentence
from pipeline.grounding.lexicon import word_groups
from pipeline.grounding.sources import read
from pipeline.grounding.verdict import Case, weighed
from pipeline.grounding.verifier import WEIGHTS
from pipeline.types import Evidence

SEED: Final = 20261122
PAIRS: Final = Path("bench/data/gate/train.jsonl")
HAND: Final = 12.0
"""Weight of a written pair beside a mutation: people paraphrase more freely than programs."""
FALSE_KEPT: Final = 0.02
"""Share of the unsupported claims that the threshold may let through, over all that were drafted."""


@dataclass(frozen=True, slots=True)
class Example:
    """What the verifier would weigh, or None where a rule has decided; whether the claim is true; its weight."""

    features: dict[str, float] | None
    true: bool
    weight: float
    kind: str


def of_articles(limit: int | None) -> Iterator[Example]:
    rng = random.Random(SEED)
    passages: list[Passage] = [p for d in read_articles() if isinstance(d, Document) for p in chunk(d)]
    passages = rng.sample(passages, limit) if limit and limit < len(passages) else passages
    for claim in labelled(passages, word_groups(), rng):
        case = Case(read(Evidence((claim.passage,))), read_sentence(""))
        yield Example(weighed(f"{claim.text.rstrip('.')} [1].", case), claim.true, 1.0, claim.kind)


def of_pairs(path: Path) -> Iterator[Example]:
    for row in rows_of(path):
        case = Case(read(evidence_of(row["evidence"])), read_sentence(row["question"]))
        for said in row["sentences"]:
            yield Example(weighed(said["text"], case), is_true(said["label"]), HAND, "written")


def table(examples: Sequence[Example]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(features, labels, weights) of those that a rule left open."""
    told = [e for e in examples if e.features is not None]
    rows = np.array([[(e.features or {}).get(name, 0.0) for name in FEATURES] for e in told])
    return rows, np.array([float(e.true) for e in told]), np.array([e.weight for e in told])


def threshold_of(examples: Sequence[Example], chance: NDArray[np.float64]) -> float:
    """The lowest from which no more than FALSE_KEPT of the false written claims stand."""
    written = [e for e in examples if e.kind == "written"]
    false = sum(not e.true for e in written)
    told = [e for e in examples if e.features is not None]
    scored = sorted((c for e, c in zip(told, chance, strict=True) if e.kind == "written" and not e.true), reverse=True)
    allowed = int(FALSE_KEPT * false)
    return float(scored[allowed]) + 1e-6 if len(scored) > allowed else 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, help="only so many passages, to try something out")
    options = parser.parse_args()
    examples = [*of_articles(options.passages), *of_pairs(PAIRS)]
    rows, labels, weights = table(examples)
    fit = fitted(rows, labels, weights)
    threshold = threshold_of(examples, chances(rows, fit))
    held = {
        "weights": {name: round(float(w), 3) for name, w in zip(FEATURES, fit[:-1], strict=True)},
        "bias": round(float(fit[-1]), 3),
        "threshold": round(threshold, 3),
    }
    WEIGHTS.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    report(examples, chances(rows, fit), threshold)


def report(examples: Sequence[Example], chance: NDArray[np.float64], threshold: float) -> None:
    kept, seen = Counter[str](), Counter[str]()
    scores = iter(chance)
    for example in examples:
        kind = f"{'true ' if example.true else 'false'} {example.kind}"
        seen[kind] += 1
        kept[kind] += example.features is not None and next(scores) >= threshold
    print(f"{len(examples)} claims, {len(chance)} left open by the rules, threshold {threshold:.3f}")
    for kind in sorted(seen):
        print(f"  {kind:<28}{kept[kind] / seen[kind]:>7.1%} of {seen[kind]} stand")


if __name__ == "__main__":
    main()
