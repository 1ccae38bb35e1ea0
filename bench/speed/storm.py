"""python -m bench storm: a great many questions at once, each in a thread of its own: when the first sign of life came,
whether each delivery was acked in time and each question answered once, and what it took."""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from bench.chaos.count import unfinished_jobs
from bench.ranking.measures import percentile
from bench.sandboxed import sandbox

PERSON: Final = "U0CAMILLE"
QUESTIONS: Final = (
    "le Pinel est-il encore ouvert ?",
    "qu'est-ce que le LMNP ?",
    "quelle durée pour un bail meublé ?",
    "les plus-values d'une résidence principale sont-elles exonérées ?",
    "comment se calcule le micro-foncier ?",
    "qu'est-ce que le déficit foncier ?",
    "la loi Denormandie, pour quels travaux ?",
    "qui paie la taxe foncière en cas de vente ?",
    "prix des appartements à Toulon ?",
)
CHARTED: Final = "prix"
BURST: Final = 5
GOALS: Final = {"slowest_ack_ms": 3_000, "first_sign_p95_s": 10.0, "peak_mb": 512}
AT_ONCE: Final = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """One message; `root`: its thread."""

    channel: str
    root: str
    ts: str
    text: str


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 where every goal was met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench storm")
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10.0, help="within which they are written (10)")
    parser.add_argument("--rooms", type=int, default=150, help="channels that they are spread over (150)")
    parser.add_argument("--follow-ups", type=int, default=50, help="threads that get a second question soon after (50)")
    parser.add_argument("--settling", type=float, default=8.0, help="seconds between the start and the first (8)")
    parser.add_argument("--longest", type=float, default=900.0, help="seconds until what is not answered is lost")
    parser.add_argument("--keep", type=Path, help="a folder for the bot's log and database")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        with sandbox(folder, rooms=options.rooms) as client:
            figures = asyncio.run(_measured(options, folder, str(client.base_url)))
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0 if figures["met"] else 1


async def _measured(options: argparse.Namespace, folder: Path, address: str) -> dict[str, Any]:
    limits = httpx.Limits(max_connections=AT_ONCE, keepalive_expiry=1.0)  # the sandbox keeps them for longer
    async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False, limits=limits) as http:
        await asyncio.sleep(options.settling)
        await http.post("/sandbox/faults", json={"channel_burst": BURST})
        state = (await http.get("/sandbox/state")).json()
        rooms = [room["id"] for room in state["channels"] if room["name"].startswith("salon-")]
        pid, before = int(state["process"]["pid"]), _cpu_seconds(state["process"]["pid"])
        began = time.time()
        asked = await _written(http, options, rooms, mention=f"<@{state['bot']['user_id']}>")
        wrote = time.time() - began
        async with _watched(pid) as peak:
            await _until_answered(folder, len(asked), options.longest)
        figures = {"messages": len(asked), "written_in_s": round(wrote, 1), "all_done_s": round(time.time() - began, 1)}
        figures |= {"bot_cpu_s": round(_cpu_seconds(pid) - before, 1), "peak_mb": peak()}
        figures |= _acks((await http.get("/sandbox/state")).json()["deliveries"])
        figures |= _counted(asked, await _threads(http, asked), url=f"sqlite:///{folder}/bot.sqlite3")
    kept = all(figures[name] <= most for name, most in GOALS.items()) and not figures["deliveries_unacked"]
    none = ("unanswered", "posted_twice", "out_of_order", "unfinished_jobs", "charts_missing", "failures_told")
    return {**figures, "goals": GOALS, "met": kept and not any(figures[name] for name in none)}


async def _written(
    http: httpx.AsyncClient, options: argparse.Namespace, rooms: Sequence[str], *, mention: str
) -> list[Asked]:
    """Evenly over the time; some threads get a second message while the first waits."""
    began = time.monotonic()

    async def one(number: int) -> list[Asked]:
        await asyncio.sleep(max(0.0, began + number * options.seconds / options.messages - time.monotonic()))
        channel, text = rooms[number % len(rooms)], QUESTIONS[number % len(QUESTIONS)]
        root = await _say(http, channel, f"{mention} {text}")
        said = [Asked(channel, root, root, text)]
        if number < options.follow_ups:
            await asyncio.sleep(0.3)
            said.append(Asked(channel, root, await _say(http, channel, f"{mention} tes sources ?", root), ""))
        return said

    return list(itertools.chain.from_iterable(await asyncio.gather(*map(one, range(options.messages)))))


async def _say(http: httpx.AsyncClient, channel: str, text: str, thread: str = "") -> str:
    body = {"user": PERSON, "channel": channel, "text": text, **({"thread_ts": thread} if thread else {})}
    return str((await http.post("/sandbox/say", json=body)).json()["ts"])


async def _until_answered(folder: Path, count: int, longest: float) -> None:
    """Asks the bot's own database and queue, which costs the machine less than reading every thread."""
    url, deadline = f"sqlite:///{folder}/bot.sqlite3", time.monotonic() + longest
    while time.monotonic() < deadline:
        await asyncio.sleep(2.0)
        if _shown(folder) >= count and not unfinished_jobs(url):
            return


def _shown(folder: Path) -> int:
    with contextlib.closing(sqlite3.connect(f"file:{folder}/bot.sqlite3?mode=ro", uri=True, timeout=5)) as database:
        query = "select count(*) from answer where state in ('published', 'failed_shown')"
        return int(database.execute(query).fetchone()[0])


async def _threads(http: httpx.AsyncClient, asked: Sequence[Asked]) -> Mapping[str, list[dict[str, Any]]]:
    """The messages of each thread, by its root."""
    slots, found = asyncio.Semaphore(AT_ONCE), {}

    async def read(channel: str, root: str) -> None:
        async with slots:
            answer = await http.get("/sandbox/messages", params={"channel": channel, "thread_ts": root})
        found[root] = list(answer.json()["messages"])

    await asyncio.gather(*(read(channel, root) for channel, root in {(each.channel, each.root) for each in asked}))
    return found


def _counted(asked: Sequence[Asked], threads: Mapping[str, list[dict[str, Any]]], *, url: str) -> dict[str, Any]:
    """`out_of_order`: answers that stand before the answer to an earlier question of their thread."""
    signs: list[float] = []
    unanswered = twice = disorder = failures = missing = 0
    for root, questions in itertools.groupby(sorted(asked, key=lambda each: (each.root, each.ts)), lambda e: e.root):
        keyed = [(_key(message), message) for message in threads[root] if _key(message)]
        twice += sum(number - 1 for number in Counter(key for key, _ in keyed).values())
        stood: list[float] = []
        for question in questions:
            answers = [message for key, message in keyed if key.endswith((f":{question.ts}", f":{question.ts}:again"))]
            unanswered += not any(_is_final(message) for message in answers)
            failures += any("QS-" in str(message.get("text")) for message in answers)
            if answers:
                stood.append(min(float(message["ts"]) for message in answers))
                signs.append(stood[-1] - float(question.ts))
            if question.text.startswith(CHARTED):
                missing += not any(message.get("files") for message in threads[root])
        disorder += sum(later < earlier for earlier, later in itertools.pairwise(stood))
    return {
        **_times("first_sign", signs),
        "unanswered": unanswered,
        "posted_twice": twice,
        "out_of_order": disorder,
        "failures_told": failures,
        "charts_missing": missing,
        "unfinished_jobs": unfinished_jobs(url),
    }


def _times(name: str, seconds: Sequence[float]) -> dict[str, float]:
    points = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {f"{name}_{at}_s": round(percentile(seconds, share), 2) if seconds else 0.0 for at, share in points.items()}


def _acks(tally: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "deliveries": tally["attempts"],
        "deliveries_unacked": tally["unacked"],
        "slowest_ack_ms": tally["slowest_ms"],
    }


def _key(message: Mapping[str, Any]) -> str:
    return str(((message.get("metadata") or {}).get("event_payload") or {}).get("key") or "")


def _is_final(message: Mapping[str, Any]) -> bool:
    text = str(message.get("text", "")).strip()
    return bool(text) and not (text.startswith("_") and text.endswith("…_"))


@contextlib.asynccontextmanager
async def _watched(pid: int) -> AsyncIterator[Any]:
    """The most memory in MB that the process and what it started took together (Linux: /proc)."""
    seen = [0.0]

    async def look() -> None:
        while True:
            seen.append(sum(map(_resident_mb, (pid, *_children(pid)))))
            await asyncio.sleep(0.5)

    looking = asyncio.create_task(look())
    try:
        yield lambda: round(max(*seen, _status_mb(pid, "VmHWM")), 1)
    finally:
        looking.cancel()


def _children(pid: int) -> Iterable[int]:
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            yield from map(int, (task / "children").read_text("ascii").split())


def _resident_mb(pid: int) -> float:
    return _status_mb(pid, "VmRSS")


def _status_mb(pid: int, name: str) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _cpu_seconds(pid: int) -> float:
    """User and system time of the process so far, its threads included (Linux: /proc)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
