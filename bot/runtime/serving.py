"""An ASGI application on one port, within this process and its signals; a client that stops reading is let go."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from bot.errors import WrongSetting

UNREAD_SECONDS: Final = 30.0
"""So long what we sent may stay unread; then the kernel ends the connection, whatever stands in its buffers."""
MOST_CONNECTIONS: Final = 256
STOP_SECONDS: Final = 5


class _Within(uvicorn.Server):
    """Signals stay the process's own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp, *, host: str, port: int, setting: str) -> AsyncIterator[uvicorn.Server]:
    """Raises `WrongSetting`, which names the setting, for an address that cannot be taken."""
    listening = _listening(host, port, setting)
    server = _Within(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
    )
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield server
    finally:
        server.should_exit = True
        await running
        listening.close()


def _listening(host: str, port: int, setting: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        said = "choisissez un autre port" if "in use" in str(error).lower() else str(error.strerror or error)
        raise WrongSetting(f"{setting} : impossible d'écouter sur {host}:{port} ({said}).") from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections have it from here
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_SECONDS * 1000))
    return listening
