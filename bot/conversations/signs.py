"""The sign of life: the placeholder in which the answer will stand, posted before anybody thinks about it."""

from typing import Final

import sqlalchemy as sa

from bot.conversations.turns import Turns, answer_of
from bot.ports import AnswerId, JobName
from bot.proposals.showing import where
from bot.slack.blocks.working import working_text
from bot.slack.delivery import SlackBusy, Workspaces, post_once
from bot.store import answers
from bot.store.database import Database
from bot.store.inbox import Enqueue
from pipeline.telemetry import SILENT, Telemetry

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
        ts = await post_once(
            slack.of(row["team_id"]),
            where(row),
            key=answer_id,
            text=working_text(),
            blocks=None,
            maybe_posted=maybe_posted,
        )
    except SlackBusy:
        await database.write(lambda c: answers.not_posted(c, answer_id))
        raise

    def placed(connection: sa.Connection) -> float | None:
        enqueue(connection, JobName.REPLY, answer_id, f"{row['team_id']}:{row['thread_key']}")
        return answers.placed(connection, answer_id, ts=ts)

    telemetry.event("first_sign", seconds=await database.write(placed))
