"""Serves an ASGI application on a free port of this machine, for tests that need the wire itself."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

STOP_SECONDS = 60.0


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """The base address, without a slash at its end, while the application runs in a thread."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(STOP_SECONDS)
        listening.close()
        assert not thread.is_alive(), "the server still answers: what it left open would fail another test"
