"""Told cases -> which calculation gives what they ask for, or that it is a rule, and which options hold of it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.training.entries.apart import APART, situations_told
from bench.training.fitting import fit_many, fit_one
from bench.training.marked import DATA, unmarked
from bench.training.saving import save
from corpus.places import Gazetteer
from pipeline.understanding.learned.features import of_case, of_fact
from pipeline.understanding.learned.linear import Linear
from pipeline.understanding.offline.cases import NONE, RULE, cues_of
from pipeline.understanding.situations import asked_of

CASES: Final = "cases"
"""Folder of `DATA` with told cases that ask for a sum: their numbers marked, `kind` and `facts` beside."""
RULES: Final = "told_rules"
"""Folder of `DATA` with told cases full of numbers that ask for a rule."""
SHORT_SUMS: Final = "short_sums"
"""The same of messages too short to tell a case; their words that ask for a rule as well stand in braces."""
APPLIED: Final = "applied"
"""Kind of a short sum that applies one rate or fraction to one amount."""
SHORT_RULES: Final = "short_rules"
"""Short messages with numbers that ask for a rule, or for something else than rules and sums."""
SCALE: Final = 4.0
"""Of the vectors beside n-grams of length one."""
STRENGTH: Final = 30.0
LEAST: Final = 0.05
RULES_COUNT: Final = 2
"""Times: there are four sums for each of them."""
SCALE_OF_FACTS, STRENGTH_OF_FACTS = 3.0, 5.0
"""By cues and their kind of calculation; over n-grams as well fewer were right, one hand's judged by the others'."""
RARE: Final = 12
"""Facts of fewer cases are not learned: their words decide."""
Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Told:
    """One case. `facts`: None of a question of rules, which is labelled with none."""

    text: str
    asked: str
    kind: str
    facts: tuple[str, ...] | None


def rows_of(folder: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number of the hand, row) of the folder's files. A short sum that no calculator gives is one of none."""
    for hand, path in enumerate(sorted((DATA / folder).glob("*.jsonl"))):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield hand, {**row, "kind": NONE if row.get("kind") == APPLIED else row.get("kind", RULE)}


def sums_told() -> Iterator[Told]:
    """Told cases and short sums."""
    for _, row in (*rows_of(CASES), *rows_of(SHORT_SUMS)):
        text, _ = unmarked(row["text"])
        yield Told(text, asked_of(text) or text, row["kind"], tuple(row["facts"]))


def asking_rules(*, apart: bool) -> Iterator[Told]:
    """Told cases that ask for a rule, by the personas that are kept apart or by the others."""
    for row, situation in situations_told():
        if (row["by"] in APART) is apart:
            yield Told(row["text"], situation.question, RULE, None)


def near_sums() -> Iterator[Told]:
    """Messages full of numbers that ask for a rule in the words of a sum, or for something else."""
    for _, row in (*rows_of(RULES), *rows_of(SHORT_RULES)):
        yield Told(row["text"], asked_of(row["text"]) or row["text"], row["kind"], None)


def train_cases(places: Gazetteer, embed: Embed) -> None:
    """`embed`: vectors of texts, (texts, 384)."""
    known = [*sums_told(), *RULES_COUNT * [*asking_rules(apart=False), *near_sums()]]
    spans = [[(f.start, f.end) for f in places.find(t.text)] for t in known]
    said = [cues_of(t.text, t.asked) for t in known]
    features = [
        of_case(t.text, t.asked, places=where, said=held) for t, where, held in zip(known, spans, said, strict=True)
    ]
    vectors = np.hstack([embed([t.text for t in known]), embed([t.asked for t in known])])
    mean = vectors.mean(axis=0)
    kinds, dense = [t.kind for t in known], vectors - mean
    model = fit_one(features, kinds, strength=STRENGTH, most=16_000, vectors=dense * SCALE, unit=True, least=LEAST)
    save(_folded(model, mean, SCALE), "cases")
    save(_folded(_facts(known, said, dense), mean, SCALE_OF_FACTS), "facts")


def _facts(known: Sequence[Told], said: Sequence[Sequence[str]], dense: NDArray[np.float32]) -> Linear:
    """A yes or no a fact, of cases that compute."""
    at = [place for place, told in enumerate(known) if told.facts is not None]
    facts = [known[place].facts or () for place in at]
    labels = sorted({name for held in facts for name in held if sum(name in other for other in facts) >= RARE})
    features = [of_fact(known[place].kind, said[place]) for place in at]
    return fit_many(
        features, dense[at] * SCALE_OF_FACTS, facts, labels, weights=[1.0] * len(at), strength=STRENGTH_OF_FACTS,
        most=8_000, unit=False,
    )  # fmt: skip


def _folded(model: Linear, mean: NDArray[np.float32], scale: float) -> Linear:
    """Over vectors as they are: those that it learned from were centred and scaled."""
    bias = model.bias - (mean * scale) @ model.dense
    return replace(model, dense=model.dense * scale, bias=bias.astype(np.float32))
