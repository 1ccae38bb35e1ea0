"""What a scrape asks of others than this process: queues, dead letters and proposals in the database, parts ready."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from prometheus_client import Gauge

from bot.engine import Letters
from bot.errors import StoreUnavailable
from bot.store import proposals
from bot.store.database import Database
from bot.telemetry.metrics import PREFIX, Metrics

SECONDS: Final = 1.5
"""A database that has not answered by then is away: a scrape is never held up for longer."""
FRESH: Final = 5.0
"""Seconds for which what the database said stands, however many ask."""
SELDOM: Final = 60.0
"""The same for dead letters, which are looked for among all jobs that are kept."""


class Parts(Protocol):
    """What is ready, by name."""

    async def look(self) -> Mapping[str, bool]: ...


@dataclass(slots=True)
class Scrape:
    """`database` and `letters` None: the process has not come so far. Figures that nobody could give are left out."""

    metrics: Metrics
    parts: Parts
    database: Database | None = None
    letters: Letters | None = None
    _read_at: float = field(default=-FRESH, init=False)
    _letters_at: float = field(default=-SELDOM, init=False)
    _looking: "asyncio.Task[None] | None" = field(default=None, init=False)
    _ready: Gauge = field(init=False)
    _jobs: Gauge = field(init=False)
    _dead: Gauge = field(init=False)
    _proposals: Gauge = field(init=False)
    _up: Gauge = field(init=False)

    def __post_init__(self) -> None:
        of = self.metrics.registry
        self._ready = Gauge(f"{PREFIX}_part_ready", "1 where a part of the process is ready.", ["part"], registry=of)
        self._jobs = Gauge(f"{PREFIX}_queue_jobs", "Jobs that wait or run.", ["queue", "state"], registry=of)
        self._dead = Gauge(f"{PREFIX}_jobs_dead", "Jobs that did not end as they should.", ["kind"], registry=of)
        self._proposals = Gauge(f"{PREFIX}_proposals", "Proposals by state.", ["state"], registry=of)
        self._up = Gauge(f"{PREFIX}_database_up", "1 where the database answered this scrape.", registry=of)

    async def exposed(self) -> bytes:
        """All metrics, as far as they are known now. Never raises for what is away."""
        for part, ready in (await self.parts.look()).items():
            self._ready.labels(part).set(ready)
        if self.database is not None and time.monotonic() - self._read_at > FRESH:
            self._read_at = time.monotonic()
            await self._look(self.database)
        return self.metrics.exposed()

    async def _look(self, database: Database) -> None:
        """A look that hangs is waited for no longer than its time, and no other begins beside it."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._read(database))
            self._looking.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            async with asyncio.timeout(SECONDS):
                await asyncio.shield(self._looking)
            self._up.set(1)
        except (StoreUnavailable, TimeoutError):
            self._up.set(0)
            for gauge in (self._jobs, self._proposals):
                gauge.clear()

    async def _read(self, database: Database) -> None:
        states = await database.read(proposals.counted)
        self._proposals.clear()  # a state that none is in any more
        for state, count in states.items():
            self._proposals.labels(state).set(count)
        if self.letters is None:
            return
        for (queue, state), count in (await asyncio.to_thread(self.letters.depth)).items():
            self._jobs.labels(queue, state).set(count)
        if time.monotonic() - self._letters_at > SELDOM:
            self._letters_at = time.monotonic()
            for kind, count in (await asyncio.to_thread(self.letters.counted)).items():
                self._dead.labels(kind).set(count)
