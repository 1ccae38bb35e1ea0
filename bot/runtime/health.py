"""What a balancer or a supervisor asks: /healthz, whether the process lives; /readyz, whether it can do its work; and
Prometheus: /metrics."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from bot.errors import StoreUnavailable
from corpus.errors import CorpusError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

SECONDS: Final = 1.5
"""A part that has not answered by then is not ready."""
FRESH: Final = 2.0
"""Seconds for which an answer stands: probes of several balancers cost one look."""
METRICS_TYPE: Final = "text/plain; version=1.0.0; charset=utf-8"
Check = Callable[[], Awaitable[bool]]


class Scrape(Protocol):
    """What Prometheus is told."""

    async def exposed(self) -> bytes: ...


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


def health_routes(health: Health, scrape: Scrape | None = None) -> "list[Route]":
    """The addresses, for whichever server tells them; `/metrics` where there is something to scrape."""
    # A fifth of a second, with the server, that only its users pay.
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def healthz(_request: "Request") -> "JSONResponse":
        return JSONResponse({"status": "ok"})

    async def readyz(_request: "Request") -> "JSONResponse":
        parts = dict(await health.look())
        ready = all(parts.values())
        return JSONResponse({"ready": ready, "parts": parts}, status_code=200 if ready else 503)

    async def metrics(_request: "Request") -> "Response":
        return Response(await scrape.exposed() if scrape else b"", headers={"Content-Type": METRICS_TYPE})

    told = [Route("/healthz", healthz), Route("/readyz", readyz)]
    return [*told, Route("/metrics", metrics)] if scrape is not None else told


@asynccontextmanager
async def told_on(health: Health, *, host: str, port: int | None, scrape: Scrape | None = None) -> AsyncIterator[None]:
    """Nothing without a port. Raises `WrongSetting` for one that cannot be taken."""
    if port is None:
        yield
        return
    from starlette.applications import Starlette

    from bot.runtime.serving import serving

    app = Starlette(routes=health_routes(health, scrape))
    async with serving(app, host=host, port=port, setting="HEALTH_PORT"):
        yield
