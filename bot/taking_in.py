"""The steps of a dropped file: its card, then download -> read -> index with visible progress, then its removal."""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import structlog

from bot import uploads
from bot.blocks.uploads import file_blocks, file_text
from bot.delivery import GONE, Blocks, Place, Progress, Slack, SlackRefused, file_info, one_message, post_once, update
from bot.downloads import GONE_FILE, SIGN_IN, DownloadRefused, download
from bot.errors import BotError, CorpusAway, reference_of
from bot.files import MOST_BYTES, dropped_files
from bot.progress import Counted
from bot.store import sources
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.tables import Row
from corpus.chunking import chunk
from corpus.errors import CorpusError, IndexUnavailable, StaleIndex, UnreadableFile
from corpus.ingest import ingest
from corpus.ports import Embedder, PassageIndex
from corpus.sources.files.reading import read_file, upload_document
from corpus.sources.files.values import ReadFile
from corpus.types import Document

log = structlog.get_logger()

PROGRESS_SECONDS = 4.0
"""Between two updates of a card: three files at once stay below Slack's 50 a minute."""
WORDS_ONLY = "Recherche par le sens indisponible pour l'instant : ce fichier est cherché par mots seulement."
UNKNOWN_PLACE = "unknown"
"""A mention does not say what kind of conversation it comes from: the careful one is assumed."""
LOST = "Une erreur technique a interrompu l'ajout."


@dataclass(frozen=True, slots=True)
class Desk:
    """What these steps work with; `folder` holds a file only while it is read."""

    database: Database
    slack: Slack
    index: PassageIndex
    embedder: Embedder | None
    folder: Path


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that is in the index: what its card and its row say of it."""

    digest: str
    kind: str
    pages: int | None
    passages: int
    skipped: tuple[str, ...]


async def offer_cards(desk: Desk, answer_id: str) -> None:
    """One card for each file of a message, in its order; found by its key before it is posted again."""
    _, team_id, channel, ts = answer_id.split(":")
    for row in await desk.database.read(
        lambda c: sources.of_message(c, team_id=team_id, channel=channel, message_ts=ts)
    ):
        if row["card_ts"]:
            continue
        subject = uploads.subject_of(team_id, row["source_id"])
        key = hashlib.sha256(subject.encode()).hexdigest()
        blocks = file_blocks(row)
        posted = await post_once(desk.slack, where(row), key=key, text=file_text(row), blocks=blocks, maybe_posted=True)
        await _change(desk, row, card_ts=posted)
        # Somebody may have clicked before the card had its ts.
        await show_card(desk, subject, shown=row["state"])


async def take_in(desk: Desk, subject: str) -> None:
    """adding -> ready | duplicate | failed. Repeats from the start: until the index has it whole, it has nothing."""
    row = await _row(desk, subject)
    if row["state"] != "adding":
        return
    progress = Progress(
        desk.slack, where(row), row["card_ts"], every=PROGRESS_SECONDS, look=lambda step: file_blocks(row, step=step)
    )
    path = desk.folder / hashlib.sha256(subject.encode()).hexdigest()
    try:
        taken = await _taken(desk, row, path, report=progress if row["card_ts"] else _quietly)
    except (DownloadRefused, UnreadableFile, SlackRefused) as error:
        await _fail(desk, row, error)
        return
    finally:
        path.unlink(missing_ok=True)
        await progress.stop()
    if isinstance(taken, Taken):
        await _ready(desk, row, taken)
    else:
        await _move(desk, row, "duplicate", reason=taken)


async def _taken(desk: Desk, row: Row, path: Path, *, report: Callable[[str], None]) -> Taken | str:
    """What is in the index now, or the id of the source that has the same content already.

    Raises `DownloadRefused`, `UnreadableFile`, `SlackRefused`; and, worth another attempt, `DownloadInterrupted`,
    `SlackUnavailable`, `CorpusAway`.
    """
    report("Téléchargement")
    file = await file_info(desk.slack, row["file_id"])
    client = desk.slack.reader
    digest = await download(file, path, token=client.token or "", api_url=client.base_url, most=MOST_BYTES)
    same = await desk.database.write(lambda c: sources.claim_content(c, row, digest))
    if same is not None:
        return str(same["source_id"])
    report("Lecture")
    read = await read_file(path, name=row["name"])
    document = _document(read, row)
    passages = len(await asyncio.to_thread(chunk, document))
    if not passages:
        raise UnreadableFile("Ce fichier ne contient aucun texte.")
    report(f"Indexation : 0 / {passages} passages")
    without_vectors = await _indexed(desk, row, document, passages, report=report)
    skipped = (*read.skipped, *((WORDS_ONLY,) if without_vectors else ()))
    return Taken(digest, read.kind, read.pages, passages, skipped)


def _document(read: ReadFile, row: Row) -> Document:
    """Cited under the name that people know the file by; text is data, so tenant and audience come from the click."""
    named = replace(read, title=row["name"])
    return upload_document(
        named, id=row["source_id"], url=row["url"], audience=row["audience"], published=None, category="methodology"
    )


async def _indexed(desk: Desk, row: Row, document: Document, passages: int, *, report: Callable[[str], None]) -> bool:
    """Whether it could only be indexed by its words."""
    began, so_far = time.monotonic(), 0

    def advance(some: int) -> None:
        nonlocal so_far
        so_far += some
        report(f"Indexation : {so_far} / {passages} passages{_left(time.monotonic() - began, so_far, passages)}")

    embedder = Counted(desk.embedder, advance) if desk.embedder else None
    try:
        done = await ingest([document], index=desk.index, embedder=embedder, tenant=row["team_id"])
    except (IndexUnavailable, StaleIndex) as error:
        raise CorpusAway from error
    return embedder is None or done.without_vectors > 0


def _left(seconds: float, done: int, total: int) -> str:
    """How long it will still take, from a minute on."""
    minutes = round(seconds / done * (total - done) / 60)
    return f", encore {minutes} min environ" if minutes else ""


async def take_out(desk: Desk, subject: str) -> None:
    """removing -> removed, once its passages are out of the index."""
    row = await _row(desk, subject)
    if row["state"] != "removing":
        return
    try:
        held = await desk.index.digests(tenant=row["team_id"])
        own = [name for name in held if name.partition("/")[0] == row["source_id"]]  # a feed has several documents
        await desk.index.delete(own, tenant=row["team_id"])
    except IndexUnavailable as error:
        raise CorpusAway from error
    await _move(desk, row, "removed", expected="removing", actor=row["removed_by"])


async def give_up(desk: Desk, subject: str, error: BaseException) -> None:
    """adding -> failed, with nothing left in the index; a removal that failed leaves the source, and says so."""
    row = await _row(desk, subject)
    if row["state"] == "removing":
        log.error("file_not_removed", reference=_reference(row), error=repr(error), exc_info=error)
        reason = f"Le retrait n'a pas abouti (référence {_reference(row)}) : réessayez."
        await _move(desk, row, "ready", expected="removing", reason=reason, removed_by=None, removed_at=None)
        return
    with contextlib.suppress(CorpusError):
        await desk.index.delete([row["source_id"]], tenant=row["team_id"])
    await _fail(desk, row, error)


async def find_files(desk: Desk, answer_id: str) -> None:
    """After a mention whose `message` event never came: load it again for the files that it turns out to carry."""
    _, team_id, channel, ts = answer_id.split(":")
    message = await one_message(desk.slack, channel, ts)
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
    await desk.database.write(lambda c: uploads.offer(c, inbound, files))


async def show_card(desk: Desk, subject: str, *, shown: str = "") -> None:
    """Bring the card to what the row says; whoever updates last looks again, so that what stands is shown."""
    while True:
        row = await _row(desk, subject)
        if not row["card_ts"] or row["state"] == shown:
            return
        twin = await _twin(desk, row)
        blocks: Blocks = file_blocks(row, reference=_reference(row), twin=twin)
        try:
            await update(desk.slack, where(row), row["card_ts"], text=file_text(row), blocks=blocks)
        except SlackRefused as refusal:
            if refusal.code not in GONE:
                raise
            log.warning("card_gone", source=row["source_id"][:12], code=refusal.code)
            return
        shown = row["state"]


async def _ready(desk: Desk, row: Row, taken: Taken) -> None:
    await _move(
        desk,
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


async def _fail(desk: Desk, row: Row, error: BaseException) -> None:
    reference = _reference(row)
    log.error("file_not_added", reference=reference, kind=row["kind"], size=row["size"], error=repr(error))
    await _move(desk, row, "unreadable" if isinstance(error, UnreadableFile) else "failed", reason=_sentence(error))


def _reference(row: Row) -> str:
    return reference_of(uploads.subject_of(row["team_id"], row["source_id"]))


def _sentence(error: BaseException) -> str:
    """What the card says of a failure."""
    if isinstance(error, SlackRefused):
        return {"file_not_found": GONE_FILE, "file_deleted": GONE_FILE, "missing_scope": SIGN_IN}.get(error.code, LOST)
    return str(error) if isinstance(error, BotError | CorpusError) else LOST


async def _twin(desk: Desk, row: Row) -> Row | None:
    """The source that a duplicate repeats, as long as it stands."""
    if row["state"] != "duplicate":
        return None
    found = await desk.database.read(lambda c: sources.find(c, row["reason"], team_id=row["team_id"]))
    return found if found is not None and found["state"] in {"adding", "ready"} else None


async def _row(desk: Desk, subject: str) -> Row:
    team_id, source_id = uploads.named_by(subject)
    return await desk.database.read(lambda c: sources.get(c, source_id, team_id=team_id))


async def _change(desk: Desk, row: Row, **values: Any) -> None:
    await desk.database.write(lambda c: sources.change(c, row["source_id"], team_id=row["team_id"], **values))


async def _move(desk: Desk, row: Row, to: str, *, expected: str = "adding", **values: Any) -> bool:
    return await desk.database.write(
        lambda c: sources.move(c, row["source_id"], team_id=row["team_id"], expected=(expected,), to=to, **values)
    )


def where(row: Row) -> Place:
    """The thread that the file was dropped into."""
    return Place(row["channel"], row["thread_ts"], after=row["thread_ts"])


def _quietly(_step: str) -> None:
    """No card to show progress on."""
