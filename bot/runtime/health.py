"""What a balancer or a supervisor asks: /healthz, whether the process lives; /readyz, whether it can do its work."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bot.errors import StoreUnavailable
from corpus.errors import CorpusError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

SECONDS: Final = 1.5
"""A part that has not answered by then is not ready."""
FRESH: Final = 2.0
"""Seconds for which an answer stands: probes of several balancers cost one look."""
Check = Callable[[], Awaitable[bool]]


@dataclass(slots=True)
class Health:
    """`parts`: what has to answer, by name; filled while the process starts. Not ready before `started`."""

    parts: dict[str, Check] = field(default_factory=dict)
    started: bool = False
    _seen: tuple[float, dict[str, bool]] = (0.0, {})

    async def look(self) -> Mapping[str, bool]:
        """Each part and whether it is ready."""
        at, found = self._seen
        if not self.started or time.monotonic() - at > FRESH:
            told = await asyncio.gather(*map(_answers, self.parts.values()))
            found = {"start": self.started, **dict(zip(self.parts, told, strict=True))}
            self._seen = (time.monotonic(), found)
        return found


async def _answers(check: Check) -> bool:
    try:
        async with asyncio.timeout(SECONDS):
            return await check()
    except (StoreUnavailable, CorpusError, TimeoutError, OSError):
        return False


def health_routes(health: Health) -> "list[Route]":
    """The two addresses, for whichever server tells them."""
    from starlette.responses import JSONResponse  # a fifth of a second, with the server, that only its users pay
    from starlette.routing import Route

    async def healthz(_request: "Request") -> "JSONResponse":
        return JSONResponse({"status": "ok"})

    async def readyz(_request: "Request") -> "JSONResponse":
        parts = dict(await health.look())
        ready = all(parts.values())
        return JSONResponse({"ready": ready, "parts": parts}, status_code=200 if ready else 503)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]


@asynccontextmanager
async def told_on(health: Health, *, host: str, port: int | None) -> AsyncIterator[None]:
    """Nothing without a port. Raises `WrongSetting` for one that cannot be taken."""
    if port is None:
        yield
        return
    from starlette.applications import Starlette

    from bot.runtime.serving import serving

    async with serving(Starlette(routes=health_routes(health)), host=host, port=port, setting="HEALTH_PORT"):
        yield
