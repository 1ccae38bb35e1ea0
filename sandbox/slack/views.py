"""views.*: modals in a stack of three at most, and the Home tab."""

import secrets
import time

from sandbox.slack import limits
from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Json, Trigger, fresh_id
from sandbox.slack.world import World

MAX_STACK = 3
TRIGGER_S = 3.0


def open_view(world: World, args: Args) -> Json:
    """Opens a modal for the person who clicked."""
    trigger = _used_trigger(world, args)
    view = limits.checked_view(args.parsed("view"), surface="modal")
    shown = push_on(world, trigger.user, view)
    return {"view": shown}


def push(world: World, args: Args) -> Json:
    """Puts a modal on top of the open one."""
    trigger = _used_trigger(world, args)
    view = limits.checked_view(args.parsed("view"), surface="modal")
    if not world.workspace.modals.get(trigger.user):
        raise SlackError("not_found")
    return {"view": push_on(world, trigger.user, view)}


def update(world: World, args: Args) -> Json:
    """Replaces a modal by view_id or external_id; `hash` guards against a lost update."""
    old = find(world, args.optional("view_id"), external_id=args.optional("external_id"))
    if old is None:
        raise SlackError("not_found")
    if args.optional("hash") and args.optional("hash") != old["hash"]:
        raise SlackError("hash_conflict")
    return {"view": replace(world, old, limits.checked_view(args.parsed("view"), surface=old["type"]))}


def publish(world: World, args: Args) -> Json:
    """Replaces a person's Home tab."""
    user = args.text("user_id", missing="user_not_found")
    if user not in {person.id for person in world.workspace.humans()}:
        raise SlackError("user_not_found")
    view = limits.checked_view(args.parsed("view"), surface="home")
    old = world.workspace.homes.get(user)
    if args.optional("hash") and old and args.optional("hash") != old["hash"]:
        raise SlackError("hash_conflict")
    shown = _complete(world, view, view_id=old["id"] if old else fresh_id("V"))
    world.workspace.homes[user] = shown
    world.hub.publish("views", user=user)
    return {"view": shown}


def new_trigger(world: World, user: str, *, view_id: str | None = None) -> str:
    """A trigger_id: 3 seconds, one use."""
    trigger_id = f"{time.time_ns()}.{secrets.token_hex(8)}"
    world.workspace.triggers[trigger_id] = Trigger(user=user, expires=time.monotonic() + TRIGGER_S, view_id=view_id)
    return trigger_id


def push_on(world: World, user: str, view: Json) -> Json:
    """Puts a checked modal on the person's stack. Raises `SlackError` push_limit_reached."""
    stack = world.workspace.modals.setdefault(user, [])
    if len(stack) >= MAX_STACK:
        raise SlackError("push_limit_reached")
    external_id = view.get("external_id")
    if external_id and find(world, "", external_id=external_id):
        raise SlackError("duplicate_external_id")
    shown = _complete(world, view, view_id=fresh_id("V"))
    if stack:
        shown |= {"root_view_id": stack[0]["id"], "previous_view_id": stack[-1]["id"]}
    stack.append(shown)
    world.hub.publish("views", user=user)
    return shown


def replace(world: World, old: Json, view: Json) -> Json:
    """Puts a checked view in the place of an open one."""
    shown = _complete(world, view, view_id=old["id"])
    shown |= {"root_view_id": old["root_view_id"], "previous_view_id": old["previous_view_id"]}
    for user, stack in world.workspace.modals.items():
        for index, open_one in enumerate(stack):
            if open_one["id"] == old["id"]:
                stack[index] = shown
                world.hub.publish("views", user=user)
    return shown


def find(world: World, view_id: str, *, external_id: str = "") -> Json | None:
    """An open modal."""
    for stack in world.workspace.modals.values():
        for view in stack:
            if (view_id and view["id"] == view_id) or (external_id and view.get("external_id") == external_id):
                return view
    return None


def _used_trigger(world: World, args: Args) -> Trigger:
    trigger_id = args.optional("trigger_id") or args.optional("interactivity_pointer")
    trigger = world.workspace.triggers.get(trigger_id)
    if trigger is None:
        raise SlackError("invalid_trigger_id")
    if trigger.used:
        raise SlackError("exchanged_trigger_id")
    if time.monotonic() > trigger.expires:
        raise SlackError("expired_trigger_id")
    trigger.used = True
    return trigger


def _complete(world: World, view: Json, *, view_id: str) -> Json:
    """Slack's view object."""
    app, team = world.workspace.app, world.workspace.team
    defaults: Json = {
        "title": None,
        "submit": None,
        "close": None,
        "callback_id": "",
        "private_metadata": "",
        "external_id": "",
        "clear_on_close": False,
        "notify_on_close": False,
    }
    return {
        **defaults,
        **view,
        "id": view_id,
        "team_id": team.id,
        "app_id": app.id,
        "bot_id": app.bot_id,
        "app_installed_team_id": team.id,
        "state": {"values": {}},
        "hash": f"{int(time.time())}.{secrets.token_hex(4)}",
        "root_view_id": view_id,
        "previous_view_id": None,
    }


METHODS = {"views.open": open_view, "views.push": push, "views.update": update, "views.publish": publish}
