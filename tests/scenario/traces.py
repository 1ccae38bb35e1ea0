"""What the bot left behind: its rows, its log lines, and what it called."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from tests.scenario.stage import Stage, is_figures, shown

RULES = "@bot Mon client peut-il encore acheter en Pinel ?"
NOTE = "@bot ajoute une note sur le dossier 9001 : relire le bail"


def rows(stage: Stage, query: str, *values: object) -> list[dict[str, Any]]:
    """Rows of the bot's own database, read beside it."""
    connection = sqlite3.connect(database_of(stage), timeout=60)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(query, values)]
    finally:
        connection.close()


def change(stage: Stage, statement: str, *values: object) -> int:
    """Changes the bot's rows behind its back; how many rows changed."""
    connection = sqlite3.connect(database_of(stage), timeout=60)
    try:
        with connection:
            return connection.execute(statement, values).rowcount
    finally:
        connection.close()


def database_of(stage: Stage) -> str:
    return str(stage.log.parent / "bot.sqlite3")


def lines(stage: Stage, event: str, **expected: object) -> list[Mapping[str, Any]]:
    """The bot's structured log lines of that event which carry the expected values."""
    found = []
    for text in stage.log.read_text().splitlines():
        if not text.startswith("{"):
            continue
        line = json.loads(text)
        if line.get("event") == event and all(line.get(name) == value for name, value in expected.items()):
            found.append(line)
    return found


def left_alone(stage: Stage, ts: str, *, channel: str, reason: str) -> bool:
    """True once the log says that this message was deliberately not answered, and why."""
    found = [line["reason"] for line in lines(stage, "message_left_alone", channel=channel, ts=ts)]
    return any(reason in said for said in found)


def calls(stage: Stage, method: str, *, after: int = 0) -> list[dict[str, Any]]:
    """The bot's calls of one Web API method, oldest first."""
    entries = stage.get("log", after=after)["entries"]
    return [e for e in entries if e["kind"] == "api" and e["summary"].split()[0] == method]


def crm_writes(stage: Stage, *, after: int = 0) -> list[str]:
    """Requests to the CRM that could change it."""
    entries = stage.get("log", after=after)["entries"]
    asked = [e["summary"] for e in entries if e["kind"] == "hubspot"]
    return [
        s
        for s in asked
        if s.split()[0] in {"POST", "PUT", "PATCH", "DELETE"} and "/search" not in s and "/read" not in s
    ]


def last_entry(stage: Stage) -> int:
    """The number of the newest log entry, for `after`."""
    entries = stage.get("log")["entries"]
    return int(entries[-1]["n"]) if entries else 0


def one_answer(stage: Stage, ts: str) -> str:
    """The answer, once it is recorded as published; exactly one message of ours in the thread, besides its picture
    and the table of that."""
    answer = stage.answer(ts)
    stage.until(lambda: state_of(stage, ts) == "published", "published row")
    assert len([message for message in stage.thread(ts) if not (message.get("files") or is_figures(message))]) == 1
    return answer


def state_of(stage: Stage, ts: str) -> str:
    found = rows(stage, "select state from answer where answer_id like ?", f"%:{ts}")
    return str(found[0]["state"]) if found else ""


def unacked(stage: Stage, *, after: int) -> list[Any]:
    entries = stage.get("log", after=after)["entries"]
    return [e for e in entries if e["kind"] == "ack" and e["status"] != "ok"]


def button(card: dict[str, Any]) -> str:
    return next(str(e["value"]) for b in card["blocks"] if b["type"] == "actions" for e in b["elements"])


def says(stage: Stage, ts: str, words: str) -> bool:
    return any(words in shown(card) for card in stage.cards(ts))


def until_card_says(stage: Stage, ts: str, words: str) -> None:
    stage.until(lambda: says(stage, ts, words), f"card « {words} »")
