"""python -m bench load --users N --minutes M: so many people of a pretend workspace, each in a channel of their own,
ask different questions over so many minutes; how long each waited, what it took, whether the metrics say the same."""

import argparse
import asyncio
import contextlib
import itertools
import json
import random
import re
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from prometheus_client.parser import text_string_to_metric_families

from bench.chaos.count import unfinished_jobs
from bench.ranking.measures import percentile
from bench.sandboxed import sandbox
from bench.speed.processes import cpu_seconds, memory_mb

RULES: Final = Path(__file__).parents[1] / "questions.txt"
TOWNS: Final = ("Toulon", "Villeurbanne", "Nantes", "Rennes", "Bordeaux", "Lille", "Dijon", "Angers", "Nîmes", "Brest")
AT_ONCE: Final = 20
SHARES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
_KEY: Final = "key"


@dataclass(frozen=True, slots=True)
class Asked:
    """One message, by its Slack time, in the channel of who asked."""

    channel: str
    ts: str


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 where nothing was lost or doubled and the metrics match, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench load")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--each", type=int, default=1, help="questions of each person (1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--longest", type=float, default=600.0, help="seconds afterwards until a question counts as lost"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        settings = {"HEALTH_PORT": str(port)}
        with sandbox(Path(folder), rooms=options.users, settings=settings) as http:
            url = f"sqlite:///{folder}/bot.sqlite3"
            figures = asyncio.run(_measured(options, str(http.base_url), url, port))
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    sound = not (figures["lost"] or figures["doubled"] or figures["failed"] or figures["unfinished_jobs"])
    return 0 if sound and figures["metrics_match"] else 1


def questions(count: int, chance: random.Random) -> list[str]:
    """No two alike: rules for this or that client, monthly payments, prices of towns."""
    rules = [line for line in RULES.read_text(encoding="utf-8").splitlines() if line.strip()]
    rule = (f"pour un client de {age} ans : {text}" for age, text in itertools.product(range(30, 75), rules))
    loan = (
        f"mensualité pour {amount} 000 € sur {years} ans à {rate:.1f} % ?".replace(".", ",")
        for amount, years, rate in itertools.product(range(100, 400, 7), (15, 20, 25), (3.1, 3.4, 3.7))
    )
    price = (
        f"prix des {kind} à {town} pour {surface} m² ?"
        for surface, town, kind in itertools.product(range(30, 130), TOWNS, ("appartements", "maisons"))
    )
    turns = itertools.cycle((rule, rule, rule, price, loan))
    found = [next(next(turns)) for _ in range(count)]
    chance.shuffle(found)
    return found


async def _measured(options: argparse.Namespace, address: str, url: str, port: int) -> dict[str, Any]:
    limits = httpx.Limits(max_connections=AT_ONCE, keepalive_expiry=1.0)
    async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False, limits=limits) as http:
        state = (await http.get("/sandbox/state")).json()
        pid = int(state["process"]["pid"])
        before, began = cpu_seconds(pid), time.monotonic()
        asked = await _asked(http, options, mention=f"<@{state['bot']['user_id']}>")
        seconds = time.monotonic() - began
        told = await _until_answered(port, len(asked), options.longest)
        figures = {
            "users": options.users,
            "questions": len(asked),
            "asked_in_s": round(seconds, 1),
            "bot_cpu_s": round(cpu_seconds(pid) - before, 1),
            "peak_mb": round(memory_mb(pid), 1),
        }
        figures |= _counted(asked, await _threads(http, asked))
    figures |= {"unfinished_jobs": unfinished_jobs(url)} | _by_metrics(told)
    seen = ("kept", "signs", "answers", "published")
    return {**figures, "metrics_match": all(figures["metrics"][name] == len(asked) for name in seen)}


async def _asked(http: httpx.AsyncClient, options: argparse.Namespace, *, mention: str) -> list[Asked]:
    """Each at a moment of its own, as people do."""
    chance, began = random.Random(options.seed), time.monotonic()
    texts = questions(options.users * options.each, chance)
    moments = sorted(chance.uniform(0, 60 * options.minutes) for _ in texts)

    async def one(number: int, moment: float, text: str) -> Asked:
        await asyncio.sleep(max(0.0, began + moment - time.monotonic()))
        user = number % options.users + 1
        channel = f"C0SALON{user:04d}"
        body = {"user": f"U0FOULE{user:04d}", "channel": channel, "text": f"{mention} {text}"}
        answer = await http.post("/sandbox/say", json=body)
        answer.raise_for_status()
        return Asked(channel, str(answer.json()["ts"]))

    return list(await asyncio.gather(*(one(*each) for each in zip(itertools.count(), moments, texts, strict=False))))


async def _until_answered(port: int, count: int, longest: float) -> Mapping[str, float]:
    """The last scrape: all answered and at rest, or time is over."""
    deadline = time.monotonic() + longest
    async with httpx.AsyncClient(timeout=10, trust_env=False) as http:
        while True:
            told = _read((await http.get(f"http://127.0.0.1:{port}/metrics")).text)
            idle = not sum(value for name, value in told.items() if name.startswith("quartierscope_queue_jobs"))
            if (idle and told.get("quartierscope_published_seconds_count{}", 0) >= count) or (
                time.monotonic() > deadline
            ):
                return told
            await asyncio.sleep(2.0)


def _read(text: str) -> Mapping[str, float]:
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {f"{s.name}{{{','.join(f'{k}={v}' for k, v in sorted(s.labels.items()))}}}": s.value for s in samples}


def _by_metrics(told: Mapping[str, float]) -> dict[str, Any]:
    """What the process counted itself, to be held against what was sent."""
    answers = {name: int(value) for name, value in told.items() if name.startswith("quartierscope_answers_total")}
    outcomes = Counter[str]()
    for name, value in answers.items():
        outcomes[(re.findall(r"outcome=(\w+)", name) or ["?"])[0]] += value
    counted = {
        "kept": int(told.get("quartierscope_messages_total{outcome=kept}", 0)),
        "signs": int(told.get("quartierscope_first_sign_seconds_count{}", 0)),
        "answers": sum(answers.values()),
        "published": int(told.get("quartierscope_published_seconds_count{}", 0)),
    }
    return {"metrics": counted, "outcomes": dict(outcomes)}


async def _threads(http: httpx.AsyncClient, asked: Sequence[Asked]) -> list[list[dict[str, Any]]]:
    slots = asyncio.Semaphore(AT_ONCE)

    async def read(one: Asked) -> list[dict[str, Any]]:
        async with slots:
            answer = await http.get("/sandbox/messages", params={"channel": one.channel, "thread_ts": one.ts})
        return list(answer.json()["messages"])

    return list(await asyncio.gather(*map(read, asked)))


def _counted(asked: Sequence[Asked], threads: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Waits from the message to the first post of its answer, and to that post's last change."""
    signs: list[float] = []
    waits: list[float] = []
    doubled = failed = 0
    for one, messages in zip(asked, threads, strict=True):
        posts = [message for message in messages if _is_answer(message, one)]
        doubled += max(0, len(posts) - 1)
        failed += any("QS-" in str(post.get("text")) for post in posts)
        for post in posts[:1]:
            signs.append(float(post["ts"]) - float(one.ts))
            with contextlib.suppress(KeyError):
                waits.append(float(post["edited"]["ts"]) - float(one.ts))
    lost = len(asked) - len(waits)
    return {
        "lost": lost,
        "doubled": doubled,
        "failed": failed,
        **_spread("first_sign", signs),
        **_spread("answer", waits),
    }


def _is_answer(message: Mapping[str, Any], asked: Asked) -> bool:
    """By the mark that each of our posts bears: a chart or a card has another."""
    key = str(((message.get("metadata") or {}).get("event_payload") or {}).get(_KEY) or "")
    return key.endswith((f":{asked.ts}", f":{asked.ts}:again"))


def _spread(name: str, seconds: Sequence[float]) -> dict[str, float]:
    return {f"{name}_{at}_s": round(percentile(seconds, share), 2) if seconds else 0.0 for at, share in SHARES.items()}
