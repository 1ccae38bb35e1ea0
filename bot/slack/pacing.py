"""Slack takes about one posted message a second and channel, and a few at once; channels do not wait for each other."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

EVERY_SECONDS: Final = 1.0
BURST: Final = 3
"""Posts that an idle channel takes at once; Slack tolerates short bursts without saying how short."""
MOST_KEPT: Final = 5_000


class Pace:
    """One for the process. Of each channel it keeps the time at which its bucket is full again."""

    def __init__(
        self,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._now, self._sleep = now, sleep
        self._full: dict[str, float] = {}

    async def take(self, channel: str) -> None:
        """Returns when the channel takes one more message."""
        now = self._now()
        if len(self._full) > MOST_KEPT:
            self._full = {name: full for name, full in self._full.items() if full > now}
        full = max(now, self._full.get(channel, 0.0)) + EVERY_SECONDS
        self._full[channel] = full
        if (wait := full - BURST * EVERY_SECONDS - now) > 0:
            await self._sleep(wait)

    def hold(self, channel: str, seconds: float) -> None:
        """Slack asked for silence there: the next message waits so long, and no burst follows."""
        empty = self._now() + seconds + (BURST - 1) * EVERY_SECONDS
        self._full[channel] = max(self._full.get(channel, 0.0), empty)
