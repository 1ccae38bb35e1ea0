"""A person clicks: block_actions from a message, a modal or the Home tab."""

from dataclasses import dataclass
from typing import Any

from sandbox.slack import payloads, views
from sandbox.slack.delivery import Reply
from sandbox.slack.form_values import chosen, elements, state_values
from sandbox.slack.state import Channel, Json, User
from sandbox.slack.world import World
from sandbox.wrong import Wrong


@dataclass(frozen=True, slots=True)
class Click:
    """What was clicked. `value` picks one of several equal action_ids, or an option; `forge` sends it as it is."""

    action_id: str
    value: Any = None
    block_id: str = ""
    team: str = ""
    forge: bool = False


async def on_message(world: World, user: User, channel: Channel, ts: str, click: Click) -> tuple[Reply, bool]:
    """The reply, and whether the element was already gone: a screen may lag behind an update by a moment.

    Raises `Wrong` when the message is not there or never had such an element.
    """
    message = channel.messages.get(ts)
    if message is None or message.get("ephemeral_to", user.id) != user.id:
        raise Wrong(f"Aucun message {ts} n'est visible par {user.name} dans « {channel.name} ».", status=404)
    blocks, stale = message.get("blocks", []), False
    if not _matching(blocks, click):
        past = [old for old in channel.past_blocks.get(ts, []) if _matching(old, click)]
        blocks, stale = (past[-1], True) if past else (blocks, False)
    block, element = _find(blocks, click)
    ephemeral = "ephemeral_to" in message
    container: Json = {"type": "message", "message_ts": ts, "channel_id": channel.id, "is_ephemeral": ephemeral}
    thread_ts = message.get("thread_ts")
    if thread_ts:
        container["thread_ts"] = thread_ts
    payload = {
        "type": "block_actions",
        **payloads.actor(world, user, team=click.team),
        "container": container,
        **payloads.trigger(world, user),
        "channel": {"id": channel.id, "name": "directmessage" if channel.kind == "im" else channel.name},
        "state": {"values": state_values(blocks, {})},
        **payloads.response_url(world, channel, user, message_ts=ts, thread_ts=thread_ts),
        "actions": [_action(world, block, element, click)],
    }
    if not ephemeral:  # Slack leaves an ephemeral message out
        payload["message"] = {**message, "blocks": blocks}
    return await world.outbox.ask("interactive", payload), stale


async def in_view(world: World, user: User, view_id: str, click: Click, values: Json) -> Reply:
    """A click in an open modal or on the Home tab; `values` is what the inputs hold. Raises `Wrong`."""
    home = world.workspace.homes.get(user.id)
    view = home if home and home["id"] == view_id else views.find(world, view_id)
    if view is None:
        raise Wrong(f"La vue {view_id} n'est pas ouverte.", status=404)
    block, element = _find(view["blocks"], click)
    view["state"] = {"values": state_values(view["blocks"], values)}
    action = _action(world, block, element, click)
    picked = view["state"]["values"].get(block["block_id"], {}).get(element["action_id"])
    if picked is not None and click.value is not None:
        picked |= chosen(element, click.value)
    payload = {
        "type": "block_actions",
        **payloads.actor(world, user, team=click.team),
        "container": {"type": "view", "view_id": view_id},
        **payloads.trigger(world, user, view_id=view_id),
        "view": view,
        "actions": [action],
    }
    return await world.outbox.ask("interactive", payload)


def _matching(blocks: list[Json], click: Click) -> list[tuple[Json, Json]]:
    """Feedback buttons carry one action_id for both; plain buttons may share one and differ by value."""
    same = [
        (block, element)
        for block, element in elements(blocks)
        if element["action_id"] == click.action_id and click.block_id in ("", block["block_id"])
    ]
    if click.value is None or click.forge:
        return same
    return [(block, element) for block, element in same if _accepts(element, click.value)]


def _accepts(element: Json, value: Any) -> bool:
    return bool(element["type"] != "button" or element.get("value") == value)


def _find(blocks: list[Json], click: Click) -> tuple[Json, Json]:
    found = _matching(blocks, click)
    if found:
        return found[0]
    known = ", ".join(sorted({element["action_id"] for _, element in elements(blocks)})) or "aucun"
    hint = " Pour envoyer quand même cette valeur, ajoutez forge: true." if click.value is not None else ""
    raise Wrong(f"Rien à cliquer sous « {click.action_id} » ; il y a : {known}.{hint}", status=404)


def _action(world: World, block: Json, element: Json, click: Click) -> Json:
    action: Json = {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block["block_id"],
        "action_ts": world.clock.ts(),
    }
    if element["type"] == "button":
        action |= {name: element[name] for name in ("text", "value", "style", "url") if name in element}
        return action | ({"value": click.value} if click.forge and click.value is not None else {})
    if element["type"] == "feedback_buttons":
        buttons: list[Json] = [element["positive_button"], element["negative_button"]]
        return action | next((button for button in buttons if button.get("value") == click.value), buttons[0])
    if element["type"] == "icon_button":
        return action | ({"value": element["value"]} if "value" in element else {})
    return action | chosen(element, click.value)
