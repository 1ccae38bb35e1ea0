"""Wakes what is due: proposals past their time, addresses to read again, digests. Many clocks may run: the rows
decide."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot import jobs
from bot.digests import waking as digests
from bot.documents.refresh import wake_due
from bot.documents.restoring import wake_lost
from bot.engine import Engine, Letters
from bot.errors import WorkspaceGone
from bot.installation import departures
from bot.news import polling
from bot.proposals import execution
from bot.proposals.showing import show_card
from bot.slack.delivery import SlackRefused, SlackUnavailable
from bot.store import proposals
from bot.store.forgetting import forget_before
from bot.store.inbox import utc_now
from bot.watches import changes
from bot.watches import looking as watches

log = structlog.get_logger()
EVERY_SECONDS = 60
LOST_EVERY_SECONDS = 300
SOURCES_EVERY_SECONDS = 900
PURGE_EVERY_SECONDS = 3600
Look = Callable[..., Awaitable[int]]


@contextlib.contextmanager
def keep_time(
    services: jobs.Services, engine: Engine, letters: Letters, *, job_days: int, retention_days: int
) -> Iterator[None]:
    """Runs in the event loop until the block ends; a late tick runs once, not as often as it was missed."""
    scheduler = AsyncIOScheduler(timezone="Europe/Paris")
    looks = list(_looks(services, engine, letters, job_days))
    if retention_days:
        looks.append((forget_old, PURGE_EVERY_SECONDS, [services, letters, retention_days]))
    for look, seconds, given in looks:
        scheduler.add_job(
            look,
            IntervalTrigger(seconds=seconds),
            args=given,
            coalesce=True,
            misfire_grace_time=None,
            max_instances=1,
            next_run_time=datetime.now(UTC),
        )
    scheduler.start()
    try:
        yield
    finally:
        scheduler.shutdown(wait=False)


def _looks(
    services: jobs.Services, engine: Engine, letters: Letters, job_days: int
) -> Iterator[tuple[Look, int, list[object]]]:
    """(what looks for what is due, every how many seconds, its arguments)."""
    yield expire_proposals, EVERY_SECONDS, [services]
    yield wake_lost, LOST_EVERY_SECONDS, [services.file_ingestion, engine.enqueue]
    yield purge_jobs, PURGE_EVERY_SECONDS, [letters, job_days]
    if services.web_ingestion is not None:
        yield wake_due, SOURCES_EVERY_SECONDS, [services.web_ingestion, engine]
    if services.news is not None:
        yield polling.wake_due, EVERY_SECONDS, [services.news, engine.enqueue]
        yield polling.retire_past, SOURCES_EVERY_SECONDS, [services.news]
    if services.installing is not None:
        yield departures.wake_due, SOURCES_EVERY_SECONDS, [services.installing.departures, engine.enqueue]
    yield watches.wake_due, EVERY_SECONDS, [services.watching, engine.enqueue]
    if services.digests is not None:
        yield digests.wake_due, EVERY_SECONDS, [services.digests, engine.enqueue]
        yield changes.wake_due, SOURCES_EVERY_SECONDS, [services.digests, engine.enqueue]


async def purge_jobs(letters: Letters, job_days: int) -> int:
    """The engine forgets jobs that ended so many days ago; those that failed without a word stay to be looked at."""
    if purged := await asyncio.to_thread(letters.purge, days=job_days):
        log.info("jobs_purged", count=purged, older_than_days=job_days)
    return purged


async def forget_old(services: jobs.Services, letters: Letters, days: int) -> int:
    """How many threads had their last message so many days ago, and are gone with the engine's jobs about them."""
    before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    gone = await services.database.write(lambda c: forget_before(c, before))
    if gone.threads:
        await asyncio.to_thread(letters.forget, gone.jobs)
        log.info("threads_forgotten", count=len(gone.threads), older_than_days=days)
    return len(gone.threads)


async def expire_proposals(services: jobs.Services) -> int:
    """How many offered proposals ended here; their cards lose their buttons."""
    ended = 0
    for row in await services.database.read(lambda c: proposals.expired(c, now=utc_now())):
        writer = await services.writer_of(row["team_id"])
        if not await execution.expire(services.database, writer, row):
            continue
        ended += 1
        with contextlib.suppress(
            SlackUnavailable, SlackRefused, WorkspaceGone
        ):  # the row decides; the card is only its view
            await show_card(services.database, services.slack, row["proposal_id"])
    return ended
