"""/api/{method}: finds the method, checks the token, applies the faults, answers and logs."""

import asyncio
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.slack import agents, chat, conversations, files, oauth, pace, people, reactions, scopes, streams, views
from sandbox.slack.arguments import Args, client_of, read_args
from sandbox.slack.cut import CutConnection
from sandbox.slack.errors import SlackError
from sandbox.slack.socket_mode import SocketMode
from sandbox.slack.state import App, Json
from sandbox.slack.world import World
from sandbox.slack.worlds import Worlds

Method = Callable[[World, Args], Json]

# These accept the app-level token only, or no token at all; all others want the bot's.
APP_TOKEN = frozenset({"apps.connections.open"})
# Of several workspaces at once, some without any token.
OF_ALL: dict[str, Callable[[Worlds, Args], Json]] = {"oauth.v2.access": oauth.access, "apps.uninstall": oauth.uninstall}
_SHOWN_AT_MOST = 2_000
SECRETS = frozenset({"token", "client_secret", "refresh_token", "code"})


def open_connection(world: World, args: Args) -> Json:
    """apps.connections.open: a WebSocket address with a single-use ticket."""
    transport = world.outbox.transport
    if not isinstance(transport, SocketMode):
        raise SlackError("socket_mode_not_enabled")
    return {"url": f"ws{world.base_url.removeprefix('http')}/socket?ticket={transport.ticket()}"}


METHODS: dict[str, Method] = {
    "apps.connections.open": open_connection,
    **people.METHODS,
    **chat.METHODS,
    **streams.METHODS,
    **conversations.METHODS,
    **reactions.METHODS,
    **views.METHODS,
    **files.METHODS,
    **agents.METHODS,
}


async def serve(worlds: Worlds, request: Request) -> Response:
    """One Web API call, logged whatever comes of it."""
    method, started, world = request.path_params["method"], time.perf_counter(), worlds.first
    args, status, headers, cut = Args({}), 200, {}, False
    try:
        args = await read_args(request)
        await asyncio.sleep(world.faults.slow_api_ms / 1000)
        token = _token(args, request)
        if method in OF_ALL:
            answer = {"ok": True, **OF_ALL[method](worlds, Args({**args.values, **client_of(request), "token": token}))}
        else:
            world = worlds.of_token(token) if token else worlds.first
            answer = {"ok": True, **_call(world, method, args, token, own=worlds.grants.open)}
        cut = method in pace.PACED and world.faults.strike("post_then_drop")
    except SlackError as error:
        answer, status, headers = error.body(), error.status, error.headers
    world.log.add(
        "api",
        " ".join(word for word in (method, args.optional("channel")) if word),
        status="coupée" if cut else ("ok" if answer["ok"] else answer["error"]),
        ms=(time.perf_counter() - started) * 1000,
        detail={"request": _shortened(args), "response": _without_tokens(answer)},
    )
    if cut:
        return CutConnection()
    # Slack lists the scopes; SDKs only pass them on.
    granted = scopes.granted_in(world) or scopes.NEEDED.values()
    return JSONResponse(answer, status, {**headers, "X-OAuth-Scopes": ",".join(sorted(set(granted)))})


def _call(world: World, method: str, args: Args, token: str, *, own: bool) -> Json:
    """`own`: the token was looked up, and is this workspace's."""
    act = METHODS.get(method)
    if act is None or (world.faults.no_streams and method in streams.METHODS):
        raise SlackError("unknown_method")
    if not own or not token:
        _check_token(world.workspace.app, method, token)
    elif args.optional("team_id") not in ("", world.workspace.team.id):
        raise SlackError("team_access_not_granted")
    faults = world.faults
    if faults.auth_error:
        raise SlackError(faults.auth_error)
    scopes.check(world, method, args)
    if faults.limits(method):
        raise SlackError("ratelimited", status=429, headers={"Retry-After": str(faults.retry_after_s)})
    pace.check(world, method, args)
    if args.values.get("blocks") and faults.strike("invalid_blocks_once"):
        raise SlackError("invalid_blocks", messages=["invalid block (panne demandée) [json-pointer:/blocks/0]"])
    return act(world, args)


def _token(args: Args, request: Request) -> str:
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    return sent.strip() if scheme.lower() == "bearer" else args.optional("token")


def _check_token(app: App, method: str, token: str) -> None:
    """Raises `SlackError` not_authed, invalid_auth, not_allowed_token_type."""
    if not token:
        raise SlackError("not_authed")
    wanted, other = (app.app_token, app.bot_token) if method in APP_TOKEN else (app.bot_token, app.app_token)
    if token == other:
        raise SlackError("not_allowed_token_type")
    if token != wanted:
        raise SlackError("invalid_auth")


def _without_tokens(answer: Json) -> Json:
    return {name: "…" if name in ("access_token", "refresh_token") else value for name, value in answer.items()}


def _shortened(args: Args) -> Json:
    """What the log shows of a call; the token never, long texts only their beginning."""
    shown = {name: value for name, value in args.values.items() if name not in SECRETS}
    return {
        name: value[:_SHOWN_AT_MOST] + "…" if isinstance(value, str) and len(value) > _SHOWN_AT_MOST else value
        for name, value in shown.items()
    }
