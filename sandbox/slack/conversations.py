"""conversations.*: what exists, who is in it, what was said."""

import base64
import math
import time
from typing import Any

from sandbox.slack import connect
from sandbox.slack.arguments import Args
from sandbox.slack.chat import shown
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json
from sandbox.slack.world import World

# A commercially distributed app outside the Marketplace reads 15 objects a minute; the fault applies that.
LIMITED_OBJECTS = 15
LIMITED_EVERY_S = 60.0


def info(world: World, args: Args) -> Json:
    """One conversation."""
    return {"channel": described(world, world.known(args.text("channel", missing="channel_not_found")))}


def list_conversations(world: World, args: Args) -> Json:
    """Filtered by `types`, public channels by default."""
    kinds = {"public_channel": "channel", "private_channel": "private", "im": "im", "mpim": "mpim"}
    asked = args.listed("types") or ["public_channel"]
    if not set(asked) <= kinds.keys():
        raise SlackError("invalid_types")
    wanted = {kinds[name] for name in asked}
    bot = world.workspace.app.user_id
    visible = [c for c in world.workspace.channels.values() if c.kind == "channel" or bot in c.members]
    found = [channel for channel in visible if channel.kind in wanted]
    page, cursor = _page(found, args, default=100)
    return {"channels": [described(world, channel) for channel in page], "response_metadata": {"next_cursor": cursor}}


def members(world: World, args: Args) -> Json:
    """Ids of the members."""
    channel = world.known(args.text("channel", missing="channel_not_found"))
    page, cursor = _page(channel.members, args, default=100)
    return {"members": page, "response_metadata": {"next_cursor": cursor}}


def join(world: World, args: Args) -> Json:
    """The bot joins a public channel; private ones need an invitation."""
    channel = world.known(args.text("channel", missing="channel_not_found"))
    if channel.kind != "channel":
        raise SlackError("method_not_supported_for_channel_type")
    add_member(world, channel, world.workspace.app.user_id)
    return {"channel": described(world, channel)}


def add_member(world: World, channel: Channel, user: str) -> None:
    """Adds a person or the bot and sends member_joined_channel; nothing for a member."""
    if user in channel.members:
        return
    channel.members.append(user)
    kind = "C" if channel.kind == "channel" else "G"
    event = {"type": "member_joined_channel", "user": user, "channel": channel.id, "channel_type": kind}
    world.emit_in(channel, event | {"team": world.workspace.team.id, "event_ts": world.clock.ts()})
    world.hub.publish("state")


def open_conversation(world: World, args: Args) -> Json:
    """The direct conversation with one person."""
    if args.optional("channel"):
        channel = world.known(args.optional("channel"))
    else:
        users = args.listed("users")
        if not users:
            raise SlackError("users_list_not_supplied")
        if len(users) > 1:
            raise SlackError("not_enough_users")  # nobody opens group conversations here
        if users[0] not in {user.id for user in world.workspace.humans()}:
            raise SlackError("user_not_found")
        direct = world.workspace.im_of(users[0])
        if direct is None:
            raise SlackError("user_not_visible")
        channel = direct
    extra = described(world, channel) if args.flag("return_im") else {"id": channel.id}
    return {"channel": extra, "no_op": True, "already_open": True}


def history(world: World, args: Args) -> Json:
    """Root messages (and broadcast replies), newest first."""
    channel = _readable(world, args, "conversations.history")
    roots = [m for m in channel.visible() if is_shown_in_channel(m)]
    return _messages(world, list(reversed(_within(roots, args))), args)


def replies(world: World, args: Args) -> Json:
    """Root first, then replies, always oldest first."""
    channel = _readable(world, args, "conversations.replies")
    asked = channel.messages.get(args.text("ts", missing="thread_not_found"))
    if asked is None or "ephemeral_to" in asked:
        raise SlackError("thread_not_found")
    root_ts = str(asked.get("thread_ts", asked["ts"]))
    root = channel.messages.get(root_ts)
    answers = [reply for reply in channel.thread(root_ts) if "ephemeral_to" not in reply]
    # Slack shows the root on every page; here on the first, which is what a reader needs.
    return _messages(world, ([root] if root else []) + _within(answers, args), args)


def is_shown_in_channel(message: Json) -> bool:
    """Roots, and replies that were also sent to the channel."""
    root = message.get("thread_ts", message["ts"]) == message["ts"]
    return bool(root or message.get("subtype") == "thread_broadcast")


def described(world: World, channel: Channel) -> Json:
    """Slack's conversation object."""
    member = world.workspace.app.user_id in channel.members
    shared: Json = {
        "id": channel.id,
        "created": channel.created,
        "is_archived": channel.archived,
        "is_im": channel.kind == "im",
    }
    if channel.kind == "im":
        return shared | {"user": channel.user, "is_open": True, "is_org_shared": False}
    private = channel.kind != "channel"
    return shared | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": channel.kind != "mpim",
        "is_group": False,
        "is_mpim": channel.kind == "mpim",
        "is_private": private,
        "is_general": False,
        **connect.described(channel, own=world.workspace.team),
        "is_member": member,
        "num_members": len(channel.members),
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "context_team_id": world.workspace.team.id,
    }


def _readable(world: World, args: Args, method: str) -> Channel:
    if world.faults.replies_limited:
        wait = world.limited_until.get(method, 0.0) - time.monotonic()
        if wait > 0:
            raise SlackError("ratelimited", status=429, headers={"Retry-After": str(math.ceil(wait))})
        world.limited_until[method] = time.monotonic() + LIMITED_EVERY_S
    return world.joined(args.text("channel", missing="channel_not_found"))


def _within(messages: list[Json], args: Args) -> list[Json]:
    oldest, latest = args.optional("oldest") or "0", args.optional("latest") or "9999999999"
    inclusive = args.flag("inclusive")
    try:
        low, high = float(oldest), float(latest)
    except ValueError:
        raise SlackError("invalid_ts_oldest") from None
    return [m for m in messages if low < float(m["ts"]) < high or (inclusive and float(m["ts"]) in (low, high))]


def _messages(world: World, found: list[Json], args: Args) -> Json:
    most = LIMITED_OBJECTS if world.faults.replies_limited else 1000
    page, cursor = _page(found, args, default=100, most=most)
    whole = args.flag("include_all_metadata")
    own = world.workspace.team
    told = [connect.as_told(shown(message, metadata=whole), own=own) for message in page]
    answer: Json = {"messages": told, "has_more": bool(cursor)}
    return answer | ({"response_metadata": {"next_cursor": cursor}} if cursor else {})


def _page(items: list[Any], args: Args, *, default: int, most: int = 1000) -> tuple[list[Any], str]:
    """One page and the cursor of the next, empty at the end. Raises `SlackError` invalid_cursor, invalid_limit."""
    limit = args.number("limit", default)
    if limit < 1:
        raise SlackError("invalid_limit")
    limit = min(limit, most)
    cursor = args.optional("cursor")
    try:
        start = int(base64.b64decode(cursor, validate=True)) if cursor else 0
    except ValueError:
        raise SlackError("invalid_cursor") from None
    end = start + limit
    following = base64.b64encode(str(end).encode()).decode() if end < len(items) else ""
    return items[start:end], following


METHODS = {
    "conversations.info": info,
    "conversations.list": list_conversations,
    "conversations.members": members,
    "conversations.join": join,
    "conversations.open": open_conversation,
    "conversations.history": history,
    "conversations.replies": replies,
}
