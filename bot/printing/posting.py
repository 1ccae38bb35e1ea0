"""An answer's sheet, put into its thread by a job, once however often it is asked for."""

import asyncio
import hashlib
from dataclasses import dataclass
from functools import partial
from typing import Final

import sqlalchemy as sa
import structlog

from bot.errors import reference_of
from bot.pictures.choosing import stored
from bot.pictures.drawing import alt_text, picture
from bot.ports import AnswerId, JobName, Visitor
from bot.printing.sheet import Letterhead, sheet
from bot.slack.delivery import ThreadRef, Workspaces, post_once
from bot.slack.thread_files import is_there, put
from bot.store import answers
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row

log = structlog.get_logger()
PATIENCE: Final = 600.0
"""Seconds that Slack is asked again to take it; then the thread is told."""
TRY: Final = "#"
ASKED: Final = "Je prépare le PDF : il arrive dans ce fil."
TWICE: Final = "Ce PDF a déjà été demandé : il est dans ce fil."
GONE: Final = "Cette réponse n'est plus disponible ici : reposez la question."
STRANGER: Final = "Seuls les membres de cet espace Slack demandent un PDF ici."
FAILED: Final = "Le PDF n'a pas pu être préparé ou déposé ici (référence `{reference}`)."


@dataclass(frozen=True, slots=True)
class Printing:
    """What it works with."""

    database: Database
    slack: Workspaces
    letterhead: Letterhead


def ask(
    connection: sa.Connection, answer_id: AnswerId, *, team_id: str, channel: str, by: Visitor, enqueue: Enqueue
) -> str:
    """Queue it, in the caller's transaction; the sentence for who clicked."""
    row = answers.find(connection, answer_id)
    if row is None or row["team_id"] != team_id or row["channel"] != channel or row["state"] != "published":
        return GONE
    if not by.belongs_to(team_id):
        return STRANGER
    number = answers.sheet_asked(connection, answer_id)
    if number is None:
        return TWICE
    enqueue(connection, JobName.PRINT, f"{answer_id}{TRY}{number}", f"{row['team_id']}:{row['thread_key']}")
    return ASKED


def printed(subject: str) -> AnswerId:
    """The subject of a job is the answer's id, and the number of the request for its sheet."""
    return AnswerId(subject.partition(TRY)[0])


async def post(printing: Printing, answer_id: AnswerId) -> None:
    """Repeats freely: it looks for its file first. Raises `SlackUnavailable`, `SlackRefused`, `OSError` for a
    logo that cannot be read."""
    row = await printing.database.read(lambda c: answers.get(c, answer_id))
    name = f"note-{hashlib.sha256(answer_id.encode()).hexdigest()[:10]}.pdf"
    place, slack = ThreadRef(row["channel"], row["thread_ts"]), printing.slack.of(row["team_id"])
    if not await is_there(slack, place, name):
        build = partial(asyncio.to_thread, made, row, printing.letterhead)
        await put(slack, place, name, build, title="Note d'information (PDF)")


def made(row: Row, letterhead: Letterhead) -> bytes:
    """The sheet with the pictures of its answer. Blocking: use a thread."""
    pictures = [(picture(chart), alt_text(chart)) for chart in stored((row["record"] or {}).get("charts", ()))]
    return sheet(row, letterhead=letterhead, reference=reference_of(row["answer_id"]), pictures=pictures)


async def given_up(printing: Printing, answer_id: AnswerId, error: BaseException) -> None:
    """The thread is told, with a reference; it may be asked for again."""
    reference = reference_of(answer_id)
    log.error("sheet_not_posted", reference=reference, answer_id=answer_id, error=repr(error), exc_info=error)
    row = await printing.database.read(lambda c: answers.get(c, answer_id))
    await printing.database.write(lambda c: answers.sheet_failed(c, answer_id))
    place, text = ThreadRef(row["channel"], row["thread_ts"]), FAILED.format(reference=reference)
    slack = printing.slack.of(row["team_id"])
    await post_once(slack, place, key=f"{answer_id}:sheet", text=text, blocks=None, maybe_posted=True)
