"""The MCP server over streamable HTTP: each call stands alone, with its own key; there is no session to take over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import ASGIApp

from bot.api.access import MOST_BYTES
from bot.api.asking import Asking
from bot.api.mcp_server import Context, mcp_server
from bot.store.keys import Key


@asynccontextmanager
async def mcp_app(asking: Asking) -> AsyncIterator[ASGIApp]:
    """To be guarded: whoever reaches it has a key in the request's state."""
    manager = StreamableHTTPSessionManager(
        mcp_server(asking, _holder), stateless=True, max_request_body_size=MOST_BYTES
    )
    started, over = asyncio.Event(), asyncio.Event()

    async def hold() -> None:  # a task group ends in the task that it began in, which the block's end may not be
        async with manager.run():
            started.set()
            await over.wait()

    holding = asyncio.create_task(hold())
    await started.wait()
    try:
        yield manager.handle_request
    finally:
        over.set()
        await holding


def _holder(context: Context) -> Key:
    assert isinstance(context.request, Request)
    key: Key = context.request.state.key
    return key
