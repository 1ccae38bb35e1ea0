"""The sandbox on a free port, with what a person, a script and a Bolt app need to talk to it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import httpx
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from sandbox.app import Sandbox
from sandbox.options import Options
from sandbox.serving import serving
from sandbox.slack import acts

CAMILLE, HUGO, INES = "U0CAMILLE", "U0HUGO", "U0INES"
MARCHE, PRIVATE, DIRECT = "C0MARCHE", "C0PRIVE", "D0CAMILLE"
BOT = "<@U0QUARTIER>"
QUICK = (0.02, 0.02, 0.02)
PATIENCE_S = 60.0

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rig:
    """One running sandbox: its parts, its JSON API, and Slack's own client with the bot's token."""

    sandbox: Sandbox
    http: httpx.AsyncClient
    slack: AsyncWebClient

    async def post(self, path: str, **body: Any) -> Json:
        """POST /sandbox/{path}, expected to succeed."""
        response = await self.http.post(f"/sandbox/{path}", json=body)
        assert response.status_code == 200, response.text
        answer: Json = response.json()
        return answer

    async def get(self, path: str, **query: str) -> Json:
        """GET /sandbox/{path}, expected to succeed."""
        response = await self.http.get(f"/sandbox/{path}", params=query)
        assert response.status_code == 200, response.text
        answer: Json = response.json()
        return answer

    def chat(self, count: int, *, thread_ts: str) -> None:
        """So many replies of Camille's in a thread, said without a request each."""
        workspace = self.sandbox.world.workspace
        for number in range(count):
            acts.say(
                self.sandbox.world,
                workspace.users[CAMILLE],
                workspace.channels[MARCHE],
                f"réponse {number}",
                thread_ts=thread_ts,
            )

    async def say(self, text: str, *, user: str = CAMILLE, channel: str = MARCHE, **more: Any) -> str:
        """A person's message; returns its ts."""
        return str((await self.post("say", user=user, channel=channel, text=text, **more))["ts"])

    async def texts(self, channel: str = MARCHE, **query: str) -> list[str]:
        """What can be read there."""
        return [m["text"] for m in (await self.get("messages", channel=channel, **query))["messages"]]

    async def replies(self, ts: str, count: int) -> list[str]:
        """The replies of a thread once there are `count`."""
        await until(lambda: len(self.sandbox.world.workspace.channels[MARCHE].thread(ts)) >= count)
        return (await self.texts(thread_ts=ts))[1:]

    def logged(self, kind: str) -> list[tuple[str, str]]:
        """Summary and status of the log's entries of one kind."""
        return [(e["summary"], e["status"]) for e in self.sandbox.world.log.after(0) if e["kind"] == kind]


@contextlib.asynccontextmanager
async def rigged(**options: Any) -> AsyncIterator[Rig]:
    """A sandbox without a child of its own."""
    given = {"command": (), "retry_delays": QUICK, **options}
    async with serving(Options(**given)) as sandbox:
        url = sandbox.options.base_url
        slack = AsyncWebClient(token=sandbox.world.workspace.app.bot_token, base_url=f"{url}/api/")
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE_S) as http:
            yield Rig(sandbox, http, slack)


def bolt_app(rig: Rig) -> AsyncApp:
    """A Bolt app as its documentation writes one, but for the address of the API."""
    secret = rig.sandbox.world.workspace.app.signing_secret
    client = AsyncWebClient(token=rig.slack.token, base_url=rig.slack.base_url)
    return AsyncApp(client=client, signing_secret=secret)


@contextlib.asynccontextmanager
async def in_socket_mode(rig: Rig, app: AsyncApp) -> AsyncIterator[None]:
    """The app is connected inside the block."""
    handler = AsyncSocketModeHandler(app, rig.sandbox.world.workspace.app.app_token)
    await handler.connect_async()  # type: ignore[no-untyped-call]
    await until(lambda: rig.sandbox.world.outbox.transport.connected)
    try:
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


@contextlib.asynccontextmanager
async def over_http(rig: Rig, app: AsyncApp) -> AsyncIterator[None]:
    """The app serves signed events inside the block, at the address that the sandbox expects."""
    server = app.server(port=rig.sandbox.options.events_port, host="127.0.0.1")
    runner = aiohttp.web.AppRunner(server.web_app)
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "127.0.0.1", rig.sandbox.options.events_port).start()
    await until(lambda: rig.sandbox.world.outbox.transport.connected)
    try:
        yield
    finally:
        await runner.cleanup()


class Listener:
    """A bare Socket Mode client that acks what it is told to ack."""

    def __init__(self) -> None:
        self.heard: list[SocketModeRequest] = []
        self.ignored = 0  # how many envelopes to leave without an ack

    async def take(self, client: Any, request: SocketModeRequest) -> None:
        self.heard.append(request)
        if self.ignored > 0:
            self.ignored -= 1
            return
        await client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))

    def attempts(self) -> list[tuple[int | None, str | None]]:
        return [(request.retry_attempt, request.retry_reason or "") for request in self.heard]


@contextlib.asynccontextmanager
async def listening(rig: Rig, listener: Listener) -> AsyncIterator[SocketModeClient]:
    """slack_sdk's own client, connected inside the block."""
    app = rig.sandbox.world.workspace.app
    web = AsyncWebClient(token=app.bot_token, base_url=rig.slack.base_url)
    client = SocketModeClient(app_token=app.app_token, web_client=web)
    client.socket_mode_request_listeners.append(listener.take)
    await client.connect()  # type: ignore[no-untyped-call]
    try:
        yield client
    finally:
        await client.close()  # type: ignore[no-untyped-call]


async def until(true: Callable[[], object]) -> None:
    """Waits for something that happens elsewhere; fails after a minute."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110  (what is awaited may live in another process)
            await asyncio.sleep(0.01)
