"""Remembered addresses are read again once a day by the worker; however many clocks run, each has one job a day."""

from datetime import UTC, date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

import httpx
import structlog

from bot.documents.web_sources import WebIngestion, read_again
from bot.engine import Engine, Job, Step
from bot.ports import JobName
from bot.store import sources, web_sources
from bot.store.tables import Row
from corpus.errors import UnreadableSource

log = structlog.get_logger()

PARIS: Final = ZoneInfo("Europe/Paris")
PATIENCE: Final = 3600.0
"""Seconds that a reading waits for the index; then tomorrow's takes over."""


async def wake_due(web_ingestion: WebIngestion, engine: Engine) -> int:
    """How many addresses nobody has read today; a job for each. Addresses of one host are read one after the other."""
    today = web_ingestion.today()
    midnight = datetime.combine(today, time.min, PARIS).astimezone(UTC).isoformat(timespec="milliseconds")
    rows = await web_ingestion.database.read(lambda c: web_sources.due(c, since=midnight))
    for row in rows:
        subject, host = subject_of(row, today), httpx.URL(row["url"]).host
        await web_ingestion.database.write(lambda c, s=subject, h=host: engine.enqueue(c, JobName.REFRESH, s, h))  # type: ignore[misc]
    return len(rows)


def refresh_job(web_ingestion: WebIngestion) -> Job:
    """One reading, whose expected failures are kept in the source's row."""

    async def run(step: Step, subject: str) -> None:
        await step("read", lambda s: _read(web_ingestion, s), subject, patience=PATIENCE)

    async def failed(subject: str, error: BaseException) -> None:
        log.error("source_not_read", subject=subject, error=repr(error), exc_info=error)

    return Job(run=run, failed=failed)


def subject_of(row: Row, day: date) -> str:
    """The job's unique key: the same source on the same day is the same job."""
    return f"{row['team_id']}|{row['source_id']}|{day.isoformat()}"


async def _read(web_ingestion: WebIngestion, subject: str) -> None:
    team_id, source_id, _day = subject.split("|")
    row = await web_ingestion.database.read(lambda c: sources.find(c, source_id, team_id=team_id))
    if row is None or row["state"] not in web_sources.REMEMBERED:
        return
    try:
        taken = await read_again(row, web_ingestion=web_ingestion)
    except UnreadableSource as error:
        log.warning("source_unreadable", source=source_id, reason=str(error))
        return
    log.info("source_read", source=source_id, state=taken.state, passages=taken.report.passages)
