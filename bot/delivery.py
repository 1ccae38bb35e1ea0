"""Repeatable posting to Slack: find by metadata before posting again, update freely, degrade by a ladder."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import BotError
from pipeline.errors import Retryable

log = structlog.get_logger()

Blocks = Sequence[dict[str, Any]]
TOO_RICH = {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "too_many_blocks"}
GONE = {"message_not_found", "thread_not_found", "cant_update_message", "edit_window_closed"}
PLAIN_TEXT_LIMIT = 3_800


class SlackRefused(BotError):
    """Slack a refusé le message."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Slack a refusé le message ({code}).")
        self.code = code


class SlackUnavailable(Retryable, BotError):
    """Slack ne répond pas."""


@dataclass(frozen=True, slots=True)
class Slack:
    """Two clients on one token: a retrying one would post twice when a connection drops after the request was read."""

    poster: AsyncWebClient
    reader: AsyncWebClient


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes."""

    channel: str
    thread_ts: str | None


async def post_once(
    slack: Slack, place: Place, *, key: str, text: str, blocks: Blocks | None, maybe_posted: bool
) -> str:
    """Post under `key` and return the ts; with `maybe_posted`, look for an earlier post of that key first.

    Raises `SlackUnavailable` or `SlackRefused`.
    """
    if maybe_posted and (ts := await _find(slack, place, key=key)):
        return ts
    metadata = {"event_type": "quartierscope", "event_payload": {"key": key}}
    try:
        return await _post(slack, place, text=text, blocks=blocks, metadata=metadata)
    except SlackRefused as refusal:
        if refusal.code in GONE and place.thread_ts:
            return await _post(slack, Place(place.channel, None), text=text, blocks=blocks, metadata=metadata)
        if refusal.code not in TOO_RICH or not blocks:
            raise
        log.warning("blocks_refused", code=refusal.code, key=key)
        return await _post(slack, place, text=text[:PLAIN_TEXT_LIMIT], blocks=None, metadata=metadata)


async def update(slack: Slack, place: Place, ts: str, *, text: str, blocks: Blocks | None) -> None:
    """Replace a message of ours; repeats freely. Falls back to plain text when Slack refuses the blocks.

    Raises `SlackUnavailable`, or `SlackRefused` with a code of `GONE` when the message is not there any more.
    """
    body: dict[str, Any] = {"channel": place.channel, "ts": ts, "text": text[:PLAIN_TEXT_LIMIT]}
    try:
        await _call(slack.reader.chat_update(**body, blocks=blocks or []))
    except SlackRefused as refusal:
        if refusal.code not in TOO_RICH:
            raise
        log.warning("blocks_refused", code=refusal.code, ts=ts)
        await _call(slack.reader.chat_update(**body, blocks=[]))


async def whisper(slack: Slack, place: Place, *, user: str, text: str) -> None:
    """A message that only `user` sees. Raises like `update`."""
    await _call(slack.reader.chat_postEphemeral(channel=place.channel, user=user, text=text, thread_ts=place.thread_ts))


async def real_name(slack: Slack, user_id: str) -> str | None:
    """A person's name as shown in Slack; None when Slack does not tell: a write must not wait for a name."""
    try:
        user = (await _call(slack.reader.users_info(user=user_id))).get("user") or {}
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("name_unknown", user=user_id, error=repr(error))
        return None
    return str(user.get("real_name") or "") or None


async def _post(slack: Slack, place: Place, *, text: str, blocks: Blocks | None, metadata: dict[str, Any]) -> str:
    response = await _call(
        slack.poster.chat_postMessage(
            channel=place.channel,
            thread_ts=place.thread_ts,
            text=text,
            blocks=blocks,
            metadata=metadata,
            unfurl_links=False,
            unfurl_media=False,
        )
    )
    return str(response["ts"])


async def _find(slack: Slack, place: Place, *, key: str) -> str | None:
    try:
        if place.thread_ts:
            page = await _call(
                slack.reader.conversations_replies(
                    channel=place.channel, ts=place.thread_ts, include_all_metadata=True, limit=200
                )
            )
        else:
            page = await _call(
                slack.reader.conversations_history(channel=place.channel, include_all_metadata=True, limit=100)
            )
    except SlackRefused as refusal:
        if refusal.code in GONE:
            return None
        raise
    for message in page.get("messages") or []:
        if (message.get("metadata") or {}).get("event_payload", {}).get("key") == key:
            return str(message["ts"])
    return None


async def _call(request: Any) -> Any:
    try:
        return await request
    except SlackApiError as error:
        code = str(error.response.get("error", "")) if error.response is not None else ""
        status = getattr(error.response, "status_code", 200)
        if code == "ratelimited" or status == 429 or status >= 500:
            raise SlackUnavailable from error
        raise SlackRefused(code) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise SlackUnavailable from error


class Progress:
    """Shows which step runs in the placeholder: after a first wait, at most once a second, never after `stop`."""

    def __init__(self, slack: Slack, place: Place, ts: str) -> None:
        self._slack, self._place, self._ts = slack, place, ts
        self._latest: str | None = None
        self._stopped = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, step: str) -> None:
        self._latest = step
        if self._task is None:
            self._task = asyncio.create_task(self._show())

    async def _show(self) -> None:
        while not await self._stopped_within(1.0):
            if (text := self._latest) is None:
                continue
            self._latest = None
            with contextlib.suppress(SlackUnavailable, SlackRefused):  # a lost progress line loses nothing
                await update(self._slack, self._place, self._ts, text=f"_{text}…_", blocks=None)

    async def _stopped_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), timeout=seconds)
        return self._stopped.is_set()

    async def stop(self) -> None:
        """Waits for an update under way, so that it cannot overwrite the answer that follows."""
        self._stopped.set()
        if self._task is not None:
            await self._task
