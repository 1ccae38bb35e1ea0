"""Wakes the digests that are due. The row of the week decides: any number of clocks may look as often as they like."""

from typing import Any

import structlog

from bot.digests.due import owed
from bot.digests.gathering import Sources
from bot.digests.publishing import subject_of
from bot.ports import JobName
from bot.store import digests, subscriptions
from bot.store.database import Database
from bot.store.digests import Key
from bot.store.inbox import Enqueue

log = structlog.get_logger()


async def wake_due(sources: Sources, enqueue: Enqueue) -> int:
    """How many weeks were claimed here, each with its job in one transaction. Those that are too late are claimed as
    well: their job says so."""
    now = sources.clock()
    claimed = 0
    for row in await sources.database.read(subscriptions.active):
        due = owed(row, now)
        if due is None:
            continue
        week, slot = due
        key: Key = (row["team_id"], row["channel"], week.year, week.number)
        if await _claim(sources.database, key, slot.isoformat(timespec="milliseconds"), enqueue):
            claimed += 1
    if claimed:
        log.info("digests_due", count=claimed)
    return claimed


async def _claim(database: Database, key: Key, slot: str, enqueue: Enqueue) -> bool:
    if await database.read(lambda c: digests.find(c, key)) is not None:
        return False

    def claim(connection: Any) -> bool:
        first = digests.claim(connection, key, slot=slot)
        if first:
            enqueue(connection, JobName.DIGEST, subject_of(key), f"digest:{key[0]}:{key[1]}")
        return first

    return await database.write(claim)
