"""What the rows say is in the index and the index lost: read again by itself, from where it came."""

from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa
import structlog

from bot.documents import uploads
from bot.documents.cards import FileIngestion
from bot.ports import JobName
from bot.store import sources, web_sources
from bot.store.inbox import Enqueue
from bot.store.tables import Row
from corpus.errors import IndexUnavailable, StaleIndex

log = structlog.get_logger()

MOST: Final = 50
"""Sources of one look: the next one, a minute later, takes more."""


async def wake_lost(ingestion: FileIngestion, enqueue: Enqueue) -> int:
    """How many sources are read again. An index that is away has lost nothing."""
    rows = await ingestion.database.read(sources.ready)
    lost: list[Row] = []
    for team_id in sorted({row["team_id"] for row in rows}):
        try:
            held = {name.partition("/")[0] for name in await ingestion.index.digests(tenant=team_id)}
        except (IndexUnavailable, StaleIndex):
            return 0
        lost += [row for row in rows if row["team_id"] == team_id and row["source_id"] not in held]
    for row in lost[:MOST]:
        await ingestion.database.write(lambda c, r=row: _again(c, r, enqueue))  # type: ignore[misc]
    if lost:
        log.warning("sources_lost", count=len(lost), read_again=len(lost[:MOST]))
    return len(lost[:MOST])


def _again(connection: sa.Connection, row: Row, enqueue: Enqueue) -> None:
    """A file goes back to being added, a page is read as if it were due; once an hour at most."""
    if row["kind"] not in web_sources.KINDS:
        uploads.again(connection, row, enqueue=enqueue)
        return
    hour = datetime.now(UTC).strftime("%Y-%m-%dT%H")
    subject = f"{row['team_id']}|{row['source_id']}|{hour}"
    enqueue(connection, JobName.REFRESH, subject, row["source_id"])
