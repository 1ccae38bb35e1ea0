"""chat.*: posting, changing, deleting, ephemeral, scheduled messages and permalinks."""

import time
from typing import Any

from sandbox.slack import limits, posting
from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json, fresh_id
from sandbox.slack.world import World


def post_message(world: World, args: Args) -> Json:
    """https://docs.slack.dev/reference/methods/chat.postMessage"""
    channel = world.joined(args.text("channel", missing="channel_not_found"))
    if channel.archived:
        raise SlackError("is_archived")
    message = bot_message(world, args)
    thread_ts = args.optional("thread_ts") or None
    if thread_ts and args.flag("reply_broadcast"):
        message["subtype"] = "thread_broadcast"
    posted = posting.post(world, channel, message, thread_ts=thread_ts)
    return {"channel": channel.id, "ts": posted["ts"], "message": shown(posted)}


def post_ephemeral(world: World, args: Args) -> Json:
    """Only `user` sees it; nobody can read or update it through the API afterwards."""
    channel = world.joined(args.text("channel", missing="channel_not_found"))
    user = args.text("user", missing="user_not_found")
    if user not in channel.members:
        raise SlackError("user_not_in_channel" if user in world.workspace.users else "user_not_found")
    message = bot_message(world, args)
    posted = posting.post_ephemeral(world, channel, user, message, thread_ts=args.optional("thread_ts") or None)
    return {"message_ts": posted["ts"]}


def update(world: World, args: Args) -> Json:
    """Only the app's own messages. Blocks and metadata that are not sent stay, an empty list or object removes them."""
    channel, message = own_message(world, args, refused="cant_update_message")
    ts = message["ts"]
    fields = content(args, on_update=True)
    if not fields.keys() & {"text", "blocks", "attachments", "metadata"}:
        raise SlackError("no_text")
    if not fields.get("text") and not fields.get("blocks", message.get("blocks")):
        raise SlackError("no_text")
    emptied: Json = {name: None for name in fields if name != "text" and not fields[name]}
    edited = {"user": world.workspace.app.user_id, "ts": world.clock.ts()}
    changed = posting.change(world, channel, ts, **{**fields, **emptied, "edited": edited})
    return {"channel": channel.id, "ts": ts, "text": changed.get("text", ""), "message": shown(changed)}


def delete(world: World, args: Args) -> Json:
    """Only the app's own messages."""
    channel, message = own_message(world, args, refused="cant_delete_message")
    posting.remove(world, channel, message["ts"])
    return {"channel": channel.id, "ts": message["ts"]}


def get_permalink(world: World, args: Args) -> Json:
    """A link in the shape of Slack's, to the sandbox's own page."""
    channel = world.channel(args.text("channel", missing="channel_not_found"))
    ts = args.text("message_ts", missing="message_not_found")
    if ts not in channel.messages:
        raise SlackError("message_not_found")
    thread = channel.messages[ts].get("thread_ts")
    query = f"?thread_ts={thread}&cid={channel.id}" if thread and thread != ts else ""
    return {"channel": channel.id, "permalink": f"{world.base_url}/archives/{channel.id}/p{ts.replace('.', '')}{query}"}


def schedule_message(world: World, args: Args) -> Json:
    """Keeps the message and posts it when its time has come (checked by `post_due`)."""
    channel = world.joined(args.text("channel", missing="channel_not_found"))
    post_at = args.number("post_at", 0)
    if post_at <= time.time():
        raise SlackError("time_in_past")
    if post_at > time.time() + 120 * 86_400:
        raise SlackError("time_too_far")
    scheduled_id = fresh_id("Q")
    thread_ts = args.optional("thread_ts") or None
    kept = {"channel": channel.id, "post_at": post_at, "thread_ts": thread_ts, "message": bot_message(world, args)}
    world.workspace.scheduled[scheduled_id] = kept
    return {
        "channel": channel.id,
        "scheduled_message_id": scheduled_id,
        "post_at": post_at,
        "message": kept["message"],
    }


def delete_scheduled_message(world: World, args: Args) -> Json:
    """Raises `SlackError` invalid_scheduled_message_id when it is gone or was posted."""
    if world.workspace.scheduled.pop(args.text("scheduled_message_id"), None) is None:
        raise SlackError("invalid_scheduled_message_id")
    return {}


def post_due(world: World) -> None:
    """Posts the scheduled messages whose time has come."""
    due = [key for key, kept in world.workspace.scheduled.items() if kept["post_at"] <= time.time()]
    for key in due:
        kept = world.workspace.scheduled.pop(key)
        channel = world.workspace.channels[kept["channel"]]
        posting.post(world, channel, kept["message"], thread_ts=kept["thread_ts"])


def bot_message(world: World, args: Args) -> Json:
    """A message of the app without its ts, its content checked. Raises `SlackError`."""
    fields = {name: value for name, value in content(args).items() if value}
    if not any(fields.get(name) for name in ("text", "blocks", "attachments")):
        raise SlackError("no_text")
    return signed(world, {"text": "", **fields}, username=args.optional("username"))


def signed(world: World, fields: Json, *, username: str = "") -> Json:
    """The fields with the marks of a message by the app."""
    app, team = world.workspace.app, world.workspace.team
    profile = {"id": app.bot_id, "app_id": app.id, "name": app.name, "deleted": False, "team_id": team.id}
    message: Json = {"type": "message", "user": app.user_id, "bot_id": app.bot_id, "app_id": app.id, "team": team.id}
    if username:
        message["username"] = username
    return message | {"bot_profile": profile} | fields


def content(args: Args, *, on_update: bool = False) -> Json:
    """Text, blocks, attachments and metadata as sent and checked; absent ones are left out. Raises `SlackError`."""
    fields: Json = {}
    markdown = args.optional("markdown_text")
    if markdown and ("text" in args.values or "blocks" in args.values):
        raise SlackError("markdown_text_conflict")
    if "text" in args.values:
        fields["text"] = limits.checked_text(args.optional("text"), on_update=on_update)
    if markdown:
        fields |= {"text": markdown, "blocks": limits.checked_markdown(markdown)}
    for name in ("blocks", "attachments"):
        sent = args.parsed(name, wrong=f"invalid_{name}_format")
        if sent is not None:
            fields[name] = limits.checked_blocks(sent) if name == "blocks" else limits.checked_attachments(sent)
    metadata: Any = args.parsed("metadata", wrong="invalid_metadata_format")
    if metadata is not None:
        fields["metadata"] = limits.checked_metadata(metadata)
    return fields


def own_message(world: World, args: Args, *, refused: str) -> tuple[Channel, Json]:
    """The message that `channel` and `ts` name, provided that the app wrote it. Raises `SlackError`."""
    channel = world.channel(args.text("channel", missing="channel_not_found"))
    message = channel.messages.get(args.text("ts", missing="message_not_found"))
    if message is None or "ephemeral_to" in message:
        raise SlackError("message_not_found")
    if message.get("bot_id") != world.workspace.app.bot_id:
        raise SlackError(refused)
    return channel, message


def shown(message: Json, *, metadata: bool = False) -> Json:
    """A message as reads return it: metadata only on demand."""
    return {name: value for name, value in message.items() if metadata or name != "metadata"}


METHODS = {
    "chat.postMessage": post_message,
    "chat.postEphemeral": post_ephemeral,
    "chat.update": update,
    "chat.delete": delete,
    "chat.getPermalink": get_permalink,
    "chat.scheduleMessage": schedule_message,
    "chat.deleteScheduledMessage": delete_scheduled_message,
}
