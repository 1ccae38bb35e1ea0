"""The application: `/v1/ask`, its document, and `/mcp`, for those with a key."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from bot.api.access import Guarded, Patient, Rates
from bot.api.asking import Asking
from bot.api.mcp_http import mcp_app
from bot.api.openapi import document
from bot.api.parts import Api
from bot.api.problems import Problem, on_error, problem_of
from bot.api.reading import read
from bot.api.streaming import Events
from bot.errors import reference_of
from bot.store import answers

VERSION: Final = "1.0.0"
STREAM: Final = "text/event-stream"


@asynccontextmanager
async def api_app(api: Api, *, per_minute: int, more: Sequence[Route] = ()) -> AsyncIterator[ASGIApp]:
    """The application, while the block lasts; at its end answers under way are waited for. `more`: routes that need no
    key."""
    asking, rates = Asking(api), Rates(per_minute)
    await api.database.write(answers.give_up_programs)

    guarded = partial(Guarded, database=api.database, rates=rates)
    async with mcp_app(asking) as mcp:
        routes = [
            *more,
            Route("/v1/ask", guarded(_Ask(asking)), methods=["POST"]),
            Route("/v1/openapi.json", _document),
            Route("/mcp", guarded(mcp, said=Problem.rpc_response), methods=["POST"]),
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: on_error, Exception: on_error})
        try:
            yield Patient(app)
        finally:
            await asking.aclose()


class _Ask:
    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        request = Request(scope, receive)
        try:
            response = await self._response(request)
        except Problem as problem:
            response = problem.response()
        await response(scope, receive, send)

    async def _response(self, request: Request) -> ASGIApp:
        under_way = await self._asking.begin(request.state.key, read(await request.body()))
        if STREAM in request.headers.get("accept", ""):
            return Events(self._asking, under_way)
        await asyncio.wait({under_way.task})
        if await request.is_disconnected():
            await self._asking.left(under_way)
        if error := under_way.task.exception():
            reference = reference_of(under_way.message.answer_id)
            return problem_of(error, where="/v1/ask", reference=reference).response()
        return JSONResponse(under_way.task.result())


async def _document(_request: Request) -> Response:
    return JSONResponse(document(VERSION))
