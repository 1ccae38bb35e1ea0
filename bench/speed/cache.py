"""`python -m bench cache [--pairs N] [--day N]`: false hits of the cache of answers, its misses, and what a day gains.

`--pairs`: near misses made of questions that may be read (another number, town, year, unit, scheme, sign, a negation,
an opposite, a word more or less): a pair counts as false where both would be kept under the same words, whatever else
the key holds. `--day`: a day's messages, a few questions asked often and many once, half of them in other clothes,
through the bot's own path beside the sandbox; then how many of the same questions in other clothes would hit.
"""

import argparse
import asyncio
import json
import logging
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog

from bench.sandboxed import sandbox, settings_of
from bench.speed.cache_pairs import clothed, near_misses, questions
from bot.conversations import direct
from bot.conversations.budgets import Budgets
from bot.ports import Visitor
from bot.store.migrations import migrate_database
from bot.store.opening import open_database
from bot.wiring import build_deps
from pipeline.caching import said_of
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.planning.standing import task_of
from pipeline.ports import Deps
from pipeline.text.sameness import words_said
from pipeline.thread_state import ThreadState
from pipeline.types import Question

AGE: Final = "Réponse établie"
READ: Final = 40
"""Questions that are read in all their clothes."""


def false_pairs(count: int) -> dict[str, Any]:
    """Near misses by what was changed, and those that would be taken for the same."""
    made, false = Counter[str](), []
    for kind, first, second in near_misses(questions(), count):
        made[kind] += 1
        if words_said(first) == words_said(second):
            false.append((kind, first, second))
    return {"pairs": sum(made.values()), "by_change": dict(made), "false_hits": len(false), "shown": false[:20]}


async def hits_in_other_clothes(deps: Deps) -> dict[str, Any]:
    """Of pairs that ask the same, how many are kept under the same key; of questions that may be kept at all."""
    asked, hits, pairs, own = questions(), 0, 0, 0
    for text in asked[:: max(1, len(asked) // READ)]:
        known = await _said(text, deps)
        own += not known
        for other in clothed(text) if known else ():
            pairs += 1
            hits += await _said(other, deps) == known
    return {"paraphrases": pairs, "paraphrase_hits": hits, "not_to_be_kept": own}


async def _said(text: str, deps: Deps) -> str:
    question, state = Question(text, "bench", datetime.now(UTC)), ThreadState()
    task = task_of(await deps.reader.read(question, state), state)
    return said_of(question, plan(task, Setting(question, state, deps.places, crm_available=True)))


async def day(messages: int, url: str, folder: Path) -> dict[str, Any]:
    """Of `messages`, each in a thread of its own: how many were given again, how fast, whether it was another's."""
    settings = settings_of(url, folder / "day").model_copy(update={"cache_minutes": 600})
    migrate_database(settings.database_url)
    database = open_database(settings.database_url, ())
    draw, asked = random.Random(1), questions()
    draw.shuffle(asked)
    weights = [1 / (rank + 1) for rank in range(len(asked))]
    times: dict[bool, list[float]] = {True: [], False: []}
    told, false, repeats = defaultdict[str, set[str]](set), 0, 0
    by = Visitor("member", "U1", "T1", shared_channel=False)
    try:
        async with build_deps(settings) as deps:
            for number in range(messages):
                text = draw.choices(asked, weights)[0]
                shown = text if number % 2 else draw.choice(list(clothed(text))[:2])
                message = direct.message_of(shown, None, by=by, channel="bench", channel_type="cli")
                began = time.perf_counter()
                found = await direct.answered(message, database=database, deps=deps, budgets=Budgets())
                hit = any(AGE in remark for remark in found.remarks)
                times[hit].append(time.perf_counter() - began)
                false += hit and found.text not in told[text]
                repeats += bool(told[text])
                told[text].add(found.text)
            figures = await hits_in_other_clothes(replace(deps, cache=None))
    finally:
        database.close()
    hit_s, miss_s = (statistics.median(times[hit]) if times[hit] else 0.0 for hit in (True, False))
    figures |= {
        "messages": messages,
        "repeats": repeats,
        "hits": len(times[True]),
        "hit_rate": round(len(times[True]) / messages, 3),
    }
    ratio = {"speed_ratio": round(miss_s / hit_s, 2)} if hit_s else {}
    return figures | {"hit_p50_s": round(hit_s, 4), "miss_p50_s": round(miss_s, 4), "day_false_hits": false} | ratio


def main(arguments: Sequence[str]) -> int:
    """Exit status 1 for any false hit."""
    parser = argparse.ArgumentParser(prog="python -m bench cache", description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="?", const=10_000, default=0)
    parser.add_argument("--day", type=int, nargs="?", const=200, default=0)
    parser.add_argument("--json", type=Path, default=Path("var/bench/cache.json"))
    asked = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    figures: dict[str, Any] = false_pairs(asked.pairs or 10_000) if asked.pairs or not asked.day else {}
    if asked.day:
        with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False) as http:
            figures |= asyncio.run(day(asked.day, str(http.base_url).rstrip("/"), Path(folder)))
    said = json.dumps(figures, indent=1, ensure_ascii=False)
    print(said)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(said, encoding="utf-8")
    return int(bool(figures.get("false_hits") or figures.get("day_false_hits")))
