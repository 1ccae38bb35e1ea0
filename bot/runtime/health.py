"""What a balancer or a supervisor asks: /healthz, whether the process lives; /readyz, whether it can do its work."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from bot.errors import StoreUnavailable, WrongSetting
from corpus.errors import CorpusError

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


@asynccontextmanager
async def told_on(health: Health, *, host: str, port: int | None) -> AsyncIterator[None]:
    """Nothing without a port. Raises `WrongSetting` for one that cannot be taken."""
    if port is None:
        yield
        return

    async def healthz(_request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def readyz(_request: web.Request) -> web.Response:
        parts = dict(await health.look())
        ready = all(parts.values())
        return web.json_response({"ready": ready, "parts": parts}, status=200 if ready else 503)

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host=host, port=port).start()
    except OSError as error:
        await runner.cleanup()
        raise WrongSetting(
            f"HEALTH_PORT : impossible d'écouter sur {host}:{port}, choisissez un autre port."
        ) from error
    try:
        yield
    finally:
        await runner.cleanup()
