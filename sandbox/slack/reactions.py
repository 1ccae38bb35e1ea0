"""reactions.*: one emoji of one person under one message."""

from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json
from sandbox.slack.world import World


def add(world: World, args: Args) -> Json:
    """Raises `SlackError` already_reacted."""
    channel, message = _target(world, args)
    react(world, channel, message, user=world.workspace.app.user_id, name=_name(args))
    return {}


def remove(world: World, args: Args) -> Json:
    """Raises `SlackError` no_reaction."""
    channel, message = _target(world, args)
    name, user = _name(args), world.workspace.app.user_id
    found = next((r for r in message.get("reactions", []) if r["name"] == name and user in r["users"]), None)
    if found is None:
        raise SlackError("no_reaction")
    found["users"].remove(user)
    found["count"] -= 1
    message["reactions"] = [reaction for reaction in message["reactions"] if reaction["count"]]
    if not message["reactions"]:
        del message["reactions"]
    _tell(world, channel, message, kind="reaction_removed", user=user, name=name)
    return {}


def react(world: World, channel: Channel, message: Json, *, user: str, name: str) -> None:
    """Adds a reaction of a person or the bot and sends reaction_added. Raises `SlackError` already_reacted."""
    reactions = message.setdefault("reactions", [])
    found = next((reaction for reaction in reactions if reaction["name"] == name), None)
    if found is None:
        found = {"name": name, "users": [], "count": 0}
        reactions.append(found)
    if user in found["users"]:
        raise SlackError("already_reacted")
    found["users"].append(user)
    found["count"] += 1
    _tell(world, channel, message, kind="reaction_added", user=user, name=name)


def _tell(world: World, channel: Channel, message: Json, *, kind: str, user: str, name: str) -> None:
    world.show(channel, message.get("thread_ts"))
    item = {"type": "message", "channel": channel.id, "ts": message["ts"]}
    event = {"type": kind, "user": user, "reaction": name, "item": item, "item_user": message.get("user", "")}
    world.emit_in(channel, event | {"event_ts": world.clock.ts()})


def _target(world: World, args: Args) -> tuple[Channel, Json]:
    channel = world.joined(args.text("channel", missing="channel_not_found"))
    message = channel.messages.get(args.text("timestamp", missing="no_item_specified"))
    if message is None or "ephemeral_to" in message:
        raise SlackError("message_not_found")
    return channel, message


def _name(args: Args) -> str:
    return args.text("name", missing="invalid_name").strip(":")


METHODS = {"reactions.add": add, "reactions.remove": remove}
