"""The steps of a dropped file after its click: download -> read -> index with visible progress; and its removal."""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from bot.documents import uploads
from bot.documents.cards import FileIngestion, move, reference, row_of, where
from bot.documents.progress import Counted
from bot.errors import BotError, CorpusAway
from bot.ports import AnswerId
from bot.slack.blocks.uploads import file_blocks
from bot.slack.delivery import Slack, SlackRefused
from bot.slack.downloads import GONE_FILE, SIGN_IN, DownloadRefused, download
from bot.slack.files import MOST_BYTES, DroppedFile, dropped_files
from bot.slack.messages import file_info, one_message
from bot.slack.progress import Progress
from bot.store import sources
from bot.store.inbox import Inbound
from bot.store.tables import Row
from corpus.chunking import chunk
from corpus.errors import CorpusError, IndexUnavailable, StaleIndex, UnreadableFile
from corpus.ingest import ingest
from corpus.sources.files.reading import read_file, upload_document
from corpus.sources.files.values import ReadFile
from corpus.types import Document

log = structlog.get_logger()

PROGRESS_SECONDS = 4.0
"""Between two updates of a card: three files at once stay below Slack's 50 a minute."""
WORDS_ONLY = "Recherche par le sens indisponible pour l'instant : ce fichier est cherché par mots seulement."
UNKNOWN_PLACE = "unknown"
"""A mention does not say what kind of conversation it comes from: the careful one is assumed."""
NOT_GIVEN = {"file_not_found": GONE_FILE, "file_deleted": GONE_FILE, "missing_scope": SIGN_IN}
LOST = "Une erreur technique a interrompu l'ajout."


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that is in the index: what its card and its row say of it."""

    digest: str
    kind: str
    pages: int | None
    passages: int
    skipped: tuple[str, ...]


async def add_file(ingestion: FileIngestion, subject: str) -> None:
    """adding -> ready | duplicate | failed. Repeats from the start: until the index has it whole, it has nothing."""
    row = await row_of(ingestion, subject)
    if row["state"] != "adding":
        return
    progress = Progress(
        ingestion.slack.of(row["team_id"]),
        where(row),
        row["card_ts"],
        every=PROGRESS_SECONDS,
        look=lambda step: file_blocks(row, step=step),
    )
    path = ingestion.folder / hashlib.sha256(subject.encode()).hexdigest()
    try:
        taken = await _taken(ingestion, row, path, report=progress.say if row["card_ts"] else _quietly)
    except (DownloadRefused, UnreadableFile, SlackRefused) as error:
        await _fail(ingestion, row, error)
        return
    finally:
        path.unlink(missing_ok=True)
        await progress.stop()
    if isinstance(taken, Taken):
        await _ready(ingestion, row, taken)
    else:
        await move(ingestion, row, "duplicate", reason=taken)


async def _taken(ingestion: FileIngestion, row: Row, path: Path, *, report: Callable[[str], None]) -> Taken | str:
    """What is in the index now, or the id of the source that has the same content already.

    Raises `DownloadRefused`, `UnreadableFile`, `SlackRefused`; and, worth another attempt, `DownloadInterrupted`,
    `SlackUnavailable`, `CorpusAway`.
    """
    report("Téléchargement")
    slack = ingestion.slack.of(row["team_id"])
    file, client = await file_info(slack, row["file_id"]), slack.reader
    digest = await download(file, path, token=client.token or "", api_url=client.base_url, most=MOST_BYTES)
    same = await ingestion.database.write(lambda c: sources.claim_content(c, row, digest))
    if same is not None:
        return str(same["source_id"])
    report("Lecture")
    read = await read_file(path, name=row["name"])
    document = _document(read, row)
    passages = len(await asyncio.to_thread(chunk, document))
    if not passages:
        raise UnreadableFile("Ce fichier ne contient aucun texte.")
    report(f"Indexation : 0 / {passages} passages")
    without_vectors = await _indexed(ingestion, row, document, passages, report=report)
    skipped = (*read.skipped, *((WORDS_ONLY,) if without_vectors else ()))
    return Taken(digest, read.kind, read.pages, passages, skipped)


def _document(read: ReadFile, row: Row) -> Document:
    """Cited under the name that people know the file by; text is data, so tenant and audience come from the click."""
    named = replace(read, title=row["name"])
    return upload_document(
        named, id=row["source_id"], url=row["url"], audience=row["audience"], published=None, category="methodology"
    )


async def _indexed(
    ingestion: FileIngestion, row: Row, document: Document, passages: int, *, report: Callable[[str], None]
) -> bool:
    """Whether it could only be indexed by its words."""
    began, so_far = time.monotonic(), 0

    def advance(some: int) -> None:
        nonlocal so_far
        so_far += some
        report(f"Indexation : {so_far} / {passages} passages{_left(time.monotonic() - began, so_far, passages)}")

    embedder = Counted(ingestion.embedder, advance) if ingestion.embedder else None
    try:
        done = await ingest([document], index=ingestion.index, embedder=embedder, tenant=row["team_id"])
    except (IndexUnavailable, StaleIndex) as error:
        raise CorpusAway from error
    return embedder is None or done.without_vectors > 0


def _left(seconds: float, done: int, total: int) -> str:
    """How long it will still take, from a minute on."""
    minutes = round(seconds / done * (total - done) / 60)
    return f", encore {minutes} min environ" if minutes else ""


async def remove_file(ingestion: FileIngestion, subject: str) -> None:
    """removing -> removed, once its passages are out of the index."""
    row = await row_of(ingestion, subject)
    if row["state"] != "removing":
        return
    try:
        held = await ingestion.index.digests(tenant=row["team_id"])
        own = [name for name in held if name.partition("/")[0] == row["source_id"]]  # a feed has several documents
        await ingestion.index.delete(own, tenant=row["team_id"])
    except IndexUnavailable as error:
        raise CorpusAway from error
    await move(ingestion, row, "removed", expected="removing", actor=row["removed_by"])


async def give_up(ingestion: FileIngestion, subject: str, error: BaseException) -> None:
    """adding -> failed, with nothing left in the index; a removal that failed leaves the source, and says so."""
    row = await row_of(ingestion, subject)
    if row["state"] == "removing":
        log.error("file_not_removed", reference=reference(row), error=repr(error), exc_info=error)
        reason = f"Le retrait n'a pas abouti (référence {reference(row)}) : réessayez."
        await move(ingestion, row, "ready", expected="removing", reason=reason, removed_by=None, removed_at=None)
        return
    with contextlib.suppress(CorpusError):
        await ingestion.index.delete([row["source_id"]], tenant=row["team_id"])
    await _fail(ingestion, row, error)


async def find_files(ingestion: FileIngestion, answer_id: AnswerId) -> None:
    """After a mention whose `message` event never came: load it again for the files that it turns out to carry. And
    after a message with files of another workspace, which say nothing of themselves: ask Slack for each."""
    _, team_id, channel, ts = answer_id.split(":")
    message = await one_message(ingestion.slack.of(team_id), channel, ts)
    files = dropped_files((message or {}).get("files") or ())
    if message is None or not files:
        return
    inbound = Inbound(
        team_id=team_id,
        event_id=answer_id,
        channel=channel,
        channel_type=UNKNOWN_PLACE,
        ts=ts,
        thread_ts=str(message.get("thread_ts") or ts),
        user_id=str(message.get("user") or ""),
        text="",
    )
    told = [await _told(ingestion.slack.of(team_id), file) if file.untold else file for file in files]
    await ingestion.database.write(lambda c: uploads.offer(c, inbound, told))


async def _told(slack: Slack, file: DroppedFile) -> DroppedFile:
    """What `files.info` says of it, or Slack's own reason for saying nothing. Raises `SlackUnavailable`."""
    try:
        info = await file_info(slack, file.file_id)
    except SlackRefused as refusal:
        log.warning("file_not_told", code=refusal.code)
        return replace(file, trouble=NOT_GIVEN.get(refusal.code, file.trouble))
    (found,) = dropped_files([{**info, "id": file.file_id}])
    return found


async def _ready(ingestion: FileIngestion, row: Row, taken: Taken) -> None:
    await move(
        ingestion,
        row,
        "ready",
        actor=row["decided_by"],
        digest=taken.digest,
        kind=taken.kind,
        pages=taken.pages,
        passages=taken.passages,
        documents=1,
        skipped=list(taken.skipped),
    )
    log.info("file_added", source=row["source_id"][:12], kind=taken.kind, pages=taken.pages, passages=taken.passages)


async def _fail(ingestion: FileIngestion, row: Row, error: BaseException) -> None:
    expected = isinstance(error, BotError | CorpusError)
    log.error(
        "file_not_added",
        reference=reference(row),
        kind=row["kind"],
        size=row["size"],
        error=type(error).__name__,  # its sentence may hold the file's name
        exc_info=None if expected else error,
    )
    await move(ingestion, row, "unreadable" if isinstance(error, UnreadableFile) else "failed", reason=_sentence(error))


def _sentence(error: BaseException) -> str:
    """What the card says of a failure."""
    if isinstance(error, SlackRefused):
        return NOT_GIVEN.get(error.code, LOST)
    return str(error) if isinstance(error, BotError | CorpusError) else LOST


def _quietly(_step: str) -> None:
    """No card to show progress on."""
