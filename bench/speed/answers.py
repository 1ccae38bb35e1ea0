"""How long offline answers take, what of it is ours, how much memory they hold, how soon one sees a first sign."""

import argparse
import asyncio
import json
import logging
import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import structlog
from rich.console import Console
from rich.table import Table

from bench.sandboxed import sandbox, settings_of, until
from bench.yardstick import Yardstick, ratio_of
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.ports import Deps, Tool
from pipeline.steps import quietly
from pipeline.types import Question, ToolCall, ToolResult

QUESTIONS = Path(__file__).parents[1] / "questions.txt"
MEMORY_ANSWERS = 100
YARDSTICK_EVERY = 5
GOALS = {"p95_s": 1.5, "overhead_p95_s": 0.15, "rss_mb": 500.0, "first_feedback_s": 1.0}


@dataclass(slots=True)
class TimedTool:
    """A tool whose time is kept apart from ours."""

    tool: Tool
    seconds: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.tool.name

    async def run(self, call: ToolCall) -> ToolResult:
        started = time.perf_counter()
        try:
            return await self.tool.run(call)
        finally:
            self.seconds.append(time.perf_counter() - started)


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench answers")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    questions = QUESTIONS.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder)) as http:
        yardstick = Yardstick()
        figures = asyncio.run(_answers(Path(folder), str(http.base_url), questions, yardstick))
        figures |= _in_slack(http, questions, yardstick)
    figures = yardstick.beside(figures)
    _print(figures)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


async def _answers(folder: Path, url: str, questions: Sequence[str], yardstick: Yardstick) -> dict[str, Any]:
    """Each question once, after one warm-up; the time inside tools is taken apart. A yardstick after each.
    `cpu`: what an answer computes, which other programs of the machine add little to."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    settings = settings_of(url.rstrip("/"), folder / "bench")
    async with build_deps(settings) as deps:
        timed = {name: TimedTool(tool) for name, tool in deps.tools.items()}
        deps = replace(deps, tools=dict(timed))
        await _ask(questions[0], deps)
        whole, own, computed = [], [], []
        refused = 0
        for question in questions:
            before, busy = _spent(timed), time.process_time()
            seconds, was_refused = await _ask(question, deps)
            computed.append(time.process_time() - busy)
            refused += was_refused
            whole.append(seconds)
            own.append(seconds - (_spent(timed) - before))
            yardstick.take()
    return {
        "questions": len(questions),
        "refused": refused,
        "p50_s": round(statistics.median(whole), 4),
        "p95_s": round(_p95(whole), 4),
        "overhead_p95_s": round(_p95(own), 4),
        "cpu_p50_s": round(statistics.median(computed), 4),
        "cpu_p95_s": round(_p95(computed), 4),
    }


def _spent(timed: Mapping[str, TimedTool]) -> float:
    return sum(sum(tool.seconds) for tool in timed.values())


async def _ask(text: str, deps: Deps) -> tuple[float, bool]:
    question = Question(text=text, asked_by="bench", asked_at=datetime.now(UTC))
    started = time.perf_counter()
    result = await answer(question, deps=deps, report=quietly)
    return time.perf_counter() - started, result.refused


def _in_slack(http: httpx.Client, questions: Sequence[str], yardstick: Yardstick) -> dict[str, float]:
    """The whole bot through the sandbox: seconds to its first sign in the thread (median), its memory after 100."""
    state = http.get("/sandbox/state").json()
    seconds = []
    for number in range(MEMORY_ANSWERS):
        text = f"<@{state['bot']['user_id']}> {questions[number % len(questions)]}"
        body = {"user": state["users"][0]["id"], "channel": state["channels"][0]["id"], "text": text}
        started = time.perf_counter()
        said = http.post("/sandbox/say", json=body).json()
        until(lambda said=said: _replies(http, said))  # type: ignore[misc]
        seconds.append(time.perf_counter() - started)
        until(lambda said=said: any(m.get("blocks") for m in _replies(http, said)))  # type: ignore[misc]
        if number % YARDSTICK_EVERY == 0:
            yardstick.take()
    pid = http.get("/sandbox/state").json()["process"]["pid"]
    return {"first_feedback_s": round(statistics.median(seconds), 3), "rss_mb": round(_rss_mb(pid), 1)}


def _replies(http: httpx.Client, said: Mapping[str, str]) -> list[dict[str, Any]]:
    where = {"channel": said["channel"], "thread_ts": said["ts"]}
    return list(http.get("/sandbox/messages", params=where).json()["messages"][1:])


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[18]


def _rss_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _print(figures: Mapping[str, Any]) -> None:
    table = Table(title="Réponses hors ligne (extractives)")
    for column in ("mesure", "valeur", "÷ étalon", "objectif"):
        table.add_column(column)
    for name, value in figures.items():
        if not name.endswith("_ratio"):
            goal = f"≤ {GOALS[name]}" if name in GOALS else ""
            table.add_row(name, str(value), ratio_of(name, figures), goal)
    Console().print(table)
