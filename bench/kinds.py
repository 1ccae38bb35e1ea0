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
from dataclasses import replace
from pathlib import Path
from typing import Final

from bench.headings import question_headings, title_headings, without_heading
from bench.retrieval import BACKENDS, OURS, Questions, load_set, named, query_key, read_rows, run, show, vectors_of
from corpus.chunking import chunk
from corpus.errors import CorpusError, MalformedArticle
from corpus.ports import Vector
from corpus.questions.asked import question_of, read_asked
from corpus.sources.articles import read_articles
from corpus.types import Passage
from corpus.vectors import save_vectors

COLLOQUIAL: Final = Path(__file__).parent / "data" / "colloquial"
VECTORS: Final = COLLOQUIAL / "vectors.npz"
Figures = dict[str, dict[str, float]]


def built_in() -> list[Passage]:
    """The passages of our articles, as they are indexed. Raises `MalformedArticle`."""
    found: list[Passage] = []
    for article in read_articles():
        if isinstance(article, MalformedArticle):
            raise article
        found += chunk(article)
    return found


def over_articles(path: Path) -> Questions:
    """Rows {id, text, article, sub, also_sub}: a question is answered by the section `sub` of `article`, or by one of
    `also_sub`. Raises `OSError`, `ValueError` for a section that no article has, `KeyError`."""
    passages = built_in()
    sections = {
        passage.id: frozenset(
            _section(passage.document_id, part) for heading in passage.heading for part in heading.split(" · ")
        )
        for passage in passages
    }
    known = frozenset().union(*sections.values())
    queries: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    for row in read_rows(path):
        wanted = {_section(row["article"], row["sub"]), *(_section(*other) for other in row["also_sub"])}
        if wanted - known:
            raise ValueError(f"{row['id']} : section inconnue {sorted(wanted - known)}")
        queries[row["id"]], relevant[row["id"]] = row["text"], frozenset(wanted)
    return Questions(tuple(passages), queries, relevant, sections)


def own_headings(headings: Callable[[Passage], Sequence[str]]) -> Questions:
    """Such headings of our articles as questions, each taken out of all that is indexed."""
    queries: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    indexed: list[Passage] = []
    for passage in built_in():
        found = headings(passage)
        for text in found:
            name = f"{passage.document_id}: {text}"
            queries[name] = text
            relevant[name] = relevant.get(name, frozenset()) | {passage.id}
        indexed.append(without_heading(passage) if found else passage)
    return Questions(tuple(indexed), queries, relevant)


def asked_otherwise(*, turn: int, seen: bool) -> Questions:
    """One way of asking each of our articles' own questions, another one for another `turn`, beside its heading or,
    not `seen`, with that taken out of what is indexed."""
    indexed: list[Passage] = []
    answers: dict[tuple[str, str], set[str]] = {}
    for passage in built_in():
        if question := question_of(passage):
            answers.setdefault((passage.document_id, question), set()).add(passage.id)
        indexed.append(passage if seen or not question else without_heading(passage))
    ways: dict[tuple[str, str], list[str]] = {}
    for row in read_asked():
        ways.setdefault((row.article, row.question), []).append(row.also)
    queries: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    for at, ((article, question), also) in enumerate(ways.items()):
        name = _section(article, question)
        queries[name], relevant[name] = also[(at + turn) % len(also)], frozenset(answers[article, question])
    return Questions(tuple(indexed), queries, relevant)


def shared_titles() -> Questions:
    """Titles of the shared set's official pages as questions, taken out of what is indexed; what stood under one is
    right. The other pages are those that the set's own questions are about, of an encyclopaedia."""
    data = load_set(shared_folder())
    answering = frozenset().union(*data.relevant.values())
    others = {passage.title for passage in data.passages if passage.id in answering}
    relevant: dict[str, frozenset[str]] = {}
    for passage in data.passages:
        if passage.title not in others and len(passage.title.split()) > 1:
            relevant[passage.title] = relevant.get(passage.title, frozenset()) | {passage.id}
    indexed = tuple(replace(passage, title="") for passage in data.passages)
    return Questions(indexed, {title: title for title in relevant}, relevant)


def shared_folder() -> Path:
    """The shared set, beside the checkout unless QS_SHARED says where."""
    return Path(os.environ.get("QS_SHARED", "../shared")) / "retrieval"


def _section(article: str, heading: str) -> str:
    return f"{article}: {heading}"


KINDS: Final[Mapping[str, Callable[[], Questions]]] = {
    "shared": lambda: load_set(shared_folder()),
    "shared-titles": shared_titles,
    "own-questions": lambda: own_headings(question_headings),
    "own-titles": lambda: own_headings(title_headings),
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
