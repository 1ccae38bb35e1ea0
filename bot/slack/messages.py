"""What was said in a thread, and the files that hang there, as Slack has them now."""

from typing import Any

from bot.slack.delivery import Slack, call


async def file_info(slack: Slack, file_id: str) -> dict[str, Any]:
    """Slack's file object as it is now. Raises `SlackUnavailable`, or `SlackRefused` when it is gone or not ours."""
    return dict((await call(slack.reader.files_info(file=file_id))).get("file") or {})


async def one_message(slack: Slack, channel: str, ts: str) -> dict[str, Any] | None:
    """A message as it stands; None when it is not there any more. Raises like `update`."""
    page = await call(
        slack.reader.conversations_replies(channel=channel, ts=ts, oldest=ts, latest=ts, inclusive=True, limit=2)
    )
    return next((dict(message) for message in page.get("messages") or [] if message.get("ts") == ts), None)


async def thread_messages(
    slack: Slack, channel: str, thread_ts: str, *, oldest: str, latest: str
) -> list[dict[str, Any]]:
    """Those between two times, both left out, the root among them where Slack sends it; one page, asked once: who
    needs it waits. Raises like `update`."""
    page = await call(
        slack.poster.conversations_replies(channel=channel, ts=thread_ts, oldest=oldest, latest=latest, limit=200)
    )
    return [dict(message) for message in page.get("messages") or []]


async def own_user(slack: Slack) -> str:
    """The user id that we are mentioned by. Raises like `update`."""
    return str((await call(slack.reader.auth_test())).get("user_id") or "")
