"""`python -m bench fit`: the second look's weights, fitted on several kinds of question at once, and their worth.

Fitted on half of the shared set, half of our articles' own questions and titles, and the colloquial questions that may
be read; each kind counts as a whole (`SHARES`), however many questions it has. Judged by `python -m bench kinds`. The
table is of two-fold fits: no document has questions in both folds. In memory, with the constants of the indexes.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.fitting import Floats, Hits, Part, fitted, halves
from bench.in_memory import NAMES, Bench, Scores, hits_of, hybrid, in_memory
from bench.kinds import KINDS
from bench.measures import mean_measures
from bench.retrieval import vectors_of
from corpus.index.ranking import FITTED

SHARES: Final[Mapping[str, float]] = {"shared": 5.0, "own-questions": 1.0, "own-titles": 1.0, "colloquial-dev": 1.0}
"""The shared set has ten times the questions, and a floor of its own to keep."""
WHOLE: Final = frozenset({"colloquial-dev"})
"""Kinds that are fitted on whole: others judge in their place."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question in memory, its hits, and the half of each question."""

    bench: Bench
    hits: Hits
    places: NDArray[np.int64]
    half: NDArray[np.int64]

    def part(self, name: str, half: int) -> Part:
        return Part(self.hits, self.half == half, SHARES[name])

    def measured(self, scores: Floats | Scores, places: NDArray[np.int64], chosen: NDArray[np.bool_]) -> float:
        """nDCG@10 of the chosen questions, their hits ordered by these scores."""
        data = self.bench.data
        order = np.take_along_axis(places, (-scores).argsort(axis=1, kind="stable")[:, :10], 1)
        names = [passage.id for passage in data.passages]
        found = {self.bench.names[row]: [names[at] for at in order[row]] for row in np.flatnonzero(chosen)}
        return mean_measures(found, data.relevant, data.sections)["ndcg@10"]

    def reordered(self, weights: Floats, chosen: NDArray[np.bool_], columns: Sequence[int]) -> float:
        taken = list(columns)
        scores = np.where(self.hits.real, self.hits.signals[:, :, taken] @ weights, -np.inf)
        return self.measured(scores, self.places, chosen)

    def hybrid(self, chosen: NDArray[np.bool_]) -> float:
        """Plain: no mean vector, no everyday words, no second look."""
        fused = hybrid(*self.bench.plain_legs())
        everywhere = np.broadcast_to(np.arange(fused.shape[1]), fused.shape)
        return self.measured(fused, everywhere, chosen)


def kind(name: str) -> Kind:
    """Raises as `KINDS[name]` does."""
    data = KINDS[name]()
    vectors = asyncio.run(vectors_of(data))
    assert vectors is not None
    bench = in_memory(data, vectors)
    hits, places = hits_of(bench, bench.words(), bench.centred())
    titles = [data.passages[at].title for at in bench.right]
    return Kind(bench, hits, places, halves(titles))


def main(arguments: Sequence[str]) -> int:
    argparse.ArgumentParser(prog="python -m bench fit", description=__doc__).parse_args(arguments)
    known = {name: kind(name) for name in SHARES}
    every = list(range(len(NAMES)))
    parts = [found.part(name, 0) for name, found in known.items()]
    parts += [found.part(name, 1) for name, found in known.items() if name in WHOLE]
    weights = fitted(parts, columns=every)
    print("fitted :", "  ".join(f"{name} {value:.2f}" for name, value in zip(NAMES, weights, strict=True)))
    shipped = np.array([getattr(FITTED, name) for name in NAMES])
    print(f"{'nDCG@10':40}", "  ".join(f"{name:>15}" for name in known))
    _row("hybrid, half 1", [found.hybrid(found.half == 1) for found in known.values()])
    for name, used in (("fitted, half 1", weights), ("shipped, half 1", shipped)):
        _row(name, [found.reordered(used, found.half == 1, every) for found in known.values()])
    for left_out in (None, *NAMES):
        columns = [at for at, name in enumerate(NAMES) if name != left_out]
        _row(f"two-fold, {f'without {left_out}' if left_out else 'all signals'}", _two_fold(known, columns))
    for name in known:
        others = {other: found for other, found in known.items() if other != name}
        unseen = fitted([found.part(o, half) for o, found in others.items() for half in (0, 1)], columns=every)
        scored = [found.reordered(unseen, found.half >= 0, every) for found in known.values()]
        _row(f"fitted on the others than {name}", scored)
    return 0


def _two_fold(known: Mapping[str, Kind], columns: Sequence[int]) -> list[float]:
    totals = np.zeros(len(known))
    for judged in (0, 1):
        weights = fitted([found.part(name, 1 - judged) for name, found in known.items()], columns=columns)
        for at, found in enumerate(known.values()):
            chosen = found.half == judged
            totals[at] += chosen.mean() * found.reordered(weights, chosen, columns)
    return [float(total) for total in totals]


def _row(name: str, values: Sequence[float]) -> None:
    print(f"{name:40}", "  ".join(f"{value:15.4f}" for value in values), flush=True)
