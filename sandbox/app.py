"""Puts the sandbox together: one Starlette app with Slack, HubSpot, open data, the JSON API and the page."""

import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from sandbox import control, hubspot, opendata, seed, vectors
from sandbox.asked import Control
from sandbox.faults import Faults
from sandbox.hub import Hub
from sandbox.log import Log
from sandbox.options import Options, environment, inherited, secret_values
from sandbox.process import BotProcess
from sandbox.request_log import Logged
from sandbox.slack import files, oauth, response_url, web_api
from sandbox.slack.delivery import Outbox
from sandbox.slack.grants import Grants
from sandbox.slack.http_events import HttpEvents
from sandbox.slack.scopes import scopes_in
from sandbox.slack.shortcuts import shortcuts_in
from sandbox.slack.socket_mode import SocketMode
from sandbox.slack.world import World
from sandbox.slack.worlds import Worlds, holds_answer, holds_file

PAGE = Path(__file__).parent / "page"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The parts, and the app that serves them."""

    options: Options
    world: World
    crm: hubspot.Crm
    process: BotProcess
    parts: Control
    app: Starlette


def build(options: Options) -> Sandbox:
    """Must be called on the event loop that will serve the app; starts nothing."""
    hub, crm, open_data = Hub(), hubspot.Crm(), opendata.OpenData()
    given = environment(options, crm_token=crm.token)
    log = Log(published=hub.publish, secrets=secret_values({**os.environ, **given}))
    faults = Faults(retry_delays=list(options.retry_delays), usual_delays=options.retry_delays)
    workspace = seed.workspace(options.rooms)
    changed = partial(hub.publish, "state")
    transport: SocketMode | HttpEvents = SocketMode(app_id=workspace.app.id, changed=changed)
    if options.http:
        url = f"http://127.0.0.1:{options.events_port}/slack/events"
        transport = HttpEvents(url=url, app=workspace.app, changed=changed)
    outbox = Outbox(transport, faults=faults, log=log)
    url = options.base_url
    scopes = scopes_in(options.manifest) if options.manifest else None
    world = World(
        workspace, outbox=outbox, hub=hub, log=log, faults=faults, base_url=url, rooms=options.rooms, scopes=scopes
    )
    world.shortcuts = shortcuts_in(options.manifest) if options.manifest else ()
    worlds = _worlds(world, options)
    portals = _portals(crm) if options.oauth else None
    process = BotProcess(
        command=options.command,
        environment={**inherited(options), **given},
        log=log,
        hub=hub,
        ready=transport.ready,
        lost=transport.lost if isinstance(transport, HttpEvents) else lambda: None,
    )
    parts = Control(worlds=worlds, crm=crm, portals=portals, open_data=open_data, process=process)
    return Sandbox(options, world, crm, process, parts, _starlette(parts))


def _worlds(world: World, options: Options) -> Worlds:
    """The firm's workspace alone; where workspaces install the app by themselves, another one beside it."""
    if not options.oauth:
        return Worlds(world)
    worlds = Worlds(world, (replace(world, workspace=seed.second(), seeded=seed.second),), Grants(open=True))
    for each in worlds:
        each.installed, each.holds = False, partial(worlds.holds, each.workspace.team.id)
    return worlds


def _hubspot(parts: Control) -> list[BaseRoute]:
    return hubspot.routes(parts.crm, parts.world.hub.publish, portals=parts.portals)


def _portals(crm: hubspot.Crm) -> hubspot.Portals:
    return hubspot.Portals({str(hubspot.PORTAL_ID): crm, hubspot.OTHER_PORTAL: hubspot.other_firm()})


def _starlette(parts: Control) -> Starlette:
    worlds, world = parts.worlds, parts.world
    routes: list[BaseRoute] = [
        Route("/api/{method:path}", partial(web_api.serve, worlds), methods=["GET", "POST"]),
        Route("/oauth/v2/authorize", partial(oauth.authorize, worlds), methods=["GET", "POST"]),
        Route("/response/{key}", worlds.where(response_url.serve, holds_answer), methods=["POST"]),
        Route("/files/upload/{file_id}", worlds.where(files.receive, holds_file), methods=["POST"]),
        Route("/files-pri/{key}/{name:path}", worlds.where(files.download, holds_file), methods=["GET"]),
        Route("/files/{user}/{file_id}/{name:path}", worlds.where(files.show, holds_file), methods=["GET"]),
        Mount(
            "/hubspot",
            Logged(
                "hubspot",
                world.log,
                Starlette(routes=hubspot.routes(parts.crm, world.hub.publish, portals=parts.portals)),
            ),
        ),
        *(
            Mount(prefix, Logged("opendata", world.log, Starlette(routes=list(routes))))
            for prefix, routes in opendata.mounts(parts.open_data).items()
        ),
        Mount("/vecteurs", routes=vectors.routes()),
        Mount("/sandbox", routes=control.routes(parts)),
        Route("/archives/{path:path}", _index, methods=["GET"]),
        Route("/", _index, methods=["GET"]),
        Mount("/static", StaticFiles(directory=PAGE, check_dir=False)),
    ]
    if isinstance(world.outbox.transport, SocketMode):
        routes.insert(0, WebSocketRoute("/socket", world.outbox.transport.endpoint))
    return Starlette(routes=routes)


async def _index(request: Request) -> Response:
    index = PAGE / "index.html"
    if not index.exists():
        return PlainTextResponse("La page du bac à sable manque (sandbox/page/index.html).", 503)
    return FileResponse(index, headers={"Cache-Control": "no-store"})
