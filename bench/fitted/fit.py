"""`python -m bench fit`: the second look's weights, fitted on several kinds of question at once, and their worth.

Those for questions are fitted on the shared set, our articles' own questions, other ways of asking these and the
colloquial questions that may be read; those for titles on titles of ours, of official pages and on what reads like one
(`title_kinds`). Each kind counts as a whole, however many questions it has. Judged by the kinds that nobody reads
(`python -m bench kinds`), and by the table: fits on one half used on the other, no document in both, and on all kinds
but one used on that one. In memory, with the constants of the indexes. Fails where the fit is no longer what is
shipped.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.fitted.fitting import Floats, Hits, Part, fitted, halves
from bench.ranking.in_memory import NAMES, Bench, Scores, hits_of, hybrid, in_memory
from bench.ranking.kinds import KINDS
from bench.ranking.measures import mean_measures
from bench.ranking.retrieval import vectors_of
from corpus.french import is_title
from corpus.index.ranking import FITTED

QUESTIONS: Final[Mapping[str, float]] = {
    "shared": 8.0,
    "own-questions": 1.0,
    "asked": 1.0,
    "asked-unseen": 1.0,
    "colloquial-dev": 1.0,
}
"""Kinds with their shares. The shared set has the most questions, and a floor of its own to keep."""
TITLES: Final[Mapping[str, float]] = {
    "own-titles": 1.0,
    "shared-titles": 1.0,
    "asked-as-titles": 1.0,
    "ways-as-titles": 1.0,
    "fact-labels": 1.0,
}
TITLE_SIGNALS: Final = ("lexical", "similarity", "feedback", "pairs")
"""The others win on some kinds of titles and lose on others."""
WORD_SIGNALS: Final = ("lexical", "near", "pairs", "grams")
ALIKE: Final = (frozenset({"asked", "asked-unseen"}),)
"""Kinds that ask the same: one is no stranger to what was fitted on the other."""
SAME: Final = 0.15
"""How far the shipped weights may be from the fitted ones, each relative to itself: a few more entries move them."""
NOTHING: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question in memory, its hits, those by words alone, the half of each question and whether it is a
    title."""

    bench: Bench
    hits: Hits
    places: NDArray[np.int64]
    by_words: Hits
    half: NDArray[np.int64]
    title: NDArray[np.bool_]

    def measured(self, scores: Floats | Scores, places: NDArray[np.int64], chosen: NDArray[np.bool_]) -> float:
        """nDCG@10 of the chosen questions, their hits ordered by these scores."""
        data = self.bench.data
        order = np.take_along_axis(places, (-scores).argsort(axis=1, kind="stable")[:, :10], 1)
        names = [passage.id for passage in data.passages]
        found = {self.bench.names[row]: [names[at] for at in order[row]] for row in np.flatnonzero(chosen)}
        return mean_measures(found, data.relevant, data.sections)["ndcg@10"]

    def reordered(self, look: "Look", half: int | None = None) -> float:
        """Of one half, or of all."""
        scores = np.where(self.title[:, None], self.hits.signals @ look.titles, self.hits.signals @ look.questions)
        chosen = np.ones(len(self.half), np.bool_) if half is None else self.half == half
        return self.measured(np.where(self.hits.real, scores, -np.inf), self.places, chosen)

    def best_of_plain(self) -> float:
        """Of BM25, dense and hybrid: no mean vector, no everyday words, no second look."""
        lexical, dense = self.bench.plain_legs()
        everywhere, every = np.broadcast_to(np.arange(dense.shape[1]), dense.shape), self.half >= 0
        return max(self.measured(way, everywhere, every) for way in (lexical, dense, hybrid(lexical, dense)))


@dataclass(frozen=True, slots=True)
class Look:
    """Weights in the order of `NAMES`, 0 for a signal that is left out."""

    questions: Floats
    titles: Floats
    words: Floats


Kinds = Mapping[str, Kind]


def kind(name: str) -> Kind:
    """Raises as `KINDS[name]` does."""
    data = KINDS[name]()
    vectors = asyncio.run(vectors_of(data))
    assert vectors is not None
    bench = in_memory(data, vectors)
    hits, places = hits_of(bench, bench.words(), bench.centred())
    by_words = hits_of(bench, bench.words(), None)[0] if name in QUESTIONS else hits
    titles = [data.passages[at].title or data.passages[at].id for at in bench.right]
    return Kind(bench, hits, places, by_words, halves(titles), np.array([is_title(text) for text in bench.questions]))


def look_of(
    known: Kinds, *, half: int | None = None, unseen: AbstractSet[str] = NOTHING, without: str | None = None
) -> Look:
    """Fitted on one half or on all of the kinds but the `unseen`, without one signal."""

    def weights(shares: Mapping[str, float], signals: Sequence[str], *, words: bool = False) -> Floats:
        parts = []
        for name in (name for name in shares if name not in unseen):
            found = known[name]
            chosen = np.ones(len(found.half), np.bool_) if half is None else found.half == half
            parts.append(Part(found.by_words if words else found.hits, chosen, shares[name]))
        columns = [at for at, name in enumerate(NAMES) if name in signals and name != without]
        found_weights = np.zeros(len(NAMES))
        found_weights[columns] = fitted(parts, columns=columns)
        return found_weights

    by_words = weights(QUESTIONS, WORD_SIGNALS, words=True)
    return Look(weights(QUESTIONS, NAMES), weights(TITLES, TITLE_SIGNALS), by_words)


def main(arguments: Sequence[str]) -> int:
    argparse.ArgumentParser(prog="python -m bench fit", description=__doc__).parse_args(arguments)
    known = {name: kind(name) for name in (*QUESTIONS, *TITLES)}
    look = look_of(known)
    shipped = Look(*(np.array(astuple(weights)) for weights in (FITTED.questions, FITTED.titles, FITTED.words)))
    for name, weights in (("questions", look.questions), ("titles", look.titles), ("words alone", look.words)):
        print(f"{name:12}", "  ".join(f"{signal}={value:.2f}" for signal, value in zip(NAMES, weights, strict=True)))
    print(f"{'nDCG@10':40}", "  ".join(f"{name:>15}" for name in known))
    _row("best of BM25, dense and hybrid", [found.best_of_plain() for found in known.values()])
    for name, used in (("fitted on all of it", look), ("shipped", shipped)):
        _row(name, [found.reordered(used) for found in known.values()])
    _row("fitted on the other kinds", [_as_stranger(known, name) for name in known])
    for left_out in (None, *NAMES):
        _row(f"two-fold, {f'without {left_out}' if left_out else 'all signals'}", _two_fold(known, left_out))
    pairs = zip(
        (look.questions, look.titles, look.words), (shipped.questions, shipped.titles, shipped.words), strict=True
    )
    same = all(np.allclose(found, kept, rtol=SAME, atol=SAME) for found, kept in pairs)
    if not same:
        sys.stderr.write("Les poids livrés (corpus/index/ranking.py) ne sont plus ceux-ci.\n")
    return int(not same)


def _as_stranger(known: Kinds, name: str) -> float:
    """Of a kind, ordered by what was fitted on kinds that are not like it."""
    unseen = next((some for some in ALIKE if name in some), frozenset({name}))
    return known[name].reordered(look_of(known, unseen=unseen))


def _two_fold(known: Kinds, left_out: str | None) -> list[float]:
    totals = np.zeros(len(known))
    for judged in (0, 1):
        look = look_of(known, half=1 - judged, without=left_out)
        for at, found in enumerate(known.values()):
            totals[at] += (found.half == judged).mean() * found.reordered(look, judged)
    return [float(total) for total in totals]


def _row(name: str, values: Sequence[float]) -> None:
    print(f"{name:40}", "  ".join(f"{value:15.4f}" for value in values), flush=True)
