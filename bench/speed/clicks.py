"""python -m bench clicks [--proposals N] [--clicks M]: N proposals, each clicked M times at once by two people.

On PostgreSQL (DATABASE_URL) two whole bots share the work and the clicks, as they come from Slack at random; on SQLite
one does all. `python -m tests.servers -m bench clicks` brings a PostgreSQL of its own. Figures: how many proposals were
written exactly once, more than once, never; what the clicks were told; how late the last ack came.
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx
from slack_sdk.web.async_client import AsyncWebClient

from bench.sandboxed import exported, sandbox, until
from bot.ports import AnswerId, Visitor
from bot.proposals.lifecycle import Terms, rows_of
from bot.proposals.showing import offer
from bot.slack.delivery import Slack
from bot.store import inbox, proposals
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.migrations import migrate_database
from bot.store.tables import Row
from pipeline.action_types import ProposedAction, Target

TEAM, CHANNEL = "T0AUBRAC1", "C0MARCHE"
PEOPLE: Final = ("U0CAMILLE", "U0HUGO")
"""Who asked, and an approver."""
DEAL: Final = Target("deal", "9001", "Dossier Martin")
AT_ONCE: Final = 4
"""Proposals that are clicked at the same time."""
START_S, END_S = 120.0, 300.0


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 where each proposal was written exactly once, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench clicks")
    parser.add_argument("--proposals", type=int, default=100)
    parser.add_argument("--clicks", type=int, default=50)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    url = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), url=url, count=options.proposals, clicks=options.clicks)
    print(json.dumps(figures, indent=2, ensure_ascii=False))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0 if figures["written_once"] == options.proposals else 1


def measured(folder: Path, *, url: str, count: int, clicks: int) -> dict[str, Any]:
    """The figures; `url` of a PostgreSQL, or anything else for SQLite in `folder`. Raises `TimeoutError`."""
    shared = url.startswith("postgres")
    url = url.replace("postgresql://", "postgresql+psycopg://", 1) if shared else f"sqlite:///{folder}/clicks.sqlite3"
    migrate_database(url)
    with sandbox(folder, bot=False) as http:
        given = exported(folder) | {"DATABASE_URL": url, "CRM_APPROVERS": PEOPLE[1], "OMP_NUM_THREADS": "1"}
        cards = asyncio.run(_offered(url, given, [_said(http, number) for number in range(count)]))
        with _bots(folder, http, given, 2 if shared else 1) as outputs:
            began = time.monotonic()
            acks = asyncio.run(_clicked(str(http.base_url), cards, clicks))
            asyncio.run(_ended(url, cards))
            seconds = time.monotonic() - began
            told = _verdicts(outputs)
        notes = [note["properties"].get("hs_note_body") or "" for note in http.get("/sandbox/crm").json()["notes"]]
    written = Counter(sum(f"QS-{row['proposal_id']}" in body for body in notes) for row in cards)
    return {
        "bots": 2 if shared else 1,
        "database": "postgresql" if shared else "sqlite",
        "proposals": count,
        "clicks": len(acks),
        "acked": sum(ok for ok, _ in acks),
        "slowest_ack_ms": max(ms for _, ms in acks),
        "written_once": written[1],
        "written_more_than_once": sum(n for times, n in written.items() if times > 1),
        "never_written": written[0],
        "verdicts": told,
        "seconds": round(seconds, 1),
    }


def _said(http: httpx.Client, number: int) -> str:
    said = {"user": PEOPLE[0], "channel": CHANNEL, "text": f"Question {number}"}
    return str(http.post("/sandbox/say", json=said).json()["ts"])


async def _offered(url: str, given: Mapping[str, str], messages: Sequence[str]) -> list[Row]:
    """A note proposed in the thread of each message, with its card."""
    client = AsyncWebClient(token=given["SLACK_BOT_TOKEN"], base_url=given["SLACK_API_URL"], retry_handlers=[])
    database, cards = Database(url), []
    for number, ts in enumerate(messages):
        answer_id = await database.write(lambda c, ts=ts, n=number: _asked(c, ts, n))  # type: ignore[misc]
        await offer(database, Slack(client, client), answer_id)
        cards += await database.read(lambda c, a=answer_id: proposals.of_answer(c, a))  # type: ignore[misc]
    database.close()
    return cards


def _asked(connection: Any, ts: str, number: int) -> AnswerId:
    visitor = Visitor("member", PEOPLE[0], TEAM, shared_channel=False)
    message = Inbound(TEAM, f"Ev{ts}", CHANNEL, "channel", ts, ts, PEOPLE[0], f"Question {number}", visitor=visitor)
    inbox.accept(connection, message, enqueue=lambda *_: None)
    asked = {"answer_id": message.answer_id, "team_id": TEAM, "channel": CHANNEL, "thread_ts": ts}
    asked |= {"asked_by": PEOPLE[0], "question": message.text}
    action = ProposedAction("create_note", DEAL, {"hs_note_body": f"Note {number}"}, f"Ajouter la note {number}")
    for row in rows_of((action,), asked, terms=Terms(), now=datetime.now(UTC)):
        proposals.offer(connection, **row)
    return message.answer_id


@contextlib.contextmanager
def _bots(folder: Path, http: httpx.Client, given: Mapping[str, str], count: int) -> Iterator[list[Path]]:
    """So many whole bots, connected; yields where each writes its log."""
    outputs = [folder / f"bot{number}.log" for number in range(count)]
    running = []
    try:
        for number, output in enumerate(outputs):
            own = {"EXECUTOR_ID": f"bench-{number}", "VAR_DIR": str(folder / f"bot{number}"), "WEAVIATE_URL": ""}
            command = [sys.executable, "-m", "bot", "run"]
            with output.open("wb") as log:
                running.append(subprocess.Popen(command, env={**os.environ, **given, **own}, stdout=log, stderr=log))
        until(lambda: all('"ready"' in output.read_text() for output in outputs), seconds=START_S)
        until(lambda: http.get("/sandbox/state").json()["transport"]["connected"], seconds=START_S)
        yield outputs
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(timeout=60)


async def _clicked(url: str, cards: Sequence[Row], clicks: int) -> list[tuple[bool, float]]:
    """(acked, milliseconds) of each click; all of a card at once, each second one by the other person."""
    turns = asyncio.Semaphore(AT_ONCE)
    limits = httpx.Limits(max_connections=AT_ONCE * clicks, max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as http:

        async def click(row: Row, number: int) -> tuple[bool, float]:
            body = {"user": PEOPLE[number % 2], "channel": row["channel"], "ts": row["card_ts"]}
            told = (await http.post("/sandbox/click", json={**body, "action_id": "proposal_approve"})).json()
            return bool(told["acked"]), float(told["ms"])

        async def one(row: Row) -> list[tuple[bool, float]]:
            async with turns:
                return await asyncio.gather(*(click(row, number) for number in range(clicks)))

        return [ack for acks in await asyncio.gather(*(one(row) for row in cards)) for ack in acks]


async def _ended(url: str, cards: Sequence[Row]) -> None:
    """Until none is on its way any more. Raises `TimeoutError`."""
    database = Database(url)
    try:
        async with asyncio.timeout(END_S):
            for card in cards:
                while (await _state(database, card)) in {"offered", "approved", "executing"}:  # noqa: ASYNC110 - other processes
                    await asyncio.sleep(0.2)
    finally:
        database.close()


async def _state(database: Database, card: Row) -> str:
    row = await database.read(lambda c: proposals.find(c, card["proposal_id"]))
    return str(row["state"]) if row else ""


def _verdicts(outputs: Sequence[Path]) -> dict[str, int]:
    """What the clicks came to, by every bot's log."""
    lines = [line for output in outputs for line in output.read_text().splitlines() if '"click"' in line]
    return dict(Counter(str(json.loads(line).get("verdict")) for line in lines))
