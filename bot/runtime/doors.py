"""The ports that others than Slack come to: supervisors on one, programs on another, or both on one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.runtime.health import Health, Scrape, health_routes, told_on

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

STARTING: Final = "QuartierScope démarre : réessayez dans quelques secondes."


@dataclass(slots=True)
class ForPrograms:
    """What programs are served with, once it is there; until then they are told to come back."""

    app: "ASGIApp | None" = None

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        from bot.api.problems import Problem

        app = self.app or Problem(503, STARTING, retry_after=5).response()
        await app(scope, receive, send)


@asynccontextmanager
async def doors_on(
    health: Health, *, host: str, health_port: int | None, api_port: int | None, scrape: Scrape | None = None
) -> AsyncIterator[ForPrograms]:
    """Neither without a port; where both have the same, one server tells all, else programs are not told the metrics.
    Raises `WrongSetting` for a port that cannot be taken."""
    programs, shared = ForPrograms(), health_port == api_port
    async with told_on(health, host=host, port=None if shared else health_port, scrape=scrape):
        if api_port is None:
            yield programs
            return
        from starlette.applications import Starlette  # a fifth of a second, with the server, that only its users pay
        from starlette.routing import Mount

        from bot.runtime.serving import serving

        app = Starlette(routes=[*health_routes(health, scrape if shared else None), Mount("/", app=programs)])
        async with serving(app, host=host, port=api_port, setting="API_PORT"):
            yield programs
