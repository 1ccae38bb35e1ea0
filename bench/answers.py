"""How long offline answers take, what of it is ours, how much memory they hold, how soon one sees a first sign."""

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from bot.conversation import NO_REPORT
from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.ports import Deps, Tool
from pipeline.types import Question, ToolCall, ToolResult

QUESTIONS = Path(__file__).with_name("questions.txt")
MEMORY_ANSWERS, FEEDBACKS = 100, 10
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


def main(arguments: argparse.Namespace) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    with tempfile.TemporaryDirectory() as folder, _sandbox(Path(folder)) as http:
        figures = asyncio.run(_answers(Path(folder), str(http.base_url)))
        figures["first_feedback_s"] = round(_first_feedback(http), 3)
    _print(figures)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


async def _answers(folder: Path, sandbox: str) -> dict[str, Any]:
    """30 questions once each after one warm-up; then on to 100 answers for the memory."""
    settings = Settings(var_dir=folder / "bench", dvf_api_url=f"{sandbox.rstrip('/')}/dvf", _env_file=None)  # type: ignore[call-arg]
    questions = QUESTIONS.read_text(encoding="utf-8").splitlines()
    async with build_deps(settings) as deps:
        timed = {name: TimedTool(tool) for name, tool in deps.tools.items()}
        deps = replace(deps, tools=dict(timed))
        await _ask(questions[0], deps)
        whole, own = [], []
        refused = 0
        for question in questions:
            spent = sum(sum(tool.seconds) for tool in timed.values())
            seconds, was_refused = await _ask(question, deps)
            refused += was_refused
            whole.append(seconds)
            own.append(seconds - (sum(sum(tool.seconds) for tool in timed.values()) - spent))
        for number in range(MEMORY_ANSWERS - len(questions) - 1):
            await _ask(questions[number % len(questions)], deps)
    return {
        "questions": len(questions),
        "refused": refused,
        "p50_s": round(statistics.median(whole), 4),
        "p95_s": round(_p95(whole), 4),
        "overhead_p95_s": round(_p95(own), 4),
        "rss_mb": round(_rss_mb(), 1),
    }


async def _ask(text: str, deps: Deps) -> tuple[float, bool]:
    question = Question(text=text, asked_by="bench", asked_at=datetime.now(UTC))
    started = time.perf_counter()
    result = await answer(question, deps=deps, report=NO_REPORT)
    return time.perf_counter() - started, result.refused


def _first_feedback(http: httpx.Client) -> float:
    """Median seconds from a person's message to the bot's first sign in the thread."""
    state = http.get("/sandbox/state").json()
    seconds = []
    for number in range(FEEDBACKS):
        text = f"<@{state['bot']['user_id']}> Mon client peut-il encore acheter en Pinel ? ({number})"
        body = {"user": state["users"][0]["id"], "channel": state["channels"][0]["id"], "text": text}
        started = time.perf_counter()
        said = http.post("/sandbox/say", json=body).json()
        while (
            len(
                http.get("/sandbox/messages", params={"channel": said["channel"], "thread_ts": said["ts"]}).json()[
                    "messages"
                ]
            )
            < 2
        ):
            time.sleep(0.005)
        seconds.append(time.perf_counter() - started)
        time.sleep(0.5)
    return statistics.median(seconds)


@contextlib.contextmanager
def _sandbox(folder: Path) -> Iterator[httpx.Client]:
    """The sandbox and the real bot beside it, on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = dict(os.environ) | {"DATABASE_URL": f"sqlite:///{folder}/bot.sqlite3", "VAR_DIR": str(folder / "bot")}
    command = [sys.executable, "-m", "sandbox", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=15) as http:
            _wait(http)
            yield http
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(http: httpx.Client) -> None:
    for _ in range(600):
        with contextlib.suppress(httpx.TransportError):
            if http.get("/sandbox/state").json()["transport"]["connected"]:
                return
        time.sleep(0.1)
    raise TimeoutError("the bot did not connect to the sandbox within 60 s")


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[18]


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _print(figures: Mapping[str, Any]) -> None:
    table = Table(title="Réponses hors ligne (extractives)")
    for column in ("mesure", "valeur", "objectif"):
        table.add_column(column)
    for name, value in figures.items():
        table.add_row(name, str(value), f"≤ {GOALS[name]}" if name in GOALS else "")
    Console().print(table)
