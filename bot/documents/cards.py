"""Cards of dropped files: posted once, then brought to what their rows say."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from bot.documents import uploads
from bot.errors import reference_of
from bot.ports import AnswerId
from bot.slack.blocks.uploads import file_blocks, file_text
from bot.slack.delivery import GONE, SlackRefused, ThreadRef, Workspaces, post_once, update
from bot.store import sources
from bot.store.database import Database
from bot.store.tables import Row
from corpus.ports import Embedder, PassageIndex

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FileIngestion:
    """What these steps work with; `folder` holds a file only while it is read."""

    database: Database
    slack: Workspaces
    index: PassageIndex
    embedder: Embedder | None
    folder: Path


async def offer_cards(ingestion: FileIngestion, answer_id: AnswerId) -> None:
    """One card for each file of a message, in its order; found by its key before it is posted again."""
    _, team_id, channel, ts = answer_id.split(":")
    for row in await ingestion.database.read(
        lambda c: sources.of_message(c, team_id=team_id, channel=channel, message_ts=ts)
    ):
        if row["card_ts"]:
            continue
        subject = uploads.subject_of(team_id, row["source_id"])
        key = hashlib.sha256(subject.encode()).hexdigest()
        blocks = file_blocks(row)
        posted = await post_once(
            ingestion.slack.of(team_id), where(row), key=key, text=file_text(row), blocks=blocks, maybe_posted=True
        )
        await _change(ingestion, row, card_ts=posted)
        # Somebody may have clicked before the card had its ts.
        await show_card(ingestion, subject, shown=row["state"])


async def show_card(ingestion: FileIngestion, subject: str, *, shown: str = "") -> None:
    """Bring the card to what the row says; whoever updates last looks again, so that what stands is shown."""
    while True:
        row = await row_of(ingestion, subject)
        if not row["card_ts"] or row["state"] == shown:
            return
        twin = await _twin(ingestion, row)
        blocks = file_blocks(row, reference=reference(row), twin=twin)
        try:
            slack = ingestion.slack.of(row["team_id"])
            await update(slack, where(row), row["card_ts"], text=file_text(row), blocks=blocks)
        except SlackRefused as refusal:
            if refusal.code not in GONE:
                raise
            log.warning("card_gone", source=row["source_id"][:12], code=refusal.code)
            return
        shown = row["state"]


async def row_of(ingestion: FileIngestion, subject: str) -> Row:
    """What a job is about. Raises `LookupError` for an unknown source."""
    team_id, source_id = uploads.named_by(subject)
    return await ingestion.database.read(lambda c: sources.get(c, source_id, team_id=team_id))


async def move(ingestion: FileIngestion, row: Row, to: str, *, expected: str = "adding", **values: Any) -> bool:
    """Compare-and-set of the source's state, with other columns."""
    return await ingestion.database.write(
        lambda c: sources.move(c, row["source_id"], team_id=row["team_id"], expected=(expected,), to=to, **values)
    )


def reference(row: Row) -> str:
    """The same in the card and in the log."""
    return reference_of(uploads.subject_of(row["team_id"], row["source_id"]))


def where(row: Row) -> ThreadRef:
    """The thread that the file was dropped into."""
    return ThreadRef(row["channel"], row["thread_ts"], after=row["thread_ts"])


async def _twin(ingestion: FileIngestion, row: Row) -> Row | None:
    """The source that a duplicate repeats, as long as it stands."""
    if row["state"] != "duplicate":
        return None
    found = await ingestion.database.read(lambda c: sources.find(c, row["reason"], team_id=row["team_id"]))
    return found if found is not None and found["state"] in {"adding", "ready"} else None


async def _change(ingestion: FileIngestion, row: Row, **values: Any) -> None:
    await ingestion.database.write(lambda c: sources.change(c, row["source_id"], team_id=row["team_id"], **values))
