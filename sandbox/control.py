"""/sandbox/*: the one JSON API of the page and of scripts."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sandbox import calls
from sandbox.asked import Asked, Control
from sandbox.demo.playing import play
from sandbox.slack.http_events import HttpEvents
from sandbox.slack.socket_mode import SocketMode
from sandbox.slack.state import Channel, Json, Team, User
from sandbox.slack.world import World
from sandbox.wrong import Wrong

Call = Callable[[Asked], Awaitable[Json]]


async def state(asked: Asked) -> Json:
    """Who, where, how the bot is connected, which faults are on."""
    world, control = asked.world, asked.control
    workspace, transport = world.workspace, world.outbox.transport
    return {
        "team": {"id": workspace.team.id, "name": workspace.team.name},
        "bot": {"id": workspace.app.bot_id, "user_id": workspace.app.user_id, "name": workspace.app.name},
        "users": [_person(user, workspace.team_of(user.id)) for user in workspace.humans()],
        "channels": [_channel(channel) for channel in workspace.channels.values()],
        "shortcuts": list(world.shortcuts),
        "transport": {"mode": transport.mode, "connected": transport.connected},
        "installing": transport.app_url if control.worlds.grants.open and isinstance(transport, HttpEvents) else None,
        "deliveries": asdict(world.outbox.tally),
        "process": control.process.as_dict(),
        "faults": world.faults.as_dict(),
    }


def _person(user: User, team: Team) -> Json:
    shown: Json = {"id": user.id, "name": user.name, "title": user.title, "color": user.color, "team": team.id}
    return shown | ({"guest": True} if user.guest else {})


def _channel(channel: Channel) -> Json:
    shown: Json = {"id": channel.id, "name": channel.name, "kind": channel.kind, "members": channel.members}
    if channel.shared_with:
        shown["shared_with"] = channel.shared_with.name
    return (
        shown | ({"user": channel.user} if channel.user else {}) | ({"agent": channel.agent} if channel.agent else {})
    )


async def crm(asked: Asked) -> Json:
    """Every record, of the portal that is named where there are several."""
    control, portal = asked.control, asked.optional("portal")
    held = control.portals.crms.get(portal) if control.portals and portal else control.crm
    if held is None:
        raise Wrong(f"Il n'y a pas de portail « {portal} » ici.", status=404)
    return held.snapshot()


async def log(asked: Asked) -> Json:
    """Entries above `after`."""
    after = asked.optional("after") or "0"
    if not after.isdecimal():
        raise Wrong("« after » est un numéro d'entrée.")
    return {"entries": asked.world.log.after(int(after))}


async def process(asked: Asked) -> Json:
    """stop, start, restart or kill the bot."""
    await asked.control.process.act(asked.text("action"))
    return asked.control.process.as_dict()


async def faults(asked: Asked) -> Json:
    """Sets the switches that are named; an empty object clears all."""
    control, world = asked.control, asked.world
    if not asked.values:
        _clear_faults(control)
    try:
        for name, value in asked.values.items():
            if name == "hubspot":
                control.crm.set_faults(value)
            elif name == "opendata":
                control.open_data.set_faults(value)
            else:
                world.faults.set(name, value)
    except ValueError as error:
        raise Wrong(str(error)) from None
    world.log.add("fault", "pannes : " + (", ".join(asked.values) or "aucune"), detail=asked.values)
    await _drop_sockets(world)
    world.hub.publish("state")
    return {"faults": world.faults.as_dict()}


async def publish(asked: Asked) -> Json:
    """One more item in the pretend official feeds: `title`, `text`, and maybe `day` and `feeds`."""
    try:
        item = asked.control.open_data.publish(asked.values)
    except (ValueError, TypeError) as error:
        raise Wrong(f"publish : {error}") from None
    asked.world.log.add("opendata", f"publication : {item.title}", detail=asked.values)
    return {"slug": item.slug}


async def reset(asked: Asked) -> Json:
    """Everything back to the seed; the bot stays connected."""
    control = asked.control
    for world in control.worlds:
        world.reset()
    control.crm.reset()
    control.open_data.begin_anew()
    _clear_faults(control)
    control.world.log.clear()
    for topic in ("reset", "state", "messages", "views", "crm", "log"):
        control.world.hub.publish(topic)
    return {"ok": True}


def _clear_faults(control: Control) -> None:
    control.world.faults.clear()
    control.crm.set_faults(None)
    control.open_data.reset()


async def _drop_sockets(world: World) -> None:
    mode, world.faults.drop_sockets = world.faults.drop_sockets, ""
    transport = world.outbox.transport
    if mode and isinstance(transport, SocketMode):
        await transport.drop(mode)


_READS: tuple[Call, ...] = (state, crm, log, *calls.READS)
_WRITES: tuple[Call, ...] = (process, faults, publish, reset, *calls.WRITES, play)


def routes(control: Control) -> list[BaseRoute]:
    """To be mounted under /sandbox."""
    table = [*(("GET", call) for call in _READS), *(("POST", call) for call in _WRITES)]
    served = [Route(f"/{call.__name__}", partial(_serve, control, call), methods=[verb]) for verb, call in table]
    return [*served, Route("/stream", partial(_stream, control), methods=["GET"])]


async def _serve(control: Control, call: Call, request: Request) -> Response:
    try:
        _same_origin(request)
        return JSONResponse(await call(Asked(control, await _values(request))))
    except Wrong as wrong:
        return JSONResponse({"error": wrong.sentence}, wrong.status)


def _same_origin(request: Request) -> None:
    """Other web pages open in the same browser have no business here."""
    origin = request.headers.get("origin")
    if origin and urlsplit(origin).netloc != request.headers.get("host"):
        raise Wrong(f"Cette page ({origin}) n'est pas celle du bac à sable.", status=403)


async def _stream(control: Control, request: Request) -> Response:
    return StreamingResponse(
        control.world.hub.stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _values(request: Request) -> dict[str, Any]:
    if request.method == "GET":
        return dict(request.query_params)
    raw = await request.body()
    try:
        values = json.loads(raw or b"{}")
    except ValueError:
        raise Wrong("Le corps de la requête n'est pas du JSON.") from None
    if not isinstance(values, dict):
        raise Wrong("Le corps de la requête est un objet JSON.")
    return values
