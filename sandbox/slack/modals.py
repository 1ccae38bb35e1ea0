"""A person submits or closes a modal; what the app's ack then does to it."""

from typing import Any

from sandbox.slack import limits, payloads, views
from sandbox.slack.delivery import Reply
from sandbox.slack.errors import SlackError
from sandbox.slack.form_values import missing, state_values
from sandbox.slack.state import Json, User
from sandbox.slack.world import World
from sandbox.wrong import Wrong


async def submit(world: World, user: User, view_id: str, given: Json) -> Json:
    """`{ok, acked, ms, response_action?, errors?}`. Raises `Wrong` when the modal is not this person's."""
    view = _open_view(world, user, view_id)
    values = state_values(view["blocks"], given)
    refused = missing(view["blocks"], values)
    if refused:  # Slack's client says so itself and asks nobody
        return {"ok": False, "acked": False, "ms": 0, "response_action": "errors", "errors": refused}
    view["state"] = {"values": values}
    payload = {
        "type": "view_submission",
        **payloads.actor(world, user),
        **payloads.trigger(world, user, view_id=view_id),
        "view": view,
        "response_urls": [],
    }
    reply = await world.outbox.ask("interactive", payload)
    answer: Json = {"ok": reply.acked, "acked": reply.acked, "ms": round(reply.ms, 1)}
    if not reply.acked:
        return answer | {"reason": reply.reason}
    return answer | _obey(world, user, view, reply)


async def close(world: World, user: User, view_id: str) -> Json:
    """Takes the modal away; view_closed is sent only if the view asked for it. Raises `Wrong`."""
    view = _open_view(world, user, view_id)
    _take_away(world, user, view, everything=bool(view["clear_on_close"]))
    if not view["notify_on_close"]:
        return {"ok": True, "acked": None}
    payload = {"type": "view_closed", **payloads.actor(world, user), "view": view, "is_cleared": view["clear_on_close"]}
    reply = await world.outbox.ask("interactive", payload)
    return {"ok": reply.acked, "acked": reply.acked, "ms": round(reply.ms, 1)}


def _obey(world: World, user: User, view: Json, reply: Reply) -> Json:
    body: dict[str, Any] = reply.body if isinstance(reply.body, dict) else {}
    action = body.get("response_action")
    try:
        if action == "errors":
            errors = body.get("errors")
            return {"ok": False, "response_action": action, "errors": errors if isinstance(errors, dict) else {}}
        if action == "update":
            views.replace(world, view, limits.checked_view(body.get("view"), surface="modal"))
        elif action == "push":
            views.push_on(world, user.id, limits.checked_view(body.get("view"), surface="modal"))
        else:
            _take_away(world, user, view, everything=action == "clear")
    except SlackError as error:
        # Slack shows the person a generic failure; here the reason is worth more.
        return {"ok": False, "response_action": action, "error": error.body()}
    return {"response_action": action} if action else {}


def _take_away(world: World, user: User, view: Json, *, everything: bool) -> None:
    stack = world.workspace.modals.get(user.id, [])
    kept = [] if everything else [other for other in stack if other["id"] != view["id"]]
    world.workspace.modals[user.id] = kept
    world.hub.publish("views", user=user.id)


def _open_view(world: World, user: User, view_id: str) -> Json:
    for view in world.workspace.modals.get(user.id, []):
        if view["id"] == view_id:
            return view
    raise Wrong(f"Aucune fenêtre {view_id} n'est ouverte pour {user.name}.", status=404)
