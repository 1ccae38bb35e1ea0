"""The price charts of an answer, put into its thread by a job of their own: an extra, which waits its turn and whose
failure never touches the answer itself."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
import structlog

from bot.ports import AnswerId, JobName
from bot.slack.delivery import Slack, ThreadRef
from bot.slack.drawing import alt_text, drawable, price_chart
from bot.slack.thread_files import is_there, put
from bot.store import answers
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row

log = structlog.get_logger()
MOST: Final = 2
"""Charts of one answer: a comparison of more communes is read in its text."""
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


def charts_of(row: Row) -> Sequence[Mapping[str, Any]]:
    """Those that are worth drawing."""
    return [chart for chart in (row["record"] or {}).get("charts", ()) if drawable(chart)][:MOST]


async def post(database: Database, slack: Slack, answer_id: AnswerId) -> None:
    """Repeats freely: the intent is committed before the upload, and a repeat looks for its file first.

    Raises `SlackUnavailable`, `SlackRefused`, `ImportError` without matplotlib.
    """
    row = await database.read(lambda c: answers.get(c, answer_id))
    if row["state"] != "published":
        return
    maybe_posted = await database.write(lambda c: answers.about_to_chart(c, answer_id))
    place = ThreadRef(row["channel"], row["thread_ts"])
    for number, chart in enumerate(charts_of(row)):
        name = f"prix-{hashlib.sha256(answer_id.encode()).hexdigest()[:10]}-{number}.png"
        if maybe_posted and await is_there(slack, place, name):
            continue
        title = f"Prix médian au m² : {chart['place']}"
        drawn = partial(asyncio.to_thread, price_chart, chart)
        await put(slack, place, name, drawn, title=title, alt_text=alt_text(chart))


async def given_up(answer_id: str, error: BaseException) -> None:
    """The answer stands without its charts."""
    log.warning("chart_not_posted", answer_id=answer_id, error=repr(error))
