"""/response/{key}: answering an interaction without a token, 5 times within 30 minutes."""

import json
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from sandbox.slack import posting
from sandbox.slack.arguments import Args
from sandbox.slack.chat import bot_message, content
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, ResponseUrl
from sandbox.slack.world import World

MAX_USES = 5


async def serve(world: World, request: Request) -> Response:
    """Slack answers the bare text `ok`, or 404 with an error's word."""
    started = time.perf_counter()
    try:
        target = _target(world, request.path_params["key"])
        answer(world, target, _body(await request.body()))
        status = "ok"
    except SlackError as error:
        status = error.error
        world.log.add("api", "response_url", status=status, detail=error.body())
        return JSONResponse(error.body(), error.status)
    world.log.add("api", "response_url", status=status, ms=(time.perf_counter() - started) * 1000)
    return PlainTextResponse("ok")


def answer(world: World, target: ResponseUrl, body: dict[str, Any]) -> None:
    """Replaces, deletes, or posts; ephemeral unless `response_type` is in_channel. Raises `SlackError`."""
    channel = world.channel(target.channel)
    args = Args(body)
    original = channel.messages.get(target.message_ts or "")
    if args.flag("delete_original"):
        if original is None:
            raise SlackError("message_not_found", status=404)
        posting.remove(world, channel, original["ts"])
    elif args.flag("replace_original") and original is not None:
        _replace(world, channel, original["ts"], args)
    else:
        thread_ts = args.optional("thread_ts") or None
        if body.get("response_type") == "in_channel":
            posting.post(world, channel, bot_message(world, args), thread_ts=thread_ts)
        else:
            thread_ts = thread_ts or target.thread_ts
            posting.post_ephemeral(world, channel, target.user, bot_message(world, args), thread_ts=thread_ts)


def _replace(world: World, channel: Channel, ts: str, args: Args) -> None:
    fields = {name: value for name, value in content(args).items() if value}
    if not fields:
        raise SlackError("no_text", status=400)
    # Unlike chat.update, a replacement is whole: blocks that are not sent are gone.
    posting.change(world, channel, ts, **{"text": "", "blocks": None, **fields})


def _target(world: World, key: str) -> ResponseUrl:
    target = world.workspace.response_urls.get(key)
    if target is None or time.monotonic() > target.expires:
        raise SlackError("expired_url", status=404)
    if target.uses >= MAX_USES:
        raise SlackError("used_url", status=404)
    target.uses += 1
    return target


def _body(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except ValueError:
        raise SlackError("invalid_payload", status=400) from None
    if not isinstance(body, dict):
        raise SlackError("invalid_payload", status=400)
    return body
