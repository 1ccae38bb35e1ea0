"""The sign of life: the placeholder in which the answer will stand, posted before anybody thinks about it."""

from typing import Final

import sqlalchemy as sa

from bot.conversations.turns import Turns, answer_of
from bot.ports import AnswerId, JobName
from bot.proposals.showing import where
from bot.slack.blocks.working import working_text
from bot.slack.delivery import Posted, Slack, SlackBusy, Workspaces, find, post_once
from bot.slack.progress import first_task
from bot.slack.streams.calls import Recipient, start
from bot.store import answers
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row
from pipeline.metering.telemetry import SILENT, Telemetry

PLACED: Final = "placed"
GIVEN: Final = "given"
"""What came of it, as the engine remembers it."""


async def sign(
    database: Database,
    slack: Workspaces,
    turns: Turns,
    subject: str,
    *,
    enqueue: Enqueue,
    telemetry: Telemetry = SILENT,
) -> str:
    """In its turn, post the placeholder once and queue the reply behind those of its thread. Repeats freely."""
    if not await turns.take(subject, enqueue=enqueue):
        return GIVEN  # a later job of ours comes after those that were asked before
    await place(database, slack, answer_of(subject), enqueue=enqueue, telemetry=telemetry)
    return PLACED


async def place(
    database: Database, slack: Workspaces, answer_id: AnswerId, *, enqueue: Enqueue, telemetry: Telemetry = SILENT
) -> None:
    """The intent is committed before the call, so a crash leads to a search; the reply is queued with what came of it.

    Raises `SlackUnavailable` or `SlackRefused`.
    """
    row = await database.read(lambda c: answers.get(c, answer_id))
    if row["placeholder_ts"]:
        return
    maybe_posted = row["state"] == "posting"
    if not maybe_posted:
        await database.write(lambda c: answers.about_to_post(c, answer_id))
    try:
        posted = await _posted(slack.of(row["team_id"]), row, maybe_posted=maybe_posted)
    except SlackBusy:
        await database.write(lambda c: answers.not_posted(c, answer_id))
        raise

    def placed(connection: sa.Connection) -> float | None:
        enqueue(connection, JobName.REPLY, answer_id, f"{row['team_id']}:{row['thread_key']}")
        return answers.placed(connection, answer_id, ts=posted.ts, streamed=posted.streamed)

    telemetry.event("first_sign", seconds=await database.write(placed))


async def _posted(slack: Slack, row: Row, *, maybe_posted: bool) -> Posted:
    """As a message that grows where there are such; as an ordinary one otherwise."""
    key, place = row["answer_id"], where(row)
    if maybe_posted and (found := await find(slack, place, key=key)):
        return found
    recipient = Recipient(row["visitor_team"] or row["team_id"], row["asked_by"])
    if ts := await start(slack, place, team_id=row["team_id"], recipient=recipient, task=first_task(key)):
        return Posted(ts, streamed=True)
    return Posted(await post_once(slack, place, key=key, text=working_text(), blocks=None, maybe_posted=False))
