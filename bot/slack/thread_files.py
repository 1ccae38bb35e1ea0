"""A file of ours in a thread, once: looked for by its name before it is uploaded."""

from collections.abc import Awaitable, Callable

from slack_sdk.errors import SlackRequestError

from bot.slack.delivery import PAGE, PAGES, Slack, SlackUnavailable, ThreadRef, call


async def is_there(slack: Slack, place: ThreadRef, name: str) -> bool:
    """Whether the thread holds a file of that name. Raises `SlackUnavailable` or `SlackRefused`."""
    cursor = None
    for _ in range(PAGES):
        page = await call(
            slack.reader.conversations_replies(
                channel=place.channel, ts=place.thread_ts or "", limit=PAGE, cursor=cursor
            )
        )
        files = (file for message in page.get("messages") or [] for file in message.get("files") or [])
        if any(file.get("name") == name for file in files):
            return True
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return False
    return False


async def put(
    slack: Slack, place: ThreadRef, name: str, make: Callable[[], Awaitable[bytes]], *, title: str, alt_text: str = ""
) -> None:
    """Make and upload it. Raises like `is_there`, and what `make` raises."""
    content = await make()
    try:
        await call(
            slack.poster.files_upload_v2(
                content=content,
                filename=name,
                title=title,
                channel=place.channel,
                thread_ts=place.thread_ts,
                alt_txt=alt_text or None,
            )
        )
    except SlackRequestError as error:  # the bytes did not arrive where Slack wanted them
        raise SlackUnavailable from error
