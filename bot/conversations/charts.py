"""The pictures of an answer, put into its thread by a job of their own, each with its figures as a table: an extra,
which waits its turn and whose failure never touches the answer itself."""

import asyncio
import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Final

import sqlalchemy as sa
import structlog

from bot.pictures.choosing import stored
from bot.pictures.drawing import alt_text, file_stem, heading, picture, rows
from bot.pictures.values import Chart
from bot.ports import AnswerId, JobName
from bot.slack.blocks.tables import figures_message, holds_table
from bot.slack.delivery import ThreadRef, Workspaces, post_once
from bot.slack.thread_files import is_there, put
from bot.store import answers
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row

log = structlog.get_logger()
PATIENCE: Final = 3600.0
"""Seconds that Slack is asked again to take them; what comes later explains nothing any more."""


def shown(connection: sa.Connection, answer_id: AnswerId, *, enqueue: Enqueue) -> float | None:
    """The answer is out; its charts are asked for with it. Seconds since the message reached us, where known."""
    seconds = answers.shown(connection, answer_id)
    ask(connection, answer_id, enqueue=enqueue)
    return seconds


def ask(connection: sa.Connection, answer_id: AnswerId, *, enqueue: Enqueue) -> None:
    """Queue the charts of an answer that is out, in the transaction that says so; nothing where it has none."""
    row = answers.get(connection, answer_id)
    if charts_of(row):
        enqueue(connection, JobName.CHART, answer_id, f"{row['team_id']}:{row['thread_key']}")


def charts_of(row: Row) -> Sequence[Chart]:
    """Those that are worth drawing."""
    return stored((row["record"] or {}).get("charts", ()))


async def post(database: Database, slack: Workspaces, answer_id: AnswerId) -> None:
    """Repeats freely: the intent is committed before the upload, and a repeat looks for file and table first. An
    answer that has a table of its own gets no other.

    Raises `SlackUnavailable`, `SlackRefused`, `ImportError` without matplotlib.
    """
    row = await database.read(lambda c: answers.get(c, answer_id))
    if row["state"] != "published":
        return
    maybe_posted = await database.write(lambda c: answers.about_to_chart(c, answer_id))
    place, team = ThreadRef(row["channel"], row["thread_ts"]), slack.of(row["team_id"])
    for number, chart in enumerate(charts_of(row)):
        name = f"{file_stem(chart)}-{hashlib.sha256(answer_id.encode()).hexdigest()[:10]}-{number}.png"
        if not (maybe_posted and await is_there(team, place, name)):
            drawn = partial(asyncio.to_thread, picture, chart)
            await put(team, place, name, drawn, title=heading(chart), alt_text=alt_text(chart))
        if not holds_table(row["text"] or ""):
            text, blocks = figures_message(heading(chart), rows(chart))
            key = f"{answer_id}:figures:{number}"
            await post_once(team, place, key=key, text=text, blocks=blocks, maybe_posted=maybe_posted)


async def given_up(answer_id: str, error: BaseException) -> None:
    """The answer stands without its charts."""
    log.warning("chart_not_posted", answer_id=answer_id, error=repr(error))
