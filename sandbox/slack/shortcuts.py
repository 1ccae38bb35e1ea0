"""Message shortcuts: which the app's manifest has, and what Slack sends when a person takes one."""

import json
from pathlib import Path

from sandbox.slack import payloads
from sandbox.slack.delivery import Reply
from sandbox.slack.state import Channel, Json, User
from sandbox.slack.world import World
from sandbox.wrong import Wrong


def shortcuts_in(manifest: Path) -> tuple[Json, ...]:
    """`{name, callback_id}` each. Raises `OSError`, `ValueError`, `KeyError`."""
    listed = json.loads(manifest.read_text("utf-8"))["features"].get("shortcuts", ())
    return tuple(
        {"name": each["name"], "callback_id": each["callback_id"]} for each in listed if each["type"] == "message"
    )


async def take(world: World, user: User, channel: Channel, ts: str, callback_id: str) -> Reply:
    """On anybody's message that this person sees. Raises `Wrong`."""
    message = channel.messages.get(ts)
    if message is None or "ephemeral_to" in message:
        raise Wrong(f"Aucun message {ts} dans « {channel.name} ».", status=404)
    if callback_id not in {each["callback_id"] for each in world.shortcuts}:
        raise Wrong(f"L'application n'a pas de raccourci « {callback_id} ».", status=404)
    payload = {
        "type": "message_action",
        "callback_id": callback_id,
        "action_ts": world.clock.ts(),
        "message_ts": ts,
        **payloads.actor(world, user),
        **payloads.trigger(world, user),
        "channel": {"id": channel.id, "name": "directmessage" if channel.kind == "im" else channel.name},
        "message": message,
        **payloads.response_url(world, channel, user, thread_ts=message.get("thread_ts")),
    }
    return await world.outbox.ask("interactive", payload)
