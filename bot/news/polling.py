"""Feeds are read when they are due: one job a feed and time, those of one host one after the other with a pause; what
fails is left alone for longer each time and never stops the others."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import sqlalchemy as sa
import structlog

from bot.engine import Job, Step
from bot.news.feeds import Feed
from bot.news.keeping import Keeper, embed
from bot.news.reading import Reading, read
from bot.ports import JobName
from bot.store import news
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row
from corpus.errors import CorpusError, UnreadableSource
from corpus.ports import Embedder, PassageArchive
from corpus.sources.fetching import Reach
from corpus.sources.receiving import Seen
from corpus.types import SHARED_TENANT

log = structlog.get_logger()

PARIS: Final = ZoneInfo("Europe/Paris")
PAUSE_SECONDS: Final = 2.0
"""Between two readings of one host."""
SOON: Final = timedelta(seconds=10)
"""What is due within this is due: the clock looks once a minute, and a moment late would cost another one."""
LONGEST_WAIT: Final = timedelta(hours=24)
BROKEN_OFF: Final = "Une erreur technique a interrompu la lecture."
PATIENCE: Final = 3600.0
"""Seconds that a reading waits for the index; then the next one takes over."""


@dataclass(frozen=True, slots=True)
class NewsIngestion:
    """What reading official news needs. `every`: None where they are switched off; `days`: how long one is kept;
    `admits`: which addresses beyond a feed's own site its entries may lead to."""

    database: Database
    index: PassageArchive
    embedder: Embedder | None
    reach: Reach
    feeds: Sequence[Feed]
    every: timedelta | None
    days: int
    admits: Callable[[str], bool]
    clock: Callable[[], datetime]
    pause: float = PAUSE_SECONDS

    def feed(self, feed_id: str) -> Feed | None:
        """None for one that is configured no more."""
        return next((feed for feed in self.feeds if feed.id == feed_id), None)


async def wake_due(news_ingestion: NewsIngestion, enqueue: Enqueue) -> int:
    """How many feeds were claimed here, each with its job in one transaction, whoever else looks."""
    if news_ingestion.every is None:
        return 0
    now = news_ingestion.clock()
    moment, soon, next_at = _iso(now), _iso(now + SOON), _iso(now + news_ingestion.every)
    rows = await news_ingestion.database.read(lambda c: news.feeds(c, [feed.id for feed in news_ingestion.feeds]))
    due = [feed for feed in news_ingestion.feeds if feed.id not in rows or rows[feed.id]["next_at"] <= soon]

    def claim(connection: sa.Connection, feed: Feed) -> bool:
        if not news.claim(connection, feed.id, now=soon, next_at=next_at):
            return False
        enqueue(connection, JobName.POLL, f"{feed.id}|{moment}", feed.host)
        return True

    claimed = [await news_ingestion.database.write(lambda c, f=feed: claim(c, f)) for feed in due]  # type: ignore[misc]
    return sum(claimed)


def poll_job(news_ingestion: NewsIngestion) -> Job:
    """One reading: by its words at once, then by its meaning."""

    async def run(step: Step, subject: str) -> None:
        await step("read", lambda s: poll(news_ingestion, s), subject, patience=PATIENCE)
        await step("embed", lambda s: _embed(news_ingestion, s), subject, patience=PATIENCE)

    async def failed(subject: str, error: BaseException) -> None:
        log.error("news_not_read", subject=subject, error=repr(error), exc_info=error)
        feed_id = _feed_id(subject)
        await news_ingestion.database.write(
            lambda c: _failed(c, news_ingestion, feed_id, "Une erreur technique a interrompu la lecture.")
        )

    return Job(run=run, failed=failed)


async def poll(news_ingestion: NewsIngestion, subject: str) -> None:
    """Read the feed now and keep what is new; expected failures are kept in its row. Raises `CorpusAway`."""
    feed = news_ingestion.feed(_feed_id(subject))
    if feed is None:
        return
    row = (await news_ingestion.database.read(lambda c: news.feeds(c, [feed.id])))[feed.id]
    try:
        await _read(news_ingestion, feed, row)
    except UnreadableSource as error:
        reason = str(error)
        await news_ingestion.database.write(lambda c: _failed(c, news_ingestion, feed.id, reason))
        log.warning("news_unreadable", feed=feed.id, reason=reason)


async def _read(news_ingestion: NewsIngestion, feed: Feed, row: Row) -> None:
    now = news_ingestion.clock()
    today = now.astimezone(PARIS).date()
    found = await read(
        feed,
        reach=news_ingestion.reach,
        admits=news_ingestion.admits,
        seen=Seen(row["etag"] or "", row["last_modified"] or ""),
        held=row["held"] or (),
        today=today,
    )
    values = {"checked_at": _iso(now), "read_at": _iso(now), "failures": 0, "reason": None}
    if found is not None and found.digest != row["digest"]:
        keeper = Keeper(news_ingestion.database, news_ingestion.index, now, today - timedelta(days=news_ingestion.days))
        kept = await keeper.keep(feed, found.publications)
        values |= _remembered(found)
        log.info("news_read", feed=feed.id, publications=len(found.publications), **asdict(kept))
    await news_ingestion.database.write(lambda c: news.note(c, feed.id, **values))


def _remembered(found: Reading) -> dict[str, object]:
    """What the next reading is compared with: noted once everything is kept."""
    return {
        "etag": found.seen.etag or None,
        "last_modified": found.seen.last_modified or None,
        "digest": found.digest,
        "held": list(found.held) if found.held is not None else None,
    }


def _failed(connection: sa.Connection, news_ingestion: NewsIngestion, feed_id: str, reason: str) -> None:
    """Twice as long until the next try as before this one, at most a day."""
    row = news.feeds(connection, [feed_id])[feed_id]
    failures, now = row["failures"] + 1, news_ingestion.clock()
    wait = min((news_ingestion.every or LONGEST_WAIT) * 2 ** min(failures, 16), LONGEST_WAIT)
    news.note(connection, feed_id, checked_at=_iso(now), failures=failures, reason=reason, next_at=_iso(now + wait))


async def _embed(news_ingestion: NewsIngestion, subject: str) -> None:
    feed = news_ingestion.feed(_feed_id(subject))
    if feed is None:
        return
    done = await embed(
        feed, database=news_ingestion.database, index=news_ingestion.index, embedder=news_ingestion.embedder
    )
    if done:
        log.info("news_embedded", feed=feed.id, publications=done)
    await asyncio.sleep(news_ingestion.pause)  # the job keeps its host to itself meanwhile


async def retire_past(news_ingestion: NewsIngestion) -> int:
    """Takes what has had its time out of the corpus; how many. Safe to repeat, and from several clocks at once."""
    before = (news_ingestion.clock().astimezone(PARIS).date() - timedelta(days=news_ingestion.days)).isoformat()
    retired = 0
    while names := await news_ingestion.database.read(lambda c: news.past(c, before=before)):
        try:
            await news_ingestion.index.delete(names, tenant=SHARED_TENANT)
        except CorpusError as error:
            log.warning("news_not_retired", reason=str(error))
            return retired
        await news_ingestion.database.write(lambda c, some=names: news.retire(c, some))  # type: ignore[misc]
        retired += len(names)
    if retired:
        log.info("news_retired", publications=retired)
    return retired


def _feed_id(subject: str) -> str:
    return subject.partition("|")[0]


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
