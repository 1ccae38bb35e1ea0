"""What is shown of an answer in its place: the words of its sign replaced by it, or by why there is none."""

import sqlalchemy as sa
import structlog

from bot.conversations import charts
from bot.errors import reference_of
from bot.ports import AnswerId
from bot.proposals.showing import where
from bot.slack.blocks.answers import answer_blocks, answer_text, failure_text
from bot.slack.blocks.cards import cards_failure_text
from bot.slack.delivery import GONE, Blocks, Slack, SlackRefused, ThreadRef, Workspaces, post_once, update
from bot.slack.status import Status
from bot.slack.streams.calls import close
from bot.store import answers, proposals
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row
from pipeline.metering.telemetry import SILENT, Telemetry

log = structlog.get_logger()


async def publish(
    database: Database, slack: Workspaces, answer_id: AnswerId, *, enqueue: Enqueue, telemetry: Telemetry = SILENT
) -> None:
    """Repeats freely: an update is the same update twice, and charts are queued once."""
    row = await database.read(lambda c: answers.get(c, answer_id))
    await _fill(slack.of(row["team_id"]), row, text=answer_text(row), blocks=answer_blocks(row))
    seconds = await database.write(lambda c: charts.shown(c, answer_id, enqueue=enqueue))
    telemetry.event("published", seconds=seconds)


async def _fill(slack: Slack, row: Row, *, text: str, blocks: Blocks | None) -> None:
    """Put the text where the placeholder stands; somebody may have deleted that, and the text is still owed. A stream
    is closed first, with all of it where it is still empty; the update then says exactly what is to stand."""
    key, place, ts = row["answer_id"], where(row), row["placeholder_ts"]
    if ts:
        if row["stream"]:
            await close(slack, place, ts, key=key, blocks=blocks if row["stream"] == "open" else None)
        try:
            await update(slack, place, ts, text=text, blocks=blocks, key=key if row["stream"] else None)
            await _still(slack, row)
            return
        except SlackRefused as refusal:
            if refusal.code not in GONE:
                raise
    await post_once(slack, place, key=f"{key}:again", text=text, blocks=blocks, maybe_posted=True)
    await _still(slack, row)


async def _still(slack: Slack, row: Row) -> None:
    """Whoever said what we were doing there, perhaps a process that is no more."""
    if row["channel_type"] == "im":
        await Status(slack, where(row), row["team_id"]).say("")


async def report_failure(
    database: Database, slack: Workspaces, answer_id: AnswerId, error: BaseException, *, telemetry: Telemetry = SILENT
) -> None:
    """The thread gets a plain sentence and a reference; the log gets the error under the same reference.
    An answer that is out already stands: then only its cards are missing. Where Slack lets us write nothing in the
    channel, the person who asked is told in private.
    """
    reference = reference_of(answer_id)
    telemetry.event("answered", mode="none", intent="failed", outcome="failed")
    log.error("reply_failed", reference=reference, answer_id=answer_id, error=repr(error), exc_info=error)
    row = await database.read(lambda c: answers.get(c, answer_id))
    there = slack.of(row["team_id"])
    if row["state"] == "published":
        if all(card["card_ts"] for card in await database.read(lambda c: proposals.of_answer(c, answer_id))):
            return  # nothing that was announced is missing: a chart is an extra
        key, text = f"{answer_id}:cards", cards_failure_text(reference)
        await post_once(there, where(row), key=key, text=text, blocks=None, maybe_posted=True)
        return
    text = failure_text(reference)
    try:
        await _fill(there, row, text=text, blocks=None)
    except SlackRefused as refusal:
        log.error("failure_not_shown", reference=reference, code=refusal.code)
        await post_once(
            there, ThreadRef(row["asked_by"], None), key=answer_id, text=text, blocks=None, maybe_posted=False
        )

    def told(connection: sa.Connection) -> float | None:
        return answers.shown(connection, answer_id, failed=True)

    await database.write(told)
