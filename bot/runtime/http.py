"""Slack's signed HTTP events on HOST:PORT. What is no request of Slack's gets a 4xx before Bolt reads it."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import parse_qs

import structlog
from aiohttp import web
from slack_bolt.async_app import AsyncApp

from bot.errors import WrongSetting

log = structlog.get_logger()

PATH: Final = "/slack/events"
_SECONDS: Final = re.compile(r"\d{1,12}")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class _Malformed(ValueError):
    """Why, in one word for the log."""


@asynccontextmanager
async def listening(app: AsyncApp, *, host: str, port: int, more: Sequence[web.RouteDef] = ()) -> AsyncIterator[None]:
    """`more`: what else is served there. Raises `WrongSetting` for an address that cannot be taken."""
    served = app.web_app(path=PATH)
    served.middlewares.append(well_formed)
    served.add_routes(more)
    runner = web.AppRunner(served)
    await runner.setup()
    try:
        await web.TCPSite(runner, host=host, port=port).start()
    except OSError as error:
        await runner.cleanup()
        said = "le port est déjà pris" if "in use" in str(error).lower() else str(error.strerror or error)
        raise WrongSetting(f"HOST, PORT : impossible d'écouter sur {host}:{port} ({said}).") from error
    try:
        yield
    finally:
        await runner.cleanup()


@web.middleware
async def well_formed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Bolt checks the signature; here stands what it would fall over: its 500 makes Slack send the same again."""
    if request.path != PATH or request.method != "POST":
        return await handler(request)
    try:
        if not _SECONDS.fullmatch(request.headers.get("X-Slack-Request-Timestamp", "0")):
            raise _Malformed("timestamp")
        _check(_body(await request.text(), request.content_type))
    except (_Malformed, UnicodeDecodeError, RecursionError) as error:
        log.warning("malformed_request", reason=str(error) if isinstance(error, _Malformed) else "text")
        return web.json_response({"error": "bad_request"}, status=400)
    return await handler(request)


def _body(text: str, content_type: str) -> dict[str, Any]:
    """The JSON of an event, or that in the form of a click; a command's form is its fields."""
    try:
        if content_type == "application/json":
            said = json.loads(text)
        else:
            form = parse_qs(text, keep_blank_values=True, max_num_fields=200)
            said = json.loads(form["payload"][0]) if "payload" in form else {name: v[0] for name, v in form.items()}
    except ValueError as error:
        raise _Malformed("body") from error
    if not isinstance(said, dict):
        raise _Malformed("body")
    return said


def _check(body: dict[str, Any]) -> None:
    """The parts that routing looks into have the shape that Slack documents."""
    for name in ("event", "view", "user", "team", "channel", "container", "message"):
        if name in body and body[name] is not None and not isinstance(body[name], dict | str):
            raise _Malformed(name)
    actions = body.get("actions", [])
    if not isinstance(actions, list) or not all(
        isinstance(one, dict) and isinstance(one.get("action_id"), str) for one in actions
    ):
        raise _Malformed("actions")
    if body.get("type") == "block_actions" and not actions:
        raise _Malformed("actions")
