"""Whom and what of the CRM a message may name, kept for whoever reads one: none waits for HubSpot to learn that
it names nobody."""

import asyncio
import time
from typing import Final

import structlog

from bot.crm.labels import Labels
from bot.crm.naming import Names
from pipeline.crm_types import Directory
from pipeline.errors import CrmUnavailable

KEPT_SECONDS: Final = 600.0
"""After which they are read again, beside the message that asks."""
PATIENCE_SECONDS: Final = 1.0
"""That the very first message waits."""
AGAIN_SECONDS: Final = 60.0
"""After a failure."""
log = structlog.get_logger()


class KnownNames:
    """One reading at a time; what was read last stands until the next has come, also where HubSpot fails."""

    def __init__(self, names: Names, labels: Labels) -> None:
        self._names = names
        self._labels = labels
        self._known = Directory()
        self._due = 0.0
        self._reading: asyncio.Task[None] | None = None

    async def directory(self) -> Directory:
        """Never raises; empty until HubSpot has answered once."""
        if time.monotonic() >= self._due and (self._reading is None or self._reading.done()):
            self._reading = asyncio.create_task(self._read())
        if self._reading is not None and not self._known.deals:
            await asyncio.wait({self._reading}, timeout=PATIENCE_SECONDS)
        return self._known

    async def _read(self) -> None:
        self._due = time.monotonic() + AGAIN_SECONDS
        try:
            colleagues = [owner.name for owner in await self._labels.owners()]
            self._known = await self._names.directory(colleagues)
            self._due = time.monotonic() + KEPT_SECONDS
        except CrmUnavailable as error:
            log.warning("crm_names_unread", reason=str(error))
