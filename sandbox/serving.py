"""Runs the sandbox on uvicorn in the current event loop: for `python -m sandbox`, and for tests."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import uvicorn

from sandbox.app import Sandbox, build
from sandbox.options import Options
from sandbox.slack import chat
from sandbox.slack.http_events import HttpEvents
from sandbox.slack.world import World

SCHEDULE_EVERY_S = 0.5


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises OSError when the port is taken."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def free_port() -> int:
    """A port that was free a moment ago."""
    with bind("127.0.0.1", 0) as probe:
        return int(probe.getsockname()[1])


class _Server(uvicorn.Server):
    """Says when it is up, and leaves signals to its caller: the bot has to be stopped first."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def serving(options: Options, *, listener: socket.socket | None = None) -> AsyncIterator[Sandbox]:
    """The sandbox answers inside the block; the bot's process is the caller's to start, and is stopped at the end."""
    listener = listener or bind(options.host, 0)
    options = replace(options, port=listener.getsockname()[1])
    if options.http and not options.events_port:
        options = replace(options, events_port=free_port())
    sandbox = build(options)
    config = uvicorn.Config(
        sandbox.app, log_config=None, log_level="warning", access_log=False, lifespan="off", timeout_graceful_shutdown=2
    )
    server = _Server(config)
    tasks = [asyncio.create_task(_scheduled(sandbox.world))]
    transport = sandbox.world.outbox.transport
    if isinstance(transport, HttpEvents):
        tasks.append(asyncio.create_task(transport.run()))
    served = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await _until_up(server, served)
        yield sandbox
    finally:
        await sandbox.process.stop()
        sandbox.world.outbox.forget()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        sandbox.world.hub.close()
        server.should_exit = True
        try:
            await served
        finally:
            listener.close()


async def _until_up(server: _Server, served: "asyncio.Task[None]") -> None:
    """Raises what ended the server, if it ended instead."""
    up = asyncio.create_task(server.up.wait())
    await asyncio.wait({up, served}, return_when=asyncio.FIRST_COMPLETED)
    up.cancel()
    if served.done():
        await served


async def _scheduled(world: World) -> None:
    while True:
        chat.post_due(world)
        await asyncio.sleep(SCHEDULE_EVERY_S)
