"""One run: a sandbox, the bot's processes, people, bad weather; then calm, and the count."""

import asyncio
import contextlib
import math
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa

from bench.chaos.boundaries import OF_ROLE, WEB, WORKER, deaths
from bench.chaos.count import Count, counted
from bench.chaos.databases import database, restart
from bench.chaos.fleet import Fleet
from bench.chaos.traffic import Traffic
from bench.chaos.weather import RETRIES, Weather
from bench.sandboxed import exported, sandbox

LOOK_S = 2.0
CALM_S = 3.0


@dataclass(frozen=True, slots=True)
class Plan:
    """`aim`: kills altogether; `each`: and at each boundary, where that is not 0. `settle`: seconds until what is not
    finished counts as never to be. `only`, `mutant`, `renamed`: see Fleet."""

    seed: int
    aim: int
    each: int
    backend: str
    longest: float
    settle: float
    only: frozenset[str] = frozenset()
    mutant: str = ""
    renamed: bool = False
    stormy: bool = True


@dataclass(slots=True)
class Outcome:
    count: Count
    boundaries: dict[str, int]
    questions: int
    notes: int
    weather: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


async def run(plan: Plan, folder: Path, *, say: Callable[[str], None]) -> Outcome:
    """Raises `TimeoutError` where the bot never connects."""
    began = time.monotonic()
    (folder / "var").mkdir()
    with database(plan.backend, folder) as url, sandbox(folder, bot=False, retry_delays=RETRIES) as client:
        async with httpx.AsyncClient(base_url=client.base_url, timeout=30, trust_env=False) as http:
            bot = str((await http.get("/sandbox/state")).json()["bot"]["user_id"])
            chance = random.Random(plan.seed)
            async with _fleet(plan, folder, url, chance) as fleet:
                await _connected(http)
                traffic = Traffic(http, bot, random.Random(chance.random()))
                weather = Weather(
                    http,
                    fleet,
                    random.Random(chance.random()),
                    database=Path(sa.make_url(url).database or "") if plan.backend == "sqlite" else None,
                    index=folder / "var" / "corpus.sqlite3",
                    restart=None if plan.backend == "sqlite" else lambda: restart(url),
                )
                await _storm(plan, folder, fleet, traffic, weather, say)
                outcome = await _settled(plan, traffic, url, http)
            outcome.boundaries, outcome.weather = deaths(folder), dict(weather.seen)
            outcome.seconds = round(time.monotonic() - began, 1)
            return outcome


@contextlib.asynccontextmanager
async def _fleet(plan: Plan, folder: Path, url: str, chance: random.Random) -> AsyncIterator[Fleet]:
    slots = ("web", "worker") if plan.backend == "sqlite" else ("web", "worker", "worker")
    spread = math.ceil(plan.aim / len((*WEB, *WORKER)))  # a short run dies at as many places as it has kills
    each = max(plan.each, plan.aim if plan.only else spread)
    environment = _environment(url, folder)
    fleet = Fleet(folder, environment, slots, chance, each, only=plan.only, mutant=plan.mutant, renamed=plan.renamed)
    await fleet.start()
    try:
        yield fleet
    finally:
        await fleet.stop()


async def _storm(
    plan: Plan, folder: Path, fleet: Fleet, traffic: Traffic, weather: Weather, say: Callable[[str], None]
) -> None:
    """Until the kills are done, or time is up; then a good day, and nobody asks anything new."""
    people = asyncio.create_task(traffic.run())
    sky = asyncio.create_task(weather.run() if plan.stormy else weather.clear())
    fleet.arm()
    deadline = time.monotonic() + plan.longest
    while time.monotonic() < deadline and not _done(plan, folder):
        await asyncio.sleep(LOOK_S)
        if people.done():
            people.result()
        counted_ = deaths(folder)
        say(f"{sum(counted_.values())} arrêts brutaux, {len(counted_)} endroits, {len(traffic.talks)} fils")
    fleet.disarm()
    sky.cancel()
    await asyncio.gather(sky, return_exceptions=True)
    await weather.clear()
    traffic.stop()
    await people


def _done(plan: Plan, folder: Path) -> bool:
    found = deaths(folder)
    wanted = plan.only or {name for names in OF_ROLE.values() for name in names}
    return sum(found.values()) >= plan.aim and all(found.get(name, 0) >= plan.each for name in wanted)


async def _settled(plan: Plan, traffic: Traffic, url: str, http: httpx.AsyncClient) -> Outcome:
    """The count once nothing is left to do, or what it is when time is up."""
    deadline = time.monotonic() + plan.settle
    while True:
        await asyncio.sleep(CALM_S)
        notes: list[dict[str, Any]] = list((await http.get("/sandbox/crm")).json()["notes"])
        count = await counted(traffic, url, notes)
        open_still = count.lost + count.unfinished
        if not open_still or time.monotonic() > deadline:
            return Outcome(count, {}, sum(len(talk.asked) for talk in traffic.talks), len(notes))


async def _connected(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(120):
        while not (await http.get("/sandbox/state")).json()["transport"]["connected"]:  # noqa: ASYNC110 - by HTTP
            await asyncio.sleep(0.2)


def _environment(url: str, folder: Path) -> dict[str, str]:
    """A bot at this sandbox, without the caller's services."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV") if name in os.environ}
    own = {"DATABASE_URL": url, "VAR_DIR": str(folder / "var"), "OMP_NUM_THREADS": "1"}
    return {**kept, **exported(folder), **own}
