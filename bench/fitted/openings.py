"""python -m bench openings [--fit]: what opens an answer, fitted on other hands' questions, judged author by author.

Every question that one may learn from goes the whole way without a model; what its answer may open with is right where
it holds what its author wrote down for the first sentence. Listwise softmax over dated records, tools' findings and
the articles' sentences of each question, no weight far from 0. To be run after `bench choosing`, whose scores are among
the signs.
"""

import argparse
import asyncio
import json
import logging
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import structlog
from numpy.typing import NDArray
from scipy.optimize import minimize

from bench.sandboxed import sandbox
from bench.worth.gold import FOLDER, answered_turns, offline, read
from bench.worth.gold_scores import Row as Turn
from bench.worth.gold_scores import holds, opening_of, plain
from pipeline.extractive.asked import Asked
from pipeline.extractive.composing import first_openings
from pipeline.extractive.openings import signs_of
from pipeline.extractive.signals import Signals
from pipeline.extractive.weights import OPENINGS, fitted
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.ports import Writer
from pipeline.types import Answer, Brief, Draft

PENALTY: Final = 0.01
RARE: Final = 25
"""A sign of fewer openings is an accident."""
LEAST_SPREAD: Final = 0.1
AHEAD: Final = 4
"""Writings among which a turn's is looked for: a question that was asked otherwise than its turn says is left out."""
PRIOR: Final = {"opposed": -2.0, "definition>defines": 2.0}
"""What weights are pulled to, where not to 0: what few rows show and nobody doubts."""
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Row:
    """A question by `author`: the signs of all that may open its answer, which of these are right, and whether what
    opens it today is."""

    author: str
    question: str
    said: tuple[str, ...]
    signs: tuple[Signals, ...]
    right: tuple[bool, ...]
    today: bool


@dataclass(slots=True)
class Watched:
    """A writer that keeps what it was asked."""

    inner: ExtractiveWriter
    seen: list[tuple[Brief, Asked, Sequence[Asked]]] = field(default_factory=list)
    name: str = "watched"

    async def write(self, brief: Brief) -> Draft:
        asked, parts = await self.inner.asked(brief)
        self.seen.append((brief, asked, parts))
        return await self.inner.write(brief)


async def gathered(files: Sequence[Path], url: str, folder: Path) -> list[Row]:
    """Of each file, an author's, the questions whose first sentence somebody wrote down."""
    found: list[Row] = []
    for at, file in enumerate(files):
        kept: list[Watched] = []

        def watched(writer: Writer, kept: list[Watched] = kept) -> Writer:
            assert isinstance(writer, ExtractiveWriter)
            kept.append(Watched(writer))
            return kept[0]

        (own := folder / str(at)).mkdir()
        turns = await answered_turns(read(file), offline(url, own), own, watched=watched)
        found += rows_of(file.stem, [(turn, answer) for _, turn, answer in turns], kept[0].seen)
    return found


def rows_of(
    author: str, turns: Sequence[tuple[Turn, Answer]], seen: Sequence[tuple[Brief, Asked, Sequence[Asked]]]
) -> Iterator[Row]:
    """`seen`: what was written for these turns, in order; for some nothing was, for some several parts were."""
    place = 0
    for turn, answer in turns:
        here = (at for at in range(place, min(place + AHEAD, len(seen))) if seen[at][0].question.text in turn["text"])
        mine = place = next(here, place)
        while place < len(seen) and seen[place][0].question.text in turn["text"]:
            place += 1
        wanted = turn.get("first_needed") or ()
        if mine == place or not wanted or not turn["answerable"] or answer.refused:
            continue
        brief, asked, parts = seen[mine]
        asked, openings = first_openings(brief, asked, parts=parts, weights=fitted())
        right = tuple(holds(plain(one.text), wanted) for one in openings)
        today = holds(plain(opening_of(answer.text)), wanted)
        if openings:
            said = tuple(one.text for one in openings)
            yield Row(author, turn["text"], said, tuple(signs_of(openings, asked)), right, today)


def fit(rows: Sequence[Row]) -> Mapping[str, float]:
    """Weights of the signs that make the right openings likeliest."""
    rows = [row for row in rows if any(row.right) and not all(row.right)]
    counts = Counter(name for row in rows for signs in row.signs for name, value in signs.items() if value)
    names = sorted(name for name, count in counts.items() if count >= RARE)
    x, real, right = _matrix(rows, names)
    scale = np.maximum(x[real].std(axis=0), LEAST_SPREAD)
    x /= scale

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = np.where(real, x @ weights, -np.inf)
        chance = np.exp(scores - scores.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        hit = chance * right
        whole = hit.sum(axis=1, keepdims=True) + 1e-12
        slope = np.einsum("qo,qos->s", chance - hit / whole, x) / len(x)
        away = weights - prior
        return float(-np.log(whole).mean() + PENALTY * away @ away), slope + 2 * PENALTY * away

    prior = scale * [PRIOR.get(name, 0.0) for name in names]
    found = minimize(loss, prior, jac=True, method="L-BFGS-B").x / scale
    return {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True)}


def _matrix(rows: Sequence[Row], names: Sequence[str]) -> tuple[Floats, Flags, Flags]:
    """(signs, which openings are real, which are right), by question and opening."""
    shape = len(rows), max(len(row.signs) for row in rows)
    x, real, right = np.zeros((*shape, len(names))), np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    for at, row in enumerate(rows):
        for place, signs in enumerate(row.signs):
            real[at, place], right[at, place] = True, row.right[place]
            x[at, place] = [signs.get(name, 0.0) for name in names]
    return x, real, right


def best(row: Row, weights: Mapping[str, float]) -> int:
    """The place of what would open."""
    scores = [sum(weights.get(name, 0.0) * value for name, value in signs.items()) for signs in row.signs]
    return max(range(len(scores)), key=scores.__getitem__)


def judged(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Each author by what was fitted on the others: how many openings answer; of all that may open, how many could;
    today's, which is fitted on all of them."""
    hits = []
    for author in sorted({row.author for row in rows}):
        weights = fit([row for row in rows if row.author != author])
        hits += [(row, row.right[best(row, weights)]) for row in rows if row.author == author]
    authors = ["all", *sorted({row.author for row in rows})]
    return {name: _figures([pair for pair in hits if name in ("all", pair[0].author)]) for name in authors}


def _figures(hits: Sequence[tuple[Row, bool]]) -> dict[str, Any]:
    def share(found: Sequence[bool]) -> float:
        return round(100 * sum(found) / len(found), 1)

    return {
        "rows": len(hits),
        "fitted on others": share([hit for _, hit in hits]),
        "today": share([row.today for row, _ in hits]),
        "could": share([any(row.right) for row, _ in hits]),
    }


def main(arguments: Sequence[str]) -> int:
    """Prints the figures; with `--fit` also writes the weights."""
    parser = argparse.ArgumentParser(prog="python -m bench openings", description=__doc__)
    parser.add_argument("--questions", type=Path, action="append", help="JSON lines, by one author each")
    parser.add_argument("--fit", action="store_true", help="write the weights")
    parser.add_argument("--show", action="store_true", help="list what would open wrongly though something is right")
    options = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    files = options.questions or sorted((FOLDER / "dev").glob("*.jsonl"))
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False) as http:
        rows = asyncio.run(gathered(files, str(http.base_url).rstrip("/"), Path(folder)))
    print(json.dumps(judged(rows), ensure_ascii=False, indent=2))
    weights = fit(rows)
    for row in rows if options.show else ():
        if any(row.right) and not row.right[at := best(row, weights)]:
            print(f"--- [{row.author}] {row.question}\n    {row.said[at]}\n    {row.said[row.right.index(True)]}")
    if options.fit:
        OPENINGS.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    return 0
