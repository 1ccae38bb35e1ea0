"""`python -m bench ablation --data DIR [--only NAME]`: what each part of the ranking is worth, failures included.

In memory, with the analyser, the constants and the signals of the indexes. Needs the vectors that
`python -m bench retrieval` computes once. Each experiment is one function of `EXPERIMENTS`.
"""

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import numpy as np
from rich.console import Console

from bench.fitted.fitting import Part, fitted
from bench.ranking.in_memory import NAMES, Bench, bm25, hits_of, hybrid, in_memory, leg, measured, reordered
from bench.ranking.more_signals import more_signals
from bench.ranking.retrieval import load_set, vectors_of
from corpus import french
from corpus.chunking import indexed_text
from corpus.french import analyze, distinct, fold, words_of
from corpus.index.bm25 import idf
from corpus.index.fusion import ALPHA, DEPTH
from corpus.index.ranking import FITTED

Row = tuple[str, Mapping[str, float]]


def titles(bench: Bench) -> Iterator[Row]:
    """How title and text are joined for the lexical leg."""
    asked = [distinct(text) for text in bench.questions]
    text_only = [analyze(passage.text) for passage in bench.data.passages]
    headed = [analyze(passage.title) for passage in bench.data.passages]
    for name, texts in (
        ("text alone", text_only),
        ("title + text", list(bench.terms)),
        ("title twice + text", [2 * title + text for title, text in zip(headed, text_only, strict=True)]),
    ):
        yield f"bm25, {name}", measured(bm25(asked, texts), bench.right)


def constants(bench: Bench) -> Iterator[Row]:
    """k1 and b."""
    asked = [distinct(text) for text in bench.questions]
    for k1, b in ((0.9, 0.5), (0.9, 0.75), (1.2, 0.5), (1.2, 0.75), (1.6, 0.75)):
        yield f"bm25, k1 {k1} b {b}", measured(bm25(asked, bench.terms, k1=k1, b=b), bench.right)


def analyser(bench: Bench) -> Iterator[Row]:
    """Each rule of the analyser left out, of questions and passages alike, by words alone and in the hybrid."""
    plain: dict[str, dict[str, object]] = {
        "all rules": {},
        "without abbreviations and compounds": {"COMPOUNDS": {("", ""): None}},
        "without families of words": {"FAMILIES": {}},
        "without stop words": {"STOP_WORDS": frozenset()},
        "without stemming": {"FAMILIES": {}, "_stemmer": lambda: SimpleNamespace(stemWord=str)},
    }
    dense = bench.centred()
    for name, changes in plain.items():
        with _swapped(changes):
            asked = [distinct(text) for text in bench.questions]
            lexical = bm25(asked, [analyze(indexed_text(passage)) for passage in bench.data.passages])
        yield f"bm25, {name}", measured(lexical, bench.right)
        yield f"hybrid, {name}", measured(hybrid(lexical, dense), bench.right)


@contextmanager
def _swapped(changes: Mapping[str, object]) -> Iterator[None]:
    """The analyser with other tables."""
    kept = {name: getattr(french, name) for name in changes}
    for table in (changes, kept):
        for name, value in table.items():
            setattr(french, name, value)
        french._term.cache_clear()
        if table is changes:
            yield


def neighbours(bench: Bench) -> Iterator[Row]:
    """The last places of ten given to the passages beside the first hits; needs ids that end in `#` and a position."""
    places = {passage.id: at for at, passage in enumerate(bench.data.passages)}
    hits, found = hits_of(bench, bench.words(), bench.centred())
    scores = np.where(hits.real, hits.signals @ np.array([getattr(FITTED.questions, name) for name in NAMES]), -np.inf)
    order = np.take_along_axis(found, (-scores).argsort(axis=1, kind="stable"), 1)[:, :10]
    wanted = [[at for at, p in enumerate(bench.data.passages) if p.id in bench.data.relevant[query]]
              for query in bench.data.queries if bench.data.relevant[query] & places.keys()]  # fmt: skip
    for heads in (0, 1, 2):
        recalls = []
        for ranked, right in zip(order.tolist(), wanted, strict=True):
            beside = [at for head in ranked[:heads] for at in _beside(bench.data.passages[head].id, places)]
            extra = [at for at in beside if at not in ranked[: 10 - len(beside)]]
            shown = [*ranked[: 10 - len(extra)], *extra]
            recalls.append(len(set(shown) & set(right)) / len(right))
        yield f"ten passages, neighbours of the first {heads}", {"recall of all": round(float(np.mean(recalls)), 4)}


def _beside(name: str, places: Mapping[str, int]) -> list[int]:
    document, _, position = name.rpartition("#")
    if not document or not position.isdigit():
        return []
    around = (f"{document}#{int(position) + step}" for step in (1, -1))
    return [places[other] for other in around if other in places]


def fusions(bench: Bench) -> Iterator[Row]:
    """Weight of the dense leg. At exactly .5 the winners of the two legs tie: the tie rule then decides."""
    lexical, dense = bench.plain_legs()
    for alpha in (0.3, 0.4, 0.45, 0.499, 0.5, 0.501, 0.55, 0.6):
        yield f"hybrid, alpha {alpha}", measured(hybrid(lexical, dense, alpha), bench.right)
    ranks = [(-scores).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable") for scores in (lexical, dense)]
    fused = sum(np.where(rank < DEPTH, 1 / (60 + 1 + rank), 0) for rank in ranks)
    yield "reciprocal ranks, k 60", measured(np.asarray(fused, np.float32), bench.right)


def centres(bench: Bench) -> Iterator[Row]:
    """How much of our own articles' mean comes off both sides."""
    lexical, _ = bench.plain_legs()
    for share in (0.0, 0.5, 0.7, 0.9, 1.0):
        dense = bench.centred(share)
        yield f"dense, {share} of the mean off", measured(dense + 2, bench.right)
        yield f"hybrid, {share} of the mean off", measured(hybrid(lexical, dense), bench.right)


def feedback(bench: Bench) -> Iterator[Row]:
    """Pseudo-relevance feedback on the lexical leg: rare terms of its first passages join the question."""
    lexical, _ = bench.plain_legs()
    dense = bench.centred()
    holding = Counter(term for text in bench.terms for term in set(text))
    for passages, added, weight in ((3, 5, 0.2), (3, 10, 0.2), (5, 10, 0.1), (5, 20, 0.3)):
        first = (-lexical).argsort(axis=1, kind="stable")[:, :passages]
        extra = []
        for question, rows in zip(bench.questions, first, strict=True):
            counted = Counter(term for at in rows for term in bench.terms[at])
            worth = {t: n * idf(len(bench.terms), holding[t]) for t, n in counted.items()}
            known = set(distinct(question))
            extra.append([t for t in sorted(worth, key=lambda t: (-worth[t], t)) if t not in known][:added])
        grown = lexical + weight * bm25(extra, bench.terms)
        yield f"bm25 + {added} terms of {passages}, weight {weight}", measured(grown, bench.right)
        yield "  in the hybrid", measured(hybrid(grown, dense), bench.right)


def query_types(bench: Bench) -> Iterator[Row]:
    """An alpha per kind of question, chosen on one half, reported on the other."""
    lexical, _ = bench.plain_legs()
    dense, half = bench.centred(), bench.halves()
    sizes = np.array([len(distinct(text)) for text in bench.questions])
    digits = np.array([bool(re.search(r"\d", text)) for text in bench.questions])
    kinds = np.where(digits, 3, np.digitize(sizes, [3, 6]))
    grid = (0.4, 0.45, 0.5, 0.55, 0.6)
    tried = {alpha: hybrid(lexical, dense, alpha) for alpha in grid}
    chosen = {
        kind: max(grid, key=lambda a: measured(tried[a], bench.right, (kinds == kind) & (half == 0))["ndcg@10"])
        for kind in np.unique(kinds)
    }
    alphas = np.array([chosen[kind] for kind in kinds])[:, None]
    yield "one alpha, other half", measured(tried[ALPHA], bench.right, half == 1)
    name = f"alpha by kind {sorted((int(kind), alpha) for kind, alpha in chosen.items())}, other half"
    yield name, measured(hybrid(lexical, dense, alphas), bench.right, half == 1)


def documents(bench: Bench) -> Iterator[Row]:
    """The document's best score joins the passage's: the mean of the two best passages under one title."""
    lexical, _ = bench.plain_legs()
    fused = hybrid(lexical, bench.centred())
    yield "hybrid, centred", measured(fused, bench.right)
    groups: dict[str, list[int]] = {}
    for at, passage in enumerate(bench.data.passages):
        groups.setdefault(passage.title, []).append(at)
    support = np.zeros_like(fused)
    for members in groups.values():
        best = np.sort(fused[:, members], axis=1)[:, -2:].mean(axis=1)
        support[:, members] = best[:, None]
    for weight in (0.1, 0.3):
        yield f"+ {weight} of its document", measured(fused + weight * support, bench.right)


def letter_leg(bench: Bench) -> Iterator[Row]:
    """Runs of four letters as part of the lexical leg instead of as a signal."""
    lexical, _ = bench.plain_legs()
    dense = bench.centred()
    runs = bm25(
        [_runs(text) for text in bench.questions], [_runs(indexed_text(p), all_=True) for p in bench.data.passages]
    )
    yield "runs of letters alone", measured(runs, bench.right)
    for share in (0.2, 0.4):
        mixed = (1 - share) * leg(lexical, words=True) + share * leg(runs, words=True)
        yield f"{share} of the lexical leg", measured(0.5 * mixed + 0.5 * leg(dense, words=False), bench.right)


def second_look(bench: Bench) -> Iterator[Row]:
    """The signals: all, without each, words alone; shipped weights, and weights fitted on half, on the other half."""
    lexical, plain = bench.plain_legs()
    close, half = bench.centred(), bench.halves()
    everyone = np.ones(len(half), np.bool_)
    yield "hybrid", measured(hybrid(lexical, plain), bench.right)
    yield "hybrid, centred", measured(hybrid(lexical, close), bench.right)
    yield "hybrid, everyday words", measured(hybrid(bench.words(), plain), bench.right)
    hits, places = hits_of(bench, bench.words(), close)
    shipped = np.array([getattr(FITTED.questions, name) for name in NAMES])
    for name, chosen in (("all", everyone), ("half 0", half == 0), ("half 1", half == 1)):
        yield f"shipped weights, {name}", reordered(hits, places, bench, hits.signals @ shipped, chosen)
    for left_out in (None, *NAMES):
        columns = [at for at, name in enumerate(NAMES) if name != left_out]
        scores = np.zeros(hits.real.shape)
        for part in (0, 1):
            weights = fitted([Part(hits, half != part)], columns=columns)
            scores[half == part] = hits.signals[half == part][:, :, columns] @ weights
        yield (
            f"two-fold, {f'without {left_out}' if left_out else 'all signals'}",
            reordered(hits, places, bench, scores, everyone),
        )
    hits, places = hits_of(bench, bench.words(), None)
    yield "words alone: bm25", measured(lexical, bench.right)
    yield "words alone: second look", reordered(hits, places, bench, hits.signals @ shipped, everyone)


def misspelt(bench: Bench) -> Iterator[Row]:
    """By words alone: the longest word of each question loses its fourth letter, or all accents go."""
    shipped = np.array([getattr(FITTED.questions, name) for name in NAMES])
    everyone = np.ones(len(bench.questions), np.bool_)
    for name, change in (("a letter lost", _misspell), ("no accents", fold)):
        changed = replace(bench, questions=tuple(change(text) for text in bench.questions))
        lexical = bm25([distinct(text) for text in changed.questions], bench.terms)
        yield f"{name}: bm25", measured(lexical, bench.right)
        hits, places = hits_of(changed, changed.words(), None)
        yield f"{name}: second look", reordered(hits, places, changed, hits.signals @ shipped, everyone)


def _misspell(text: str) -> str:
    longest = max(re.findall(r"\w+", text), key=len, default="")
    return text.replace(longest, longest[:3] + longest[4:], 1) if len(longest) > 5 else text


def _runs(text: str, *, all_: bool = False) -> list[str]:
    line = f" {' '.join(words_of(text))} "
    runs = [line[at : at + 4] for at in range(len(line) - 3)]
    return runs if all_ else list(dict.fromkeys(runs))


Experiment = Callable[[Bench], Iterator[Row]]
EXPERIMENTS: Final[Mapping[str, Experiment]] = {
    found.__name__.replace("_", "-"): found
    for found in (
        titles, constants, analyser, neighbours, fusions, centres, feedback, query_types, documents, letter_leg,
        second_look, more_signals, misspelt,
    )
}  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with passages, queries and qrels")
    parser.add_argument("--only", choices=sorted(EXPERIMENTS), action="append", help="this experiment; repeatable")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args(arguments)
    data = load_set(options.data)
    vectors = asyncio.run(vectors_of(data))
    assert vectors is not None
    bench = in_memory(data, vectors)
    figures: dict[str, dict[str, Mapping[str, float]]] = {}
    for name in options.only or EXPERIMENTS:
        Console().rule(name)
        for label, row in EXPERIMENTS[name](bench):
            figures.setdefault(name, {})[label.strip()] = row
            print(f"{label:60}", "  ".join(f"{key} {value:.4f}" for key, value in row.items()), flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0
