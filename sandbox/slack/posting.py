"""Adding, changing and removing messages: thread counters, what the page is told, what the app hears."""

import copy
import re
from typing import Any

from sandbox.slack import connect, events
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json
from sandbox.slack.world import World

_PAST_KEPT = 20


def post(world: World, channel: Channel, message: Json, *, thread_ts: str | None = None) -> Json:
    """Stores the message under a fresh ts and sends its events. Raises `SlackError` thread_not_found."""
    message["ts"] = world.clock.ts()
    if thread_ts and thread_ts != message["ts"]:
        root = _root(channel, thread_ts)
        message |= {"thread_ts": root["ts"], "parent_user_id": root.get("user", "")}
    channel.messages[message["ts"]] = message
    recount(channel, message.get("thread_ts"))
    world.show(channel, message.get("thread_ts"))
    world.emit_in(channel, *_news(world, channel, message))
    return message


def post_ephemeral(world: World, channel: Channel, user: str, message: Json, *, thread_ts: str | None = None) -> Json:
    """Stores a message that only `user` sees; the app hears nothing of it."""
    message |= {"ts": world.clock.ts(), "ephemeral_to": user, "is_ephemeral": True}
    if thread_ts:
        message["thread_ts"] = thread_ts
    channel.messages[message["ts"]] = message
    world.show(channel, thread_ts)
    return message


def change(world: World, channel: Channel, ts: str, **fields: Any) -> Json:
    """Replaces fields (None removes one) and sends message_changed. The ts must be there."""
    message = channel.messages[ts]
    previous = copy.deepcopy(message)
    if previous.get("blocks"):
        channel.past_blocks.setdefault(ts, []).append(previous["blocks"])
        del channel.past_blocks[ts][:-_PAST_KEPT]
    message |= {name: value for name, value in fields.items() if value is not None}
    for name in [name for name, value in fields.items() if value is None]:
        message.pop(name, None)
    world.show(channel, message.get("thread_ts"))
    if "ephemeral_to" not in message:
        event = events.changed_event(channel, copy.deepcopy(message), previous, event_ts=world.clock.ts())
        world.emit_in(channel, event)
    return message


def remove(world: World, channel: Channel, ts: str) -> None:
    """Deletes a message. A root with replies leaves a tombstone, and the app hears message_changed, as on Slack."""
    message = channel.messages[ts]
    if channel.thread(ts):
        kept = {name: message[name] for name in ("ts", "thread_ts", "reply_count", "latest_reply") if name in message}
        previous = copy.deepcopy(message)
        message.clear()
        message |= kept | {
            "type": "message",
            "subtype": "tombstone",
            "text": "This message was deleted.",
            "user": "USLACKBOT",
            "hidden": True,
        }
        event = events.changed_event(channel, copy.deepcopy(message), previous, event_ts=world.clock.ts())
    else:
        del channel.messages[ts]
        channel.past_blocks.pop(ts, None)
        recount(channel, message.get("thread_ts"))
        event = events.deleted_event(channel, message, event_ts=world.clock.ts())
    world.show(channel, message.get("thread_ts"))
    if "ephemeral_to" not in message:
        world.emit_in(channel, event)


def recount(channel: Channel, root_ts: str | None) -> None:
    """Keeps a root's reply_count, latest_reply and reply_users true."""
    root = channel.messages.get(root_ts or "")
    if root is None:
        return
    replies = [reply for reply in channel.thread(root["ts"]) if "ephemeral_to" not in reply]
    users = list(dict.fromkeys(reply.get("user", "") for reply in replies))
    if not replies:
        for name in ("thread_ts", "reply_count", "latest_reply", "reply_users", "reply_users_count"):
            root.pop(name, None)
        return
    root |= {
        "thread_ts": root["ts"],
        "reply_count": len(replies),
        "reply_users": users,
        "reply_users_count": len(users),
        "latest_reply": replies[-1]["ts"],
        "is_locked": False,
        "subscribed": False,
    }


def _root(channel: Channel, thread_ts: str) -> Json:
    """The root of the thread that `thread_ts` names; a reply's ts leads to its own root, as on Slack."""
    message = channel.messages.get(thread_ts)
    if message is None or "ephemeral_to" in message:
        raise SlackError("thread_not_found")
    root_ts = message.get("thread_ts", thread_ts)
    return channel.messages.get(root_ts, message)


def _news(world: World, channel: Channel, message: Json) -> list[Json]:
    """The `message` event and, where the bot is named outside a direct conversation, its app_mention twin."""
    app, own = world.workspace.app, world.workspace.team
    snapshot = connect.as_told(copy.deepcopy(message), own=own)
    news = [events.message_event(channel, snapshot)]
    named = re.search(rf"<@{app.user_id}[|>]", str(message.get("text", ""))) is not None
    if named and channel.kind != "im" and message.get("user") != app.user_id:
        news.append(events.mention_event(channel, snapshot, team=own.id))
    return news
