"""`python -m bench scale [--passages N] [--backend …]`: a large index of noisy copies, and a reader beside a writer.

Times of search, of indexing and until another process finds a new document; memory and disk. Passages are copies of
`--data` with one sixth of their words exchanged and noise on their vectors, so that scores spread as in real text.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console

from bench.ranking.measures import percentile
from bench.ranking.retrieval import Chunk, Questions, Vectors, load_set, put, vectors_of
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.ports import PassageArchive, Vector
from corpus.types import SHARED_TENANT, Filters

A_DOCUMENT: Final = 20
SEARCHES: Final = 300
WRITTEN: Final = 1_000
PAUSE_SECONDS: Final = 0.005


def noisy(data: Questions, vectors: Vectors, count: int) -> Iterator[Chunk]:
    """Documents of `A_DOCUMENT` passages each, the same at every run."""
    generator, draw = np.random.default_rng(0), random.Random(0)
    words = [word for passage in data.passages[::7] for word in passage.text.split()]
    for start in range(0, count, A_DOCUMENT):
        name = f"noisy{start}"
        chosen = [(start + n) % len(data.passages) for n in range(min(A_DOCUMENT, count - start))]
        passages = [
            replace(
                data.passages[at],
                id=f"{name}#{n}",
                document_id=name,
                position=n,
                text=" ".join(
                    draw.choice(words) if draw.random() < 1 / 6 else w for w in data.passages[at].text.split()
                ),
            )
            for n, at in enumerate(chosen)
        ]
        rows = vectors.passages_matrix[chosen] + generator.normal(0, 0.02, (len(chosen), vectors.dimensions))
        yield name, passages, (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), "1"


@asynccontextmanager
async def opened(backend: str, folder: Path, version: str, dimensions: int) -> AsyncIterator[PassageArchive]:
    """As the product opens it."""
    index: Any
    if backend == "embedded":
        index = EmbeddedIndex(folder / "scale.sqlite", mean_vector=load_mean_vector(version))
    else:
        from corpus.index.weaviate import WeaviateIndex

        index = WeaviateIndex(
            os.environ["WEAVIATE_URL"],
            grpc_port=int(os.environ.get("WEAVIATE_GRPC_PORT", "50051")),
            version=version,
            dimensions=dimensions,
            mean_vector=load_mean_vector(version),
            prefix="Scale",
        )
    try:
        yield index
    finally:
        await index.aclose()


async def search_times(index: PassageArchive, vectors: Vectors, *, until: asyncio.Event | None = None) -> list[float]:
    """Milliseconds a search, embedding excluded: `SEARCHES` questions, or on and on until the event."""
    times: list[float] = []
    asked = list(vectors.by_query.items())[:: max(1, len(vectors.by_query) // SEARCHES)]
    while True:
        for text, vector in asked:
            times.append(await _timed(index, text, vector))
            if until is not None:
                await asyncio.sleep(PAUSE_SECONDS)
                if until.is_set():
                    return times
        if until is None:
            return times


async def _timed(index: PassageArchive, text: str, vector: Vector) -> float:
    started = time.perf_counter()
    await index.search(text, vector=vector, tenants=(SHARED_TENANT,), filters=Filters(), limit=10)
    return 1000 * (time.perf_counter() - started)


def filled(data: Questions, vectors: Vectors, backend: str, count: int, folder: Path) -> dict[str, float]:
    """In a process of its own: what writing leaves in memory is not what searching needs."""

    async def fill() -> float:
        async with opened(backend, folder, vectors.version, vectors.dimensions) as index:
            return await put(index, noisy(data, vectors, count))

    return {"passages": float(count), "index_s": asyncio.run(fill())}


async def run(vectors: Vectors, *, backend: str, folder: Path) -> dict[str, float]:
    """All figures of a filled index. Memory in MB: of this process before and after, and of the server."""
    before = _resident(os.getpid())
    async with opened(backend, folder, vectors.version, vectors.dimensions) as index:
        figures = {}
        first = next(iter(vectors.by_query.items()))
        figures["first_search_ms"] = await _timed(index, *first)
        times = await search_times(index, vectors)
        figures |= {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}
        figures["load"] = os.getloadavg()[0]  # of the machine, while it searched: times mean little without it
        figures |= {"rss_before_mb": before, "rss_mb": _resident(os.getpid())}
        if server := os.environ.get("WEAVIATE_PID"):
            figures["server_rss_mb"] = _resident(int(server))
        figures |= await beside_a_writer(index, vectors, backend=backend, folder=folder)
        kept = Path(os.environ.get("WEAVIATE_DATA", folder)) if backend == "weaviate" else folder
        figures["disk_mb"] = sum(path.stat().st_size for path in kept.rglob("*") if path.is_file()) / 1e6
        if backend == "weaviate":
            await index.drop()  # type: ignore[attr-defined]
    return figures


def _resident(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def beside_a_writer(index: PassageArchive, vectors: Vectors, *, backend: str, folder: Path) -> dict[str, float]:
    """A second process adds `WRITTEN` documents while this one searches, then one whose finding is timed."""
    finished = asyncio.Event()
    program = [sys.executable, "-m", "bench.ranking.writer"]
    command = [*program, backend, str(folder), vectors.version, str(vectors.dimensions)]
    started = time.perf_counter()
    writer = await asyncio.create_subprocess_exec(*command, str(WRITTEN), stdout=subprocess.PIPE)
    reading = asyncio.create_task(search_times(index, vectors, until=finished))
    assert writer.stdout is not None
    await writer.stdout.readline()
    seconds = time.perf_counter() - started
    finished.set()
    times = await reading
    seen = await _seen(index) - float(await writer.stdout.readline())
    await writer.wait()
    return {
        "beside_p50_ms": percentile(times, 0.5),
        "beside_p95_ms": percentile(times, 0.95),
        "beside_searches": float(len(times)),
        "writer_s": seconds,
        "seen_after_s": max(0.0, seen),
    }


async def _seen(index: PassageArchive) -> float:
    """When the writer's last document was found."""
    while True:
        if await index.search("zyzomys", vector=None, tenants=(SHARED_TENANT,), filters=Filters(), limit=1):
            return time.time()
        await asyncio.sleep(0.01)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with passages, queries and qrels")
    parser.add_argument("--backend", choices=("embedded", "weaviate"), default="embedded")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args(arguments)
    if options.backend == "weaviate" and "WEAVIATE_URL" not in os.environ:
        sys.stderr.write("WEAVIATE_URL manque : indiquer l'adresse du serveur Weaviate à mesurer.\n")
        return 2
    data = load_set(options.data)
    vectors = asyncio.run(vectors_of(data))
    assert vectors is not None
    folder = Path(tempfile.mkdtemp(prefix="qs-scale-"))
    try:
        with get_context("spawn").Pool(1) as pool:
            figures = pool.apply(filled, (data, vectors, options.backend, options.passages, folder))
        figures |= asyncio.run(run(vectors, backend=options.backend, folder=folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    figures = {name: round(value, 2) for name, value in figures.items()}
    Console().print(figures)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0
