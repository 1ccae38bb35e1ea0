"""python -m bench digests [--channels N]: how long N channels' digests take that are due in the same minute, and what
answers meet meanwhile.

A real bot starts in the sandbox with N subscriptions whose slot has just passed, each to one to three of sixty
communes. Questions are asked in another channel until the last digest stands. Figures: seconds until all are posted,
seconds of the bot's processor in that time (answers included), messages a channel (goal: exactly one each), answers'
median and p95 meanwhile and, for comparison, right after.
"""

import argparse
import asyncio
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx
from rich.console import Console
from rich.table import Table

from bench.ranking.measures import percentile
from bench.sandboxed import sandbox, until
from bot.digests.due import PARIS, REFUSED_HOUR
from bot.digests.subscriptions import Wanted
from bot.store import subscriptions
from bot.store.database import Database
from bot.store.migrations import migrate_database
from corpus.places import load_gazetteer

TEAM, ASKED_IN, ASKER = "T0AUBRAC1", "C0MARCHE", "U0CAMILLE"
QUESTIONS: Final = (
    "Mon client peut-il encore acheter en Pinel ?",
    "Quels sont les prix des appartements à Villeurbanne ?",
    "Comment est calculée la plus-value à la revente d'un bien en LMNP ?",
    "Quel est le taux des prélèvements sociaux sur les loyers ?",
)
COMMUNES: Final = 60
GOALS: Final = {"all_posted_s": 300.0, "answer_p95_s": 8.0, "channels_without_exactly_one": 0}
PATIENCE_S: Final = 900.0


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench digests")
    parser.add_argument("--channels", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_subscribe(Path(folder), options.channels))
        with sandbox(Path(folder), rooms=options.channels) as http:
            figures = _measured(http, Path(folder), options.channels)
    _print(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    return 0


def channels_of(count: int) -> list[str]:
    """The sandbox's names of its extra channels."""
    return [f"C0SALON{number:04d}" for number in range(1, count + 1)]


async def _subscribe(folder: Path, count: int) -> None:
    """Since last week, for a slot of an hour or two ago: all are owed when the clock first looks."""
    url = f"sqlite:///{folder}/bot.sqlite3"
    migrate_database(url)
    database, now = Database(url), datetime.now(UTC)
    slot = (now - timedelta(hours=1)).astimezone(PARIS)
    if slot.hour == REFUSED_HOUR:
        slot -= timedelta(hours=1)
    since = (now - timedelta(days=7)).isoformat(timespec="milliseconds")
    towns = _towns()
    for number, channel in enumerate(channels_of(count)):
        some = tuple(towns[(number + step * 7) % COMMUNES] for step in range(1 + number % 3))
        wanted = Wanted(communes=some, weekday=slot.isoweekday(), at=f"{slot:%H:%M}")
        await database.write(
            lambda c, ch=channel, w=wanted: subscriptions.put(  # type: ignore[misc]
                c, team_id=TEAM, channel=ch, by=ASKER, moment=since, **w.columns()
            )
        )
    database.close()


def _towns() -> list[str]:
    """Sixty communes that DVF covers, from several departments."""
    places = load_gazetteer()
    codes = [f"{department:02d}{number:03d}" for number in (123, 200, 29, 57) for department in range(11, 55)]
    return [code for code in codes if places.get(code) is not None][:COMMUNES]


def _measured(http: httpx.Client, folder: Path, count: int) -> dict[str, Any]:
    pid = http.get("/sandbox/state").json()["process"]["pid"]
    started, spent, meanwhile = time.perf_counter(), _processor_s(pid), list[float]()
    file = folder / "bot.sqlite3"
    while _finished(file) < count and time.perf_counter() - started < PATIENCE_S:
        meanwhile.append(_asked(http, QUESTIONS[len(meanwhile) % len(QUESTIONS)]))
    seconds, spent = time.perf_counter() - started, _processor_s(pid) - spent
    after = [_asked(http, question) for question in QUESTIONS * 2]
    wrong = sum(_posts(http, channel) != 1 for channel in channels_of(count))
    return {
        "channels": count,
        "all_posted_s": round(seconds, 1),
        "bot_processor_s": round(spent, 1),
        "posted": _finished(file),
        "channels_without_exactly_one": wrong,
        "answers_meanwhile": len(meanwhile),
        "answer_median_s": round(statistics.median(meanwhile), 2) if meanwhile else None,
        "answer_p95_s": round(percentile(meanwhile, 0.95), 2) if meanwhile else None,
        "answer_median_after_s": round(statistics.median(after), 2),
        "answer_p95_after_s": round(percentile(after, 0.95), 2),
    }


def _processor_s(pid: int) -> float:
    """Seconds of processor that the bot has used: what a busy machine does not change."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _finished(file: Path) -> int:
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)
    try:
        return int(connection.execute("select count(*) from digest where state = 'posted'").fetchone()[0])
    finally:
        connection.close()


def _asked(http: httpx.Client, question: str) -> float:
    """Seconds from the message to its finished answer in the thread."""
    said = http.post(
        "/sandbox/say", json={"user": ASKER, "channel": ASKED_IN, "text": f"<@U0QUARTIER> {question}"}
    ).json()
    started = time.perf_counter()

    def answered() -> bool:
        where = {"channel": ASKED_IN, "thread_ts": said["ts"]}
        return any(m.get("blocks") for m in http.get("/sandbox/messages", params=where).json()["messages"][1:])

    until(answered, seconds=120)
    return time.perf_counter() - started


def _posts(http: httpx.Client, channel: str) -> int:
    messages = http.get("/sandbox/messages", params={"channel": channel}).json()["messages"]
    return sum("Point de la semaine" in message["text"] for message in messages)


def _print(figures: dict[str, Any]) -> None:
    table = Table(title="Points dus dans la même minute")
    for column in ("mesure", "valeur", "objectif"):
        table.add_column(column)
    for name, value in figures.items():
        goal = f"≤ {GOALS[name]}" if name in GOALS else ""
        table.add_row(name, str(value), goal)
    Console().print(table)
