"""Repeatable posting to Slack: find by metadata before posting again, update freely, degrade by a ladder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.errors import BotError
from bot.slack.abilities import Abilities
from bot.slack.blocks.text import verbatim
from bot.slack.pacing import Pace
from pipeline.errors import Retryable

log = structlog.get_logger()

Blocks = Sequence[dict[str, Any]]
TOO_RICH = {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "too_many_blocks"}
GONE = {
    "message_not_found",
    "thread_not_found",
    "cant_update_message",
    "edit_window_closed",
    "cannot_reply_to_message",
}
LATER = {
    *("", "ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"),
    # A token that somebody is replacing: what is owed to the thread is kept until Slack takes us again.
    *("not_authed", "invalid_auth", "token_expired", "token_revoked", "account_inactive"),
}
PLAIN_TEXT_LIMIT = 3_800
CUT = "…\n_(message coupé : demandez la suite)_"
PAGE, PAGES = 200, 50


class SlackRefused(BotError):
    """Slack a refusé le message."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Slack a refusé le message ({code}).")
        self.code = code


class SlackUnavailable(Retryable, BotError):
    """Slack ne répond pas."""

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class SlackBusy(SlackUnavailable):
    """Slack n'a pas pris le message : trop de messages à la fois."""


@dataclass(frozen=True, slots=True)
class Slack:
    """Two clients on one token: a retrying one would post twice when a connection drops after the request was read."""

    poster: AsyncWebClient
    reader: AsyncWebClient
    pace: Pace = field(default_factory=Pace)
    abilities: Abilities = field(default_factory=Abilities)

    def of(self, _team_id: str) -> "Slack":
        """One token serves whoever its team is: the `Workspaces` of an installation in one workspace."""
        return self


class Workspaces(Protocol):
    """The teams that have installed us, each with clients on its own token and a pace of its own."""

    def of(self, team_id: str) -> Slack:
        """That team's. Raises nothing: the first call to Slack tells that a team has no token of ours."""


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """Where a message goes. `after`: the ts of what it answers, so that it cannot stand before that."""

    channel: str
    thread_ts: str | None
    after: str = "0"


@dataclass(frozen=True, slots=True)
class Posted:
    """A message of ours. `streamed`: it was begun as one that grows."""

    ts: str
    streamed: bool = False


async def post_once(
    slack: Slack, place: ThreadRef, *, key: str, text: str, blocks: Blocks | None, maybe_posted: bool
) -> str:
    """Post under `key` and return the ts; with `maybe_posted`, look for an earlier post of that key first.

    Raises `SlackUnavailable`, `SlackBusy` where nothing was posted, or `SlackRefused`.
    """
    if maybe_posted and (found := await find(slack, place, key=key)):
        return found.ts
    metadata = metadata_of(key)
    try:
        return await _post(slack, place, text=text, blocks=blocks, metadata=metadata)
    except SlackRefused as refusal:
        if refusal.code in GONE and place.thread_ts:
            alone = replace(place, thread_ts=None)
            return await post_once(slack, alone, key=key, text=text, blocks=blocks, maybe_posted=False)
        if refusal.code not in TOO_RICH or not blocks:
            raise
        log.warning("blocks_refused", code=refusal.code, key=key)
        return await _post(slack, place, text=_short(text), blocks=None, metadata=metadata)


def metadata_of(key: str) -> dict[str, Any]:
    """By which a message of ours is found again."""
    return {"event_type": "quartierscope", "event_payload": {"key": key}}


async def update(
    slack: Slack, place: ThreadRef, ts: str, *, text: str, blocks: Blocks | None, key: str | None = None
) -> None:
    """Replace a message of ours; repeats freely. Falls back to plain text when Slack refuses the blocks. `key`: marks
    it, where its post could not.

    Raises `SlackUnavailable`, or `SlackRefused` with a code of `GONE` when the message is not there any more.
    """
    body: dict[str, Any] = {"channel": place.channel, "ts": ts, "text": _short(text)}
    body |= {"metadata": metadata_of(key)} if key else {}
    try:
        await call(slack.reader.chat_update(**body, blocks=verbatim(blocks or [])))
    except SlackRefused as refusal:
        if refusal.code not in TOO_RICH:
            raise
        log.warning("blocks_refused", code=refusal.code, ts=ts)
        await call(slack.reader.chat_update(**body, blocks=[]))


async def post_privately(slack: Slack, place: ThreadRef, *, user: str, text: str, blocks: Blocks | None = None) -> None:
    """A message that only `user` sees. Raises like `update`."""
    shown = verbatim(blocks) if blocks else None
    await call(
        slack.reader.chat_postEphemeral(
            channel=place.channel, user=user, text=text, thread_ts=place.thread_ts, blocks=shown
        )
    )


async def user_info(slack: Slack, user_id: str) -> dict[str, Any]:
    """Slack's user object as it is now. Raises like `update`."""
    return dict((await call(slack.reader.users_info(user=user_id))).get("user") or {})


async def own_team(slack: Slack) -> str | None:
    """The team that our token belongs to; None where Slack does not tell."""
    try:
        return str((await call(slack.reader.auth_test())).get("team_id") or "") or None
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("team_unknown", error=repr(error))
        return None


async def channel_info(slack: Slack, channel: str) -> dict[str, Any]:
    """Slack's conversation object as it is now. Raises like `update`."""
    return dict((await call(slack.reader.conversations_info(channel=channel))).get("channel") or {})


async def permalink(slack: Slack, channel: str, ts: str) -> str:
    """Where a message stands. Raises like `update`."""
    found = await call(slack.reader.chat_getPermalink(channel=channel, message_ts=ts))
    return str(found.get("permalink") or "")


async def real_name(slack: Slack, user_id: str) -> str | None:
    """A person's name as shown in Slack; None when Slack does not tell: a write must not wait for a name."""
    try:
        user = await user_info(slack, user_id)
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("name_unknown", user=user_id, error=repr(error))
        return None
    return str(user.get("real_name") or "") or None


async def email_of(slack: Slack, user_id: str) -> str:
    """A person's address, by which the CRM knows them; empty when Slack does not tell."""
    try:
        user = await user_info(slack, user_id)
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("email_unknown", user=user_id, error=repr(error))
        return ""
    return str((user.get("profile") or {}).get("email") or "")


async def _post(slack: Slack, place: ThreadRef, *, text: str, blocks: Blocks | None, metadata: dict[str, Any]) -> str:
    await slack.pace.take(place.channel)
    try:
        response = await call(
            slack.poster.chat_postMessage(
                channel=place.channel,
                thread_ts=place.thread_ts,
                text=text,
                blocks=verbatim(blocks) if blocks else None,
                metadata=metadata,
                unfurl_links=False,
                unfurl_media=False,
            )
        )
    except SlackUnavailable as error:
        if error.retry_after is not None:
            slack.pace.hold(place.channel, error.retry_after)
            raise SlackBusy(retry_after=error.retry_after) from error
        raise
    return str(response["ts"])


async def find(slack: Slack, place: ThreadRef, *, key: str) -> Posted | None:
    """Our message under that key: in its thread or, when there is no such thread any more, in the channel. A stream
    bears its key in its first task until it ends. Raises `SlackUnavailable` or `SlackRefused`."""
    try:
        if place.thread_ts:
            replies = partial(slack.reader.conversations_replies, ts=place.thread_ts)
            return await _search(replies, place, key=key)
    except SlackRefused as refusal:
        if refusal.code not in GONE:
            raise
    return await _search(slack.reader.conversations_history, place, key=key)


async def _search(read: Callable[..., Any], place: ThreadRef, *, key: str) -> Posted | None:
    """Page by page: a thread's newest messages are on its last page."""
    cursor = None
    for _ in range(PAGES):
        page = await call(
            read(channel=place.channel, oldest=place.after, include_all_metadata=True, limit=PAGE, cursor=cursor)
        )
        for message in page.get("messages") or []:
            if (message.get("metadata") or {}).get("event_payload", {}).get("key") == key:
                return Posted(str(message["ts"]))
            if _has_task(message.get("blocks"), key):
                return Posted(str(message["ts"]), streamed=True)
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return None
    log.warning("search_ended_early", channel=place.channel, pages=PAGES, key=key)
    return None


def _has_task(part: Any, key: str) -> bool:
    """Alone or within a plan."""
    if isinstance(part, dict):
        return part.get("task_id") == key or _has_task(part.get("tasks"), key)
    return isinstance(part, list) and any(_has_task(each, key) for each in part)


def _short(text: str) -> str:
    """Within what Slack takes as plain text, and honest about what is missing."""
    if len(text) <= PLAIN_TEXT_LIMIT:
        return text
    return text[: PLAIN_TEXT_LIMIT - len(CUT)].rsplit(" ", 1)[0] + CUT


async def call(request: Any) -> Any:
    try:
        return await request
    except SlackApiError as error:
        raise _refusal(error) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise SlackUnavailable from error


def _refusal(error: SlackApiError) -> SlackRefused | SlackUnavailable:
    """What is in the way may be a proxy: a body that is not Slack's JSON says nothing about the message."""
    response = error.response
    if not isinstance(response, AsyncSlackResponse) or not isinstance(response.data, dict):
        return SlackUnavailable()
    code, status = str(response.data.get("error") or ""), response.status_code
    if code in LATER or status == 429 or status >= 500:
        asked = str(response.headers.get("Retry-After") or "")
        return SlackUnavailable(retry_after=float(asked) if asked.isdecimal() else None)
    return SlackRefused(code)
