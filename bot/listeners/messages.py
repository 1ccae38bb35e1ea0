"""Messages in: committed with their jobs before Slack gets its ack, or left alone with a reason in the log."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from bot.conversations.addressing import Candidate, files_are_for_us, is_for_us, is_question, may_be_soon, read_event
from bot.documents import uploads
from bot.engine import Engine
from bot.listeners.twins import Twins
from bot.listeners.visitors import Visitors
from bot.ports import JobName
from bot.store import inbox
from bot.store.database import Database
from bot.store.inbox import Enqueue
from pipeline.metering.telemetry import SILENT, Telemetry

log = structlog.get_logger()
SPOKEN = {"message", "app_mention"}
ACK = BoltResponse(status=200, body="")
TWIN_SECONDS = 0.7
"""How long a mention waits for its twin, the `message` event, which alone carries files; well within the ack."""
QUESTION_WAITS = (0.1, 0.2, 0.4, 0.8)
"""Seconds that a follow-up waits for its question; one that comes later is looked after by that question's job."""


def register(
    app: AsyncApp, *, database: Database, engine: Engine, visitors: Visitors, telemetry: Telemetry = SILENT
) -> None:
    twins = Twins()

    @app.middleware
    async def keep(
        body: dict[str, Any], context: AsyncBoltContext, next: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Bolt acks an event before its listener runs; only a middleware can commit first.

        A database that fails raises here: no ack, Slack delivers again.
        """
        event = body.get("event") or {}
        if body.get("type") != "event_callback" or event.get("type") not in SPOKEN:
            await next()
            return None
        candidate = read_event(body, bot_user_id=context.bot_user_id or "")
        if isinstance(candidate, str):
            log.info("message_left_alone", reason=candidate, channel=event.get("channel"), ts=event.get("ts"))
            return ACK
        if not candidate.whole and await twins.wait(candidate.message.answer_id, TWIN_SECONDS):
            log.info("message_left_alone", reason="already claimed", channel=event.get("channel"), ts=event.get("ts"))
            return ACK
        if candidate.may_be_for_us:
            visitor = await visitors.of_event(body, user_id=candidate.message.user_id)
            candidate = replace(candidate, message=replace(candidate.message, visitor=visitor))
        message = candidate.message
        reason, offered = await kept(database, candidate, enqueue=engine.enqueue)
        if candidate.whole and not reason:
            twins.kept(message.answer_id)
        telemetry.event("received", outcome="left_alone" if reason else "kept")
        if reason:
            log.info("message_left_alone", reason=reason, channel=message.channel, ts=message.ts, files=offered)
        else:
            log.info("message_kept", answer_id=message.answer_id, characters=len(message.text), files=offered)
        return ACK


async def kept(database: Database, candidate: Candidate, *, enqueue: Enqueue) -> tuple[str, int]:
    """As `_claimed`; a follow-up waits a while for the question that it follows, whose event is handled beside it."""
    reason, offered = await database.write(lambda c: _claimed(c, candidate, enqueue))
    for seconds in QUESTION_WAITS if may_be_soon(candidate, reason) else ():
        await asyncio.sleep(seconds)
        if await database.read(lambda c: is_for_us(c, candidate)) is None:
            return await database.write(lambda c: _claimed(c, candidate, enqueue))
    return reason, offered


def _claimed(connection: Any, candidate: Candidate, enqueue: Enqueue) -> tuple[str, int]:
    """(why nobody awaits an answer, or "", files offered), in one transaction with the jobs."""
    message, offered = candidate.message, 0
    reason = is_for_us(connection, candidate)
    files = candidate.files if files_are_for_us(connection, candidate) else ()
    if files or not reason:
        first = inbox.claim(connection, message, kind="files")
        untold = any(file.untold for file in files)
        if first and files and not untold:
            offered = uploads.offer(connection, message, files)
        if offered or (first and (untold or not candidate.whole)):
            job = JobName.OFFER_FILES if offered else JobName.FIND_FILES
            enqueue(connection, job, message.answer_id, f"files:{message.thread_key}")
    if reason:
        return reason, offered
    presents = bool(files) and not is_question(message.text)
    new = inbox.accept(connection, message, enqueue=enqueue, silently=presents)
    return "" if new else "already claimed", offered
