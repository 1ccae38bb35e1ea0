"""Cutting a connection in the middle, as networks do: ASGI has no word for it, the server's transport has."""

import asyncio

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


def abort(receive: Receive) -> bool:
    """Aborts the TCP connection behind uvicorn's `receive`; False where another server hides its transport."""
    transport = getattr(getattr(receive, "__self__", None), "transport", None)
    if not isinstance(transport, asyncio.Transport):
        return False
    transport.abort()
    return True


class CutConnection(Response):
    """No status line, no body: the client sees `ServerDisconnected` after the work was done."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not abort(receive):
            raise RuntimeError("the sandbox must run on uvicorn to cut connections")
        while (await receive())["type"] != "http.disconnect":
            pass
