"""The shapes of events, and of the text that people type."""

import re
import uuid
from typing import Any

from sandbox.slack.state import CHANNEL_TYPES, Channel, Json

# What is already in Slack's wire format, or has to be put into it.
_PIECE = re.compile(
    r"(?P<token><(?:[@#!][^<>\s][^<>]*|(?:https?|mailto|tel):[^<>]+)>)"
    r"|(?P<url>https?://[^\s<>]+[^\s<>.,;:!?)\]'\"»])"
    r"|(?P<entity>&(?:amp|lt|gt);)"
    r"|(?P<special>[&<>])"
)
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def wire_text(typed: str) -> str:
    """As Slack stores what a person types: `&`, `<`, `>` escaped, bare links in angle brackets."""

    def piece(match: re.Match[str]) -> str:
        if match["url"]:
            return f"<{match['url']}>"
        return _ESCAPES.get(match[0], match[0])

    return _PIECE.sub(piece, typed)


def rich_text(text: str) -> list[Json]:
    """The rich_text block that Slack adds to a person's message, from its wire text."""
    elements: list[Json] = []
    position = 0
    for match in re.finditer(r"<([@#!]|https?:)([^<>]*)>", text):
        _add_text(elements, text[position : match.start()])
        elements.append(_reference(match[1], match[2].split("|")[0]))
        position = match.end()
    _add_text(elements, text[position:])
    return [
        {
            "type": "rich_text",
            "block_id": uuid.uuid4().hex[:5],
            "elements": [{"type": "rich_text_section", "elements": elements}],
        }
    ]


def _add_text(elements: list[Json], text: str) -> None:
    for escaped in ("lt", "gt", "amp"):
        text = text.replace(f"&{escaped};", {"lt": "<", "gt": ">", "amp": "&"}[escaped])
    if text:
        elements.append({"type": "text", "text": text})


def _reference(mark: str, target: str) -> Json:
    if mark == "@":
        return {"type": "user", "user_id": target}
    if mark == "#":
        return {"type": "channel", "channel_id": target}
    if mark == "!":
        return {"type": "broadcast", "range": target}
    return {"type": "link", "url": f"{mark}{target}"}


def human_message(user: str, text: str, *, author: Json, files: list[Json] | None = None) -> Json:
    """A person's message without its ts; `author` says of which team the person is."""
    message: Json = {"type": "message", "user": user, "text": text, **author, "client_msg_id": str(uuid.uuid4())}
    if text:
        message["blocks"] = rich_text(text)
    if files:
        message |= {"subtype": "file_share", "files": files, "upload": False}
        del message["client_msg_id"]  # Slack leaves it out here
    return message


def message_event(channel: Channel, message: Json) -> Json:
    """The `message` event of a new message. Thread counters belong to reads, not to events."""
    counters = {"reply_count", "reply_users", "reply_users_count", "latest_reply", "is_locked", "subscribed"}
    kept = {name: value for name, value in message.items() if name not in counters}
    return kept | _placed(channel, message["ts"])


def mention_event(channel: Channel, message: Json, *, team: str) -> Json:
    """Its `app_mention` twin: no channel_type, no subtype, no files; `team` is the mentioned app's."""
    names = ("user", "ts", "client_msg_id", "text", "user_team", "source_team", "blocks", "thread_ts", "parent_user_id")
    shared = {name: message[name] for name in names if name in message}
    return {"type": "app_mention", **shared, "team": team, "channel": channel.id, "event_ts": message["ts"]}


def changed_event(channel: Channel, message: Json, previous: Json, *, event_ts: str) -> Json:
    """`message_changed`, with both versions."""
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": message,
        "previous_message": previous,
        "hidden": True,
        "ts": event_ts,
        **_placed(channel, event_ts),
    }


def deleted_event(channel: Channel, previous: Json, *, event_ts: str) -> Json:
    """`message_deleted`, with what was deleted."""
    return {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": previous,
        "deleted_ts": previous["ts"],
        "hidden": True,
        "ts": event_ts,
        **_placed(channel, event_ts),
    }


def _placed(channel: Channel, event_ts: str) -> dict[str, Any]:
    return {"channel": channel.id, "channel_type": CHANNEL_TYPES[channel.kind], "event_ts": event_ts}
