"""python -m bot serve: other programs' way in, alone in a process; python -m bot mcp: the same tools over stdio."""

import argparse
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from mcp.server.stdio import stdio_server

from bot.api.app import api_app
from bot.api.asking import Asking
from bot.api.mcp_server import mcp_server
from bot.api.parts import Api
from bot.commands.keys import HERE
from bot.errors import BotError
from bot.rights import DealReaders
from bot.runtime.doors import ForPrograms
from bot.runtime.health import Health
from bot.runtime.processes import api_of, checks_of, until_stopped
from bot.settings import Settings
from bot.store import keys
from bot.store.keys import Key
from bot.store.opening import open_database
from bot.wiring import build_deps, build_services
from bot.wiring_models import budgets_of
from bot.wiring_telemetry import Told, open_telemetry
from pipeline.metering.telemetry import Telemetry

NO_PORT: Final = "Donnez un port : --port 8090, ou API_PORT."
AT_HAND: Final = Key("stdio", HERE, "stdio")
"""Whoever starts a process here without naming a key: public knowledge, and no deals."""


async def serve(options: argparse.Namespace, settings: Settings) -> int:
    """Until SIGTERM. Raises `BotError` without a port."""
    port = options.port or settings.api_port
    if port is None or not 1 <= port <= 65_535:
        raise BotError(NO_PORT)
    settings = settings.model_copy(update={"api_port": port, "host": options.host or settings.host})
    health = Health()

    async def start(stack: AsyncExitStack, programs: ForPrograms, told: Told) -> None:
        api = await stack.enter_async_context(opened(settings, told.telemetry))
        if told.scrape is not None:
            told.scrape.database = api.database
        health.parts |= checks_of(api.database, api.deps)
        programs.app = await stack.enter_async_context(api_app(api, per_minute=settings.api_per_minute))
        health.started = True

    return await until_stopped(settings, health, start)


async def stdio(options: argparse.Namespace, settings: Settings) -> int:
    """Until stdin ends. Raises `BotError` for a key that is not in use."""
    async with open_telemetry(settings) as told, opened(settings, told.telemetry) as api:
        key = AT_HAND
        if options.name:
            found = await api.database.read(lambda c: keys.of_name(c, options.name))
            if found is None:
                raise BotError(f"Aucune clé en service ne s'appelle « {options.name} ».")
            key = found
        asking = Asking(api)
        server = mcp_server(asking, lambda _context: key)
        try:
            async with stdio_server() as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await asking.aclose()
    return 0


@asynccontextmanager
async def opened(settings: Settings, telemetry: Telemetry) -> AsyncIterator[Api]:
    """With Slack where its token is set, so that proposals can be shown."""
    if settings.slack_bot_token is not None or settings.any_workspace:
        async with build_services(settings, telemetry=telemetry) as services:
            yield api_of(services)
        return
    database = open_database(settings.database_url, settings.text_keys)
    try:
        async with build_deps(settings, telemetry=telemetry) as deps:
            yield Api(database, deps, budgets_of(settings), DealReaders(settings.deal_readers))
    finally:
        database.close()
