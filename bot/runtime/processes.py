"""The long-running processes: run (all in one), web, worker, clock; each stops cleanly on SIGTERM."""

import argparse
import asyncio
import contextlib
import fcntl
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.api.parts import Api
from bot.engine import Engine, Letters
from bot.errors import WrongSetting
from bot.jobs import Services, jobs_of
from bot.runtime.app import build_app
from bot.runtime.clock import keep_time
from bot.runtime.doors import ForPrograms, doors_on
from bot.runtime.health import Check, Health
from bot.runtime.http import listening
from bot.runtime.tokens import check_tokens
from bot.runtime.warming import warm
from bot.settings import Settings
from bot.store.database import Database, alive
from bot.store.migrations import migrate_database
from bot.wiring import build_services, parts_of
from bot.wiring_telemetry import Told, open_telemetry
from corpus.types import SHARED_TENANT, is_built_in
from pipeline.ports import Deps

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

log = structlog.get_logger()

TURN_SECONDS = 0.001
"""How long a thread that computes an answer keeps others from acks and commits; Python's own 0.005 makes each of their
many short steps wait as long."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a process does: jobs, Slack, the clock."""

    consume: bool
    listen: bool
    tick: bool


async def run(_options: argparse.Namespace, settings: Settings) -> int:
    """Slack, jobs and clock in one process: all that SQLite needs, and enough for one firm."""
    return await _serve(settings, consume=True, listen=True, tick=True)


async def web(_options: argparse.Namespace, settings: Settings) -> int:
    return await _serve(settings, consume=False, listen=True, tick=False)


async def worker(_options: argparse.Namespace, settings: Settings) -> int:
    return await _serve(settings, consume=True, listen=False, tick=False)


async def clock(_options: argparse.Namespace, settings: Settings) -> int:
    return await _serve(settings, consume=False, listen=False, tick=True)


async def migrate(_options: argparse.Namespace, settings: Settings) -> int:
    migrate_database(settings.database_url)
    return 0


async def _serve(settings: Settings, *, consume: bool, listen: bool, tick: bool) -> int:
    settings.require_slack()
    health = Health()

    async def start(stack: AsyncExitStack, programs: ForPrograms, told: Told) -> None:
        parts = _Parts(consume=consume, listen=listen, tick=tick)
        await _start(stack, settings, health, programs, told, parts)

    return await until_stopped(settings, health, start, for_programs=listen)


async def until_stopped(
    settings: Settings,
    health: Health,
    start: Callable[[AsyncExitStack, ForPrograms, Told], Coroutine[None, None, None]],
    *,
    for_programs: bool = True,
) -> int:
    """What `start` leaves on the stack runs until SIGTERM or SIGINT, with the ports that others than Slack come to."""
    sys.setswitchinterval(TURN_SECONDS)
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with (
        open_telemetry(settings, health) as told,
        doors_on(
            health,
            host=settings.host,
            health_port=settings.health_port,
            api_port=settings.api_port if for_programs else None,
            scrape=told.scrape,
        ) as programs,
        AsyncExitStack() as stack,
    ):
        starting = asyncio.create_task(start(stack, programs, told))
        stopping = asyncio.create_task(stopped.wait())
        # A start may last as long as Slack is away: it must not be deaf to SIGTERM meanwhile.
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            await starting
            await stopping
        else:
            starting.cancel()
            await asyncio.wait({starting})
        log.info("stopping")
    return 0


async def _start(
    stack: AsyncExitStack, settings: Settings, health: Health, programs: ForPrograms, told: Told, parts: _Parts
) -> None:
    consume, listen, tick = parts.consume, parts.listen, parts.tick
    if consume and settings.database_url.startswith("sqlite"):
        stack.enter_context(_only_worker(settings))
    migrate_database(settings.database_url)
    services = await stack.enter_async_context(build_services(settings, telemetry=told.telemetry))
    health.parts |= checks_of(services.database, services.deps)
    app_token = settings.slack_app_token.get_secret_value() if settings.slack_app_token and listen else None
    if services.installing is None:
        await check_tokens(services.slack.of("").poster, app_token=app_token)
    # Only a worker may carry the worker's name: whoever starts under a name resumes the jobs of that name.
    name = settings.executor_id if consume else f"{settings.executor_id}.{os.getpid()}"
    engine = Engine(settings.database_url, executor_id=name, jobs=jobs_of(services), telemetry=services.deps.telemetry)
    stack.push_async_callback(engine.close)
    await engine.launch(consume=consume)
    letters = Letters(settings.database_url)
    stack.callback(letters.close)
    if told.scrape is not None:
        told.scrape.database, told.scrape.letters = services.database, letters
    if tick:
        stack.enter_context(
            keep_time(services, engine, letters, job_days=settings.job_days, retention_days=settings.retention_days)
        )
    if listen:
        await stack.enter_async_context(_listening(settings, services, engine))
    if listen and settings.api_port is not None:
        from bot.api.app import api_app  # half a second that only its users pay

        programs.app = await stack.enter_async_context(api_app(api_of(services), per_minute=settings.api_per_minute))
    health.started = True
    if consume:
        warming = asyncio.create_task(warm(services.deps))
        stack.push_async_callback(_ended, warming)
    log.info("ready", parts=parts_of(settings), consume=consume, listen=listen, tick=tick)


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    for outcome in await asyncio.gather(task, return_exceptions=True):
        if isinstance(outcome, Exception):
            log.warning("not_warmed", error=repr(outcome))


def api_of(services: Services) -> Api:
    """What programs are served with, of what the jobs work with."""
    given = (services.database, services.deps, services.budgets, services.readers, services.terms)
    return Api(*given, slack=services.slack, portals=services.portals)


def checks_of(store: Database, deps: Deps) -> dict[str, Check]:
    """Of what no answer can do without; the index is not ready while it is filled again."""

    async def database() -> bool:
        return await store.read(alive)

    async def index() -> bool:
        return any(map(is_built_in, await deps.index.digests(tenant=SHARED_TENANT)))

    return {"database": database, "index": index}


@asynccontextmanager
async def _listening(settings: Settings, services: Services, engine: Engine) -> AsyncIterator[None]:
    """Socket Mode with an app token, else Slack's signed HTTP events on PORT."""
    secret = settings.slack_signing_secret if settings.slack_app_token is None else None
    app = build_app(
        client=services.slack.of("").reader if services.installing is None else None,
        signing_secret=secret.get_secret_value() if secret else None,
        services=services,
        engine=engine,
        parts=parts_of(settings),
    )
    if settings.slack_app_token is not None:
        handler = AsyncSocketModeHandler(app, settings.slack_app_token.get_secret_value())
        await handler.connect_async()  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            await handler.close_async()  # type: ignore[no-untyped-call]
        return
    async with listening(app, host=settings.host, port=settings.port, more=_pages(services)):
        yield


def _pages(services: Services) -> "Sequence[RouteDef]":
    """Where a team connects its own HubSpot, in an installation in any workspace that has an application there."""
    if services.installing is None or services.installing.portals is None:
        return ()
    from bot.runtime.portal_pages import portal_routes

    return portal_routes(services.installing.portals, services.database)


@contextlib.contextmanager
def _only_worker(settings: Settings) -> Iterator[None]:
    """SQLite takes one worker: two would draw the same chart twice. The lock stands beside the database, wherever
    VAR_DIR is, and goes with its process."""
    database = Path(settings.database_url.partition("///")[2]).resolve()
    try:
        settings.var_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongSetting(f"VAR_DIR : impossible d'y écrire ({error.strerror}).") from error
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        file = database.with_name(f"{database.name}.worker.lock").open("w")
    except OSError as error:
        raise WrongSetting(
            f"DATABASE_URL : impossible d'écrire auprès de la base de données ({error.strerror})."
        ) from error
    with file as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongSetting(
                "Un autre processus sert déjà cette base SQLite : arrêtez-le, ou passez à PostgreSQL (DATABASE_URL)."
            ) from None
        yield
