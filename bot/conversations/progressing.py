"""What may be seen of an answer while it is being made, in the message in which it will stand."""

import contextlib

from bot.proposals.showing import where
from bot.slack.blocks.working import preview_blocks, stop_blocks, working_blocks
from bot.slack.delivery import Slack, SlackUnavailable
from bot.slack.progress import Progress
from bot.slack.status import Status
from bot.slack.streams.calls import close
from bot.slack.streams.growing import Stream
from bot.store import answers
from bot.store.database import Database
from bot.store.tables import Row


async def progress_of(database: Database, slack: Slack, row: Row) -> Progress:
    """`row`: an answer that has its sign of life."""
    answer_id, place, ts = row["answer_id"], where(row), row["placeholder_ts"]
    return Progress(
        slack,
        place,
        ts,
        look=lambda step: working_blocks(step, answer_id),
        preview=lambda text: preview_blocks(text, answer_id),
        stream=await _stream(database, slack, row),
        status=Status(slack, place, row["team_id"]) if row["channel_type"] == "im" else None,
        key=answer_id,
    )


async def _stream(database: Database, slack: Slack, row: Row) -> Stream | None:
    """None where the answer stands in an ordinary message: from the start, or because a process died that had appended
    to it, nobody knows what."""
    answer_id, place, ts = row["answer_id"], where(row), row["placeholder_ts"]
    if row["stream"] == "grown":
        with contextlib.suppress(SlackUnavailable):  # it is closed again before the answer is shown
            await close(slack, place, ts, key=answer_id)
    if row["stream"] != "open":
        return None

    async def about_to() -> None:
        await database.write(lambda c: answers.grown(c, answer_id))

    return Stream(slack, place, ts, key=answer_id, head=stop_blocks(answer_id), about_to=about_to)
