"""The clients whom the CRM knows, kept for whoever reads a message: no message waits for HubSpot to learn that it names
nobody."""

import asyncio
import time
from collections.abc import Mapping
from typing import Final

import structlog

from bot.crm.naming import Names
from pipeline.errors import CrmUnavailable

KEPT_SECONDS: Final = 600.0
"""After which they are read again, beside the message that asks."""
PATIENCE_SECONDS: Final = 1.0
"""That the very first message waits."""
AGAIN_SECONDS: Final = 60.0
"""After a failure."""
log = structlog.get_logger()


class KnownClients:
    """One reading at a time; what was read last stands until the next has come, also where HubSpot fails."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: Mapping[str, frozenset[str]] = {}
        self._due = 0.0
        self._reading: asyncio.Task[None] | None = None

    async def clients(self) -> Mapping[str, frozenset[str]]:
        """Never raises; empty until HubSpot has answered once."""
        if time.monotonic() >= self._due and (self._reading is None or self._reading.done()):
            self._reading = asyncio.create_task(self._read())
        if self._reading is not None and not self._known:
            await asyncio.wait({self._reading}, timeout=PATIENCE_SECONDS)
        return self._known

    async def _read(self) -> None:
        try:
            self._known = await self._names.clients()
            self._due = time.monotonic() + KEPT_SECONDS
        except CrmUnavailable as error:
            self._due = time.monotonic() + AGAIN_SECONDS
            log.warning("clients_unread", reason=str(error))
