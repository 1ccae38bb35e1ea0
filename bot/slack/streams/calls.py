"""chat.startStream, appendStream and stopStream. A stream lives about five minutes; what it was is then a message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import structlog

from bot.slack.blocks.text import verbatim
from bot.slack.delivery import GONE, Blocks, Slack, SlackRefused, SlackUnavailable, ThreadRef, call, metadata_of

log = structlog.get_logger()

ENDED: Final = "message_not_in_streaming_state"
"""It expired, somebody stopped it in Slack, or it was stopped before."""
Chunk = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recipient:
    """Whose question it answers: in a channel, Slack wants to know."""

    team_id: str
    user_id: str


@dataclass(frozen=True, slots=True)
class Task:
    """One step as Slack shows it; a task that comes again under its id replaces itself."""

    id: str
    title: str
    status: Literal["in_progress", "complete"] = "in_progress"

    @property
    def chunk(self) -> Chunk:
        return {"type": "task_update", "id": self.id, "title": self.title, "status": self.status}


async def start(slack: Slack, place: ThreadRef, *, team_id: str, recipient: Recipient, task: Task) -> str | None:
    """The ts of a message that grows; None where the workspace or the place takes none just now. The id of its first
    task is what it is found by later. Raises `SlackUnavailable` where it may have been started."""
    if place.thread_ts is None or not slack.abilities.may_try(team_id, "stream"):
        return None
    await slack.pace.take(place.channel)
    try:
        response = await call(
            slack.poster.chat_startStream(
                channel=place.channel,
                thread_ts=place.thread_ts,
                recipient_team_id=recipient.team_id,
                recipient_user_id=recipient.user_id,
                chunks=[dict(task.chunk)],
            )
        )
    except SlackRefused as refusal:
        slack.abilities.refused(team_id, "stream", refusal.code)
        return None
    except SlackUnavailable as error:
        if error.retry_after is None:
            raise
        slack.abilities.rest(team_id, "stream", error.retry_after)  # nothing was started: it is posted instead
        return None
    return str(response["ts"])


async def append(slack: Slack, place: ThreadRef, ts: str, chunks: Sequence[Chunk]) -> None:
    """Never repeated by itself: what was appended twice would be read twice. Raises like `update`."""
    await call(slack.poster.chat_appendStream(channel=place.channel, ts=ts, chunks=[dict(chunk) for chunk in chunks]))


async def close(slack: Slack, place: ThreadRef, ts: str, *, key: str, blocks: Blocks | None = None) -> None:
    """No stream is open afterwards; repeats freely. `blocks`: what the message is to hold, where nothing was appended
    to it yet; an update says it all the same. Raises `SlackUnavailable`."""
    body: dict[str, Any] = {"channel": place.channel, "ts": ts, "metadata": metadata_of(key)}
    try:
        if blocks:
            await call(slack.reader.chat_stopStream(**body, blocks=verbatim(blocks)))
        else:
            await call(slack.reader.chat_stopStream(**body))
    except SlackRefused as refusal:
        if refusal.code == ENDED or refusal.code in GONE:
            return
        if not blocks:
            log.warning("stream_not_closed", code=refusal.code, key=key)
            return
        log.warning("blocks_refused", code=refusal.code, key=key)
        await close(slack, place, ts, key=key)
