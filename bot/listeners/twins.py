"""A mention comes as two events: `message`, which alone carries files, and `app_mention`, which has nothing to add once
the other is kept. What is kept here is told here, so that the second need not ask the database for it."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

MOST_KEPT: Final = 2_000


class Twins:
    """One for the process. The other event may also have gone to another process, or never come."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, None] = OrderedDict()
        self._waiting: dict[Hashable, asyncio.Event] = {}

    def kept(self, message: Hashable) -> None:
        """The `message` event is committed."""
        self._kept[message] = None
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        if (waiting := self._waiting.get(message)) is not None:
            waiting.set()

    async def wait(self, message: Hashable, seconds: float) -> bool:
        """Whether it was committed here, within so many seconds."""
        if message in self._kept:
            return True
        waiting = self._waiting.setdefault(message, asyncio.Event())
        try:
            async with asyncio.timeout(seconds):
                await waiting.wait()
        except TimeoutError:
            return False
        finally:
            self._waiting.pop(message, None)
        return True
