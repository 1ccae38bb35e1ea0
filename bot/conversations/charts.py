"""The price chart of an answer, put into its thread: an extra, whose failure never touches the answer itself."""

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot.ports import AnswerId
from bot.slack.delivery import Slack
from bot.slack.drawing import alt_text, drawable, price_chart
from bot.store import answers
from bot.store.database import Database
from bot.store.tables import Row

log = structlog.get_logger()
UPLOAD_SECONDS = 20.0
MOST = 2
"""Charts of one answer: a comparison of more communes is read in its text."""


async def post(database: Database, slack: Slack, answer_id: AnswerId) -> None:
    """Repeats freely: the intent is committed before the upload, and a repeat looks for its file first."""
    row = await database.read(lambda c: answers.get(c, answer_id))
    charts = [chart for chart in (row["record"] or {}).get("charts", ()) if drawable(chart)][:MOST]
    if not charts or row["state"] != "published":
        return
    maybe_posted = await database.write(lambda c: answers.about_to_chart(c, answer_id))
    try:
        async with asyncio.timeout(UPLOAD_SECONDS):
            for number, chart in enumerate(charts):
                name = f"prix-{hashlib.sha256(answer_id.encode()).hexdigest()[:10]}-{number}.png"
                if not (maybe_posted and await _is_there(slack, row, name)):
                    await _upload(slack, row, chart, name)
    except (SlackApiError, SlackRequestError, aiohttp.ClientError, TimeoutError, OSError, ImportError) as error:
        log.warning("chart_not_posted", answer_id=answer_id, error=repr(error))


async def _upload(slack: Slack, row: Row, chart: Mapping[str, Any], name: str) -> None:
    content = await asyncio.to_thread(price_chart, chart)
    await slack.poster.files_upload_v2(
        content=content,
        filename=name,
        title=f"Prix médian au m² : {chart['place']}",
        alt_txt=alt_text(chart),
        channel=row["channel"],
        thread_ts=row["thread_ts"],
    )


async def _is_there(slack: Slack, row: Row, name: str) -> bool:
    page = await slack.reader.conversations_replies(channel=row["channel"], ts=row["thread_ts"], limit=200)
    return any(
        file.get("name") == name for message in page.get("messages") or [] for file in message.get("files") or []
    )
