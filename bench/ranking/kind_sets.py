"""Sets of questions over our articles and over the shared set, for `python -m bench kinds`."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.ranking.headings import without_heading
from bench.ranking.retrieval import Questions, load_set, read_rows
from corpus.chunking import chunk
from corpus.errors import MalformedArticle
from corpus.questions.asked import question_of, read_asked
from corpus.sources.articles import read_articles
from corpus.types import Passage


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
            section(passage.document_id, part) for heading in passage.heading for part in heading.split(" · ")
        )
        for passage in passages
    }
    known = frozenset().union(*sections.values())
    queries: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    for row in read_rows(path):
        wanted = {section(row["article"], row["sub"]), *(section(*other) for other in row["also_sub"])}
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
        name = section(article, question)
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


def section(article: str, heading: str) -> str:
    return f"{article}: {heading}"
