"""Signals that the second look could have besides its own: what `python -m bench ablation` tried and did not keep."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.fitted.fitting import Floats, Hits, Part, fitted
from bench.ranking.in_memory import NAMES, Bench, hits_of, hybrid, leg, reordered
from corpus.french import analyze, distinct
from corpus.index.bm25 import idf

KEPT: Final = tuple(range(len(NAMES)))
TRIED: Final = ("words of the title", "words anywhere in the passage", "its BM25", "its fused score", "its length")


def more_signals(bench: Bench) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Each of `TRIED` beside the kept ones, weights fitted on one half of the questions and used on the other."""
    lexical = bench.words()
    close, half = bench.centred(), bench.halves()
    fused = hybrid(lexical, close)
    hits, places = hits_of(bench, lexical, close)
    scores = [np.take_along_axis(found, places, 1)[:, :, None] for found in (leg(lexical, words=True), fused)]
    lengths = np.log1p([len(terms) for terms in bench.terms])[places][:, :, None]
    signals = np.concatenate([hits.signals, _shares(bench, hits, places), *scores, lengths], axis=2)
    known = replace(hits, signals=signals)
    for name, extra in (("the kept ones", ()), *((f"+ {tried}", (at,)) for at, tried in enumerate(TRIED))):
        columns = [*KEPT, *(len(NAMES) + at for at in extra)]
        totals = np.zeros(hits.real.shape)
        for part in (0, 1):
            weights = fitted([Part(known, half != part)], columns=columns)
            totals[half == part] = known.signals[half == part][:, :, columns] @ weights
        yield f"two-fold, {name}", reordered(hits, places, bench, totals, np.ones(len(half), np.bool_))


def _shares(bench: Bench, hits: Hits, places: NDArray[np.int64]) -> Floats:
    """Of the question's terms, by their rarity: the share in the title, and in the whole passage."""
    holding = Counter(term for terms in bench.terms for term in set(terms))
    titles = [set(analyze(passage.title)) for passage in bench.data.passages]
    texts = [set(terms) for terms in bench.terms]
    found = np.zeros((*places.shape, 2))
    for row, question in enumerate(bench.questions):
        rarity = {term: idf(len(texts), holding[term]) for term in distinct(question)}
        whole = sum(rarity.values()) or 1.0
        for order in np.flatnonzero(hits.real[row]):
            held = (titles[places[row, order]], texts[places[row, order]])
            found[row, order] = [sum(rarity[term] for term in rarity.keys() & terms) / whole for terms in held]
    return found
