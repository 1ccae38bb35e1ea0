"""What goes wrong meanwhile, a few seconds each, in random order."""

import asyncio
import contextlib
import random
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.chaos.fleet import Fleet

SLACK: tuple[tuple[str, dict[str, object]], ...] = (
    ("duplicates", {"duplicate_events": 6}),
    ("accepted then dropped", {"post_then_drop": 1}),
    ("429", {"rate_limit": {"chat.postMessage": 1, "chat.update": 2, "conversations.replies": 1}}),
    ("429 for streams", {"rate_limit": {"chat.startStream": 1, "chat.appendStream": 1, "chat.stopStream": 1}}),
    ("no streams", {"no_streams": True}),
    ("streams expire", {"expire_streams": True}),
    ("sockets cut", {"drop_sockets": "abrupt"}),
    ("slow Slack", {"slow_api_ms": 300}),
    ("late acks, late and out of order", {"late_ack_ms": 3_500, "duplicate_events": 3}),
    ("slow open data", {"opendata": {"mode": "slow", "count": 4, "seconds": 2.5, "service": "dvf"}}),
    ("HubSpot 429", {"hubspot": {"mode": "429", "count": 2}}),
    ("HubSpot 500", {"hubspot": {"mode": "500", "count": 1, "on": "write"}}),
    ("HubSpot accepted then dropped", {"hubspot": {"mode": "commit_then_drop", "count": 1}}),
    ("HubSpot hangs", {"hubspot": {"mode": "slow", "count": 1, "seconds": 12}}),
    ("HubSpot nonsense", {"hubspot": {"mode": "nonsense", "count": 1, "on": "write"}}),
)
RETRIES = (0.3, 1.0, 0.1, 2.0) * 200
"""Seconds before each redelivery: soon, so that a run is short, and again for as long as it takes."""


@dataclass(slots=True)
class Weather:
    """`restart` restarts the database server, where there is one; the index is damaged once."""

    http: httpx.AsyncClient
    fleet: Fleet
    chance: random.Random
    database: Path | None
    index: Path
    restart: Callable[[], Awaitable[None]] | None
    seen: Counter[str] = field(default_factory=Counter)

    async def run(self) -> None:
        """Until it is cancelled."""
        kinds: list[Callable[[], Coroutine[Any, Any, None]]] = [self._slack] * 4 + [self._no_room]
        kinds += [self._locked] if self.database else []
        kinds += [self._restarted] if self.restart else []
        await asyncio.sleep(10)
        await self._damaged()
        while True:
            await asyncio.sleep(self.chance.uniform(1.0, 3.0))
            await self.chance.choice(kinds)()

    async def clear(self) -> None:
        await self.set({})

    async def set(self, faults: Mapping[str, object]) -> None:
        with contextlib.suppress(httpx.HTTPError):
            await self.http.post("/sandbox/faults", json=faults)

    async def _slack(self) -> None:
        name, faults = self.chance.choice(SLACK)
        self.seen[name] += 1
        await self.set(faults)
        await asyncio.sleep(self.chance.uniform(0.5, 2.0))
        await self.clear()

    async def _no_room(self) -> None:
        self.seen["disk full"] += 1
        await self.fleet.without_room(self.chance.uniform(1.0, 3.0))

    async def _locked(self) -> None:
        """SQLite: somebody else's transaction holds the file."""
        self.seen["database locked"] += 1
        lock = sqlite3.connect(str(self.database), isolation_level=None, timeout=5, check_same_thread=False)
        try:
            with contextlib.suppress(sqlite3.OperationalError):
                await asyncio.to_thread(lock.execute, "begin immediate")
                await asyncio.sleep(self.chance.uniform(1.0, 4.0))
        finally:
            lock.close()

    async def _restarted(self) -> None:
        assert self.restart is not None
        self.seen["database restarted"] += 1
        await self.restart()
        await asyncio.sleep(5)

    async def _damaged(self) -> None:
        """A page in the middle of the index file is no page any more."""
        if self.index.exists() and self.index.stat().st_size > 200_000:
            self.seen["index damaged"] += 1
            with self.index.open("r+b") as file:
                file.seek(100_000)
                file.write(self.chance.randbytes(60_000))
