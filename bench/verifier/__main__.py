"""python -m bench.verifier: labelled sentences -> pipeline/grounding/verifier.json.

The verifier only sees what the gate's rules let through, in training as in use. Its threshold is chosen over chances
that each author's sentences get from a fit on all the others'.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bench.verifier.fitting import Floats, chances, fitted
from bench.worth.gate import evidence_of, is_true, rows_of
from pipeline.grounding.alignment import FEATURES
from pipeline.grounding.clauses import read_sentence
from pipeline.grounding.sources import read
from pipeline.grounding.verdict import Case, weighed
from pipeline.grounding.verifier import WEIGHTS

DATA: Final = Path("bench/data/gate")
FILES: Final = ("train.jsonl", "persona_train.jsonl", "dev.jsonl")
FALSE_KEPT: Final = {"threshold": 0.01, "prose": 0.06}
"""Share of the unsupported sentences with figures, and without, that each threshold may let through, over all of them
that were drafted: a wrong figure weighs more than a loose word."""


@dataclass(frozen=True, slots=True)
class Example:
    """What the verifier would weigh, or None where a rule has decided; whether the claim is true; who wrote it; for
    which threshold it counts."""

    features: dict[str, float] | None
    true: bool
    author: str
    kind: str


def examples_of(path: Path) -> Iterator[Example]:
    for row in rows_of(path):
        case = Case(read(evidence_of(row["evidence"])), read_sentence(row["question"]))
        for said in row["sentences"]:
            kind = "threshold" if read_sentence(said["text"]).values else "prose"
            author = str(row.get("author") or path.stem)
            yield Example(weighed(said["text"], case), is_true(said["label"]), author, kind)


def table(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    """(features, labels) of those that a rule left open."""
    told = [e for e in examples if e.features is not None]
    rows = np.array([[(e.features or {}).get(name, 0.0) for name in FEATURES] for e in told])
    return rows, np.array([float(e.true) for e in told])


def crossed(examples: Sequence[Example]) -> list[tuple[Example, float]]:
    """Each open example with its chance by a fit on what other authors wrote."""
    found = []
    for author in sorted({e.author for e in examples}):
        fit = fitted(*table([e for e in examples if e.author != author]))
        held = [e for e in examples if e.author == author and e.features is not None]
        found += list(zip(held, map(float, chances(table(held)[0], fit)), strict=True))
    return found


def threshold_of(kind: str, examples: Sequence[Example], told: Sequence[tuple[Example, float]]) -> float:
    """The lowest from which no more than FALSE_KEPT of the false sentences of the kind stand."""
    allowed = int(FALSE_KEPT[kind] * sum(not e.true for e in examples if e.kind == kind))
    scored = sorted((chance for example, chance in told if example.kind == kind and not example.true), reverse=True)
    return scored[allowed] + 1e-6 if len(scored) > allowed else 0.5


def main() -> None:
    examples = [example for name in FILES for example in examples_of(DATA / name)]
    told = crossed(examples)
    thresholds = {kind: threshold_of(kind, examples, told) for kind in FALSE_KEPT}
    fit = fitted(*table(examples))
    held = {
        "weights": {name: round(float(w), 3) for name, w in zip(FEATURES, fit[:-1], strict=True)},
        "bias": round(float(fit[-1]), 3),
        **{kind: round(threshold, 3) for kind, threshold in thresholds.items()},
    }
    WEIGHTS.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    report(examples, told, thresholds)


def report(examples: Sequence[Example], told: Sequence[tuple[Example, float]], thresholds: Mapping[str, float]) -> None:
    """What would stand, each author's sentences judged by the others'."""
    seen = Counter((e.author, e.true) for e in examples)
    kept = Counter((e.author, e.true) for e, chance in told if chance >= thresholds[e.kind])
    print(f"{len(examples)} sentences, {len(told)} left open by the rules, thresholds {thresholds}")
    for author in sorted({e.author for e in examples}):
        true, false = (f"{kept[author, t]:>4} of {seen[author, t]}" for t in (True, False))
        print(f"  {author:<20} true kept {true:<14} false kept {false}")


if __name__ == "__main__":
    main()
