"""`python -m bench kinds`: BM25, dense, hybrid and ours on every kind of question, side by side.

No kind is like another: questions written in sight of their paragraph, headings of our articles' own questions (taken
out of what is indexed), other ways of asking these, colloquial ones by other hands, titles of official sheets. A way of
ranking that is fitted on one and loses on another has not learned to rank.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.ranking.headings import question_headings, title_headings
from bench.ranking.kind_sets import asked_otherwise, over_articles, own_headings, shared_folder, shared_titles
from bench.ranking.retrieval import BACKENDS, OURS, Questions, load_set, named, query_key, run, show, vectors_of
from bench.ranking.title_kinds import asked_as_titles, labels_of_facts, ways_as_titles
from corpus.errors import CorpusError
from corpus.ports import Vector
from corpus.vectors import save_vectors

COLLOQUIAL: Final = Path(__file__).parents[1] / "data" / "colloquial"
VECTORS: Final = COLLOQUIAL / "vectors.npz"
Figures = dict[str, dict[str, float]]


KINDS: Final[Mapping[str, Callable[[], Questions]]] = {
    "shared": lambda: load_set(shared_folder()),
    "shared-titles": shared_titles,
    "own-questions": lambda: own_headings(question_headings),
    "own-titles": lambda: own_headings(title_headings),
    "asked-as-titles": asked_as_titles,
    "ways-as-titles": ways_as_titles,
    "fact-labels": labels_of_facts,
    "asked": lambda: asked_otherwise(turn=0, seen=True),
    "asked-unseen": lambda: asked_otherwise(turn=1, seen=False),
    "colloquial-dev": lambda: over_articles(COLLOQUIAL / "dev.jsonl"),
    "colloquial-held-out": lambda: over_articles(COLLOQUIAL / "held_out.jsonl"),
    "sheet-titles": lambda: over_articles(COLLOQUIAL / "sheet_titles.jsonl"),
}

JUDGES: Final = ("colloquial-held-out", "sheet-titles")
"""Nobody who fits the ranking reads their rows: only their figures."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench kinds", description=__doc__)
    parser.add_argument("--only", choices=list(KINDS), action="append", help="this kind; repeatable")
    parser.add_argument("--backend", choices=sorted(BACKENDS), default="embedded")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    parser.add_argument("--keep-vectors", action="store_true", help="store those of the questions that CI judges on")
    options = parser.parse_args(arguments)
    if options.keep_vectors:
        asyncio.run(keep_vectors())
        return 0
    if options.backend == "weaviate" and "WEAVIATE_URL" not in os.environ:
        sys.stderr.write("WEAVIATE_URL manque : indiquer l'adresse du serveur Weaviate à mesurer.\n")
        return 2
    figures: dict[str, Figures] = {}
    for name in options.only or KINDS:
        if name.startswith("shared") and not shared_folder().exists():
            sys.stderr.write(f"{shared_folder()} n'est pas là : ce jeu n'est pas mesuré.\n")
            continue
        data = KINDS[name]()
        folder = Path("var/bench") / named(data, options.backend)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            figures[name] = asyncio.run(run(data, backend=options.backend, folder=folder))
        except CorpusError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        title = f"{name}, {options.backend} : {len(data.passages)} passages, {len(data.queries)} questions"
        show(figures[name], title=title)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    lost = [name for name, rows in figures.items() if not first(rows)]
    if lost:
        sys.stderr.write(f"La nôtre n'est pas première sur : {', '.join(lost)}\n")
    return int(bool(lost))


async def keep_vectors() -> None:
    """Of the questions of `JUDGES`, so that no test embeds them."""
    kept: dict[str, Vector] = {}
    for name in JUDGES:
        found = await vectors_of(KINDS[name]())
        assert found is not None
        kept |= {query_key(text): vector for text, vector in found.by_query.items()}
    save_vectors(kept, VECTORS)


def first(figures: Figures) -> bool:
    """Whether no other way has a higher nDCG@10 than ours."""
    return figures[OURS]["ndcg@10"] >= max(row["ndcg@10"] for row in figures.values())
