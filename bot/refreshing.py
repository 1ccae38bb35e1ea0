"""Remembered addresses are read again once a day by the worker; however many clocks run, each has one job a day."""

from datetime import UTC, date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

import httpx
import structlog

from bot.engine import Engine, Job, Step
from bot.store import sources, web_sources
from bot.store.tables import Row
from bot.web_sources import WebDesk, read_again
from corpus.errors import UnreadableSource

log = structlog.get_logger()

PARIS: Final = ZoneInfo("Europe/Paris")
JOB: Final = "refresh"
PATIENCE: Final = 3600.0
"""Seconds that a reading waits for the index; then tomorrow's takes over."""


async def wake_due(web_desk: WebDesk, engine: Engine) -> int:
    """How many addresses nobody has read today; a job for each. Addresses of one host are read one after the other."""
    today = web_desk.today()
    midnight = datetime.combine(today, time.min, PARIS).astimezone(UTC).isoformat(timespec="milliseconds")
    rows = await web_desk.database.read(lambda c: web_sources.due(c, since=midnight))
    for row in rows:
        subject, host = subject_of(row, today), httpx.URL(row["url"]).host
        await web_desk.database.write(lambda c, s=subject, h=host: engine.enqueue(c, JOB, s, h))  # type: ignore[misc]
    return len(rows)


def refresh_job(web_desk: WebDesk) -> Job:
    """One reading, whose expected failures are kept in the source's row."""

    async def run(step: Step, subject: str) -> None:
        await step("read", lambda s: _read(web_desk, s), subject, patience=PATIENCE)

    async def failed(subject: str, error: BaseException) -> None:
        log.error("source_not_read", subject=subject, error=repr(error), exc_info=error)

    return Job(run=run, failed=failed)


def subject_of(row: Row, day: date) -> str:
    """The job's unique key: the same source on the same day is the same job."""
    return f"{row['team_id']}|{row['source_id']}|{day.isoformat()}"


async def _read(web_desk: WebDesk, subject: str) -> None:
    team_id, source_id, _day = subject.split("|")
    row = await web_desk.database.read(lambda c: sources.find(c, source_id, team_id=team_id))
    if row is None or row["state"] not in web_sources.REMEMBERED:
        return
    try:
        taken = await read_again(row, web_desk=web_desk)
    except UnreadableSource as error:
        log.warning("source_unreadable", source=source_id, reason=str(error))
        return
    log.info("source_read", source=source_id, state=taken.state, passages=taken.report.passages)
