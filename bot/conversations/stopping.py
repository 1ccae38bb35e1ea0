"""« Arrêter »: an answer that is still being made is given up within a second, and its place says so."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import sqlalchemy as sa
import structlog

from bot.ports import AnswerId, Visitor
from bot.store import answers, audit, threads
from bot.store.database import Database

log = structlog.get_logger()
LOOK_SECONDS: Final = 0.4
"""Between two looks at whether somebody stopped it; whoever clicked may have reached another process."""
STOPPED: Final = "Réponse arrêtée avant la fin : rien n'en est publié. Reposez la question quand vous voulez."
LATE: Final = "Trop tard pour l'arrêter : la réponse est prête."
UNKNOWN: Final = "Je ne connais pas cette réponse ici : rien n'a été arrêté."
STRANGER: Final = "Seuls qui a posé la question et les membres de cet espace Slack arrêtent une réponse."
T = TypeVar("T")


def stop(connection: sa.Connection, answer_id: AnswerId, *, team_id: str, channel: str, by: Visitor) -> str:
    """Why nothing was stopped, or "". What is remembered instead of the answer is published like one, so that a crash
    or a repeated step changes nothing; the thread goes on from where it was."""
    row = answers.find(connection, answer_id)
    if row is None or row["team_id"] != team_id or row["channel"] != channel:
        return UNKNOWN
    if by.user_id != row["asked_by"] and not by.belongs_to(team_id):
        return STRANGER
    record: dict[str, Any] = {"route": {"mode": "none", "intent": "stopped"}, "stopped_by": by.user_id}
    before = dict(threads.memory(connection, row) or {})
    if not answers.thought(connection, answer_id, text=STOPPED, record=record, memory=before, refused=False):
        return LATE
    audit.record(connection, team_id=team_id, actor=by.user_id, event="answer_stopped", subject=answer_id)
    return ""


def is_stopped(connection: sa.Connection, answer_id: AnswerId) -> bool:
    """By somebody: an answer that has just been remembered is made, and not stopped."""
    if not answers.is_thought(connection, answer_id):
        return False
    return "stopped_by" in (answers.get(connection, answer_id)["record"] or {})


async def unless_stopped(making: Coroutine[Any, Any, T], database: Database, answer_id: AnswerId) -> T | None:
    """What `making` gives; None where somebody stopped it, as soon as that is seen."""
    made = asyncio.create_task(making)
    looking = asyncio.create_task(_stopped(database, answer_id))
    try:
        await asyncio.wait({made, looking}, return_when=asyncio.FIRST_COMPLETED)
        return made.result() if made.done() else None
    finally:
        for task in (made, looking):
            task.cancel()
        await asyncio.gather(made, looking, return_exceptions=True)


async def _stopped(database: Database, answer_id: AnswerId) -> None:
    """Ends when it is. A database that fails meanwhile is the answer's trouble, not this look's."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            if await database.read(lambda c: is_stopped(c, answer_id)):
                return
        except (sa.exc.SQLAlchemyError, TimeoutError) as error:
            log.warning("stop_not_looked_at", answer_id=answer_id, error=repr(error))
