"""The durable jobs: a few repeatable steps each, ids as their only arguments."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from bot import conversation, writing
from bot.blocks.answers import answer_blocks, answer_text, failure_text, working_text
from bot.blocks.cards import card_blocks, card_text
from bot.delivery import GONE, Place, Progress, Slack, SlackRefused, post_once, real_name, update
from bot.engine import Job, Step
from bot.ports import CrmWriter
from bot.proposals import Terms
from bot.store import answers, proposals
from bot.store.database import Database
from bot.store.tables import Row
from pipeline.ports import Deps

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Rooms:
    """What the jobs work with. `writer` is None where no CRM is connected."""

    database: Database
    slack: Slack
    deps: Deps
    writer: CrmWriter | None
    terms: Terms


def jobs_of(rooms: Rooms) -> Mapping[str, Job]:
    """reply: answer a message in its thread. perform: write an approved proposal. undo: take a write back."""

    async def reply(step: Step, answer_id: str) -> None:
        await step("place", lambda subject: place(rooms, subject), answer_id)
        await step("think", lambda subject: think(rooms, subject), answer_id)
        await step("publish", lambda subject: publish(rooms, subject), answer_id)
        await step("offer", lambda subject: offer(rooms, subject), answer_id)

    async def perform(step: Step, proposal_id: str) -> None:
        await step("identify", lambda subject: identify(rooms, subject), proposal_id)
        await step("execute", lambda subject: writing.execute(rooms.database, rooms.writer, subject), proposal_id)
        await step("show", lambda subject: show_card(rooms, subject), proposal_id)

    async def undo(step: Step, proposal_id: str) -> None:
        await step("undo", lambda subject: writing.take_back(rooms.database, rooms.writer, subject), proposal_id)
        await step("show", lambda subject: show_card(rooms, subject), proposal_id)

    async def reply_failed(answer_id: str, error: BaseException) -> None:
        await confess(rooms, answer_id, error)

    async def write_failed(proposal_id: str, error: BaseException) -> None:
        await writing.give_up(rooms.database, proposal_id, error)
        await show_card(rooms, proposal_id)

    return {
        "reply": Job(run=reply, failed=reply_failed),
        "perform": Job(run=perform, failed=write_failed),
        "undo": Job(run=undo, failed=write_failed),
    }


async def place(rooms: Rooms, answer_id: str) -> None:
    """Post the placeholder once: the intent is committed before the call, so a crash leads to a search."""
    row = await rooms.database.read(lambda c: answers.get(c, answer_id))
    if row["placeholder_ts"]:
        return
    maybe_posted = row["state"] == "posting"
    if not maybe_posted:
        await rooms.database.write(lambda c: answers.about_to_post(c, answer_id))
    where = Place(row["channel"], row["thread_ts"])
    ts = await post_once(rooms.slack, where, key=answer_id, text=working_text(), blocks=None, maybe_posted=maybe_posted)
    await rooms.database.write(lambda c: answers.placed(c, answer_id, ts=ts))


async def think(rooms: Rooms, answer_id: str) -> None:
    row = await rooms.database.read(lambda c: answers.get(c, answer_id))
    if row["state"] in {"thought", "published"}:
        return
    progress = Progress(rooms.slack, Place(row["channel"], row["thread_ts"]), row["placeholder_ts"])
    try:
        result = await conversation.reply(
            answer_id, database=rooms.database, deps=rooms.deps, terms=rooms.terms, report=progress
        )
    finally:
        await progress.stop()
    log.info(
        "answered",
        answer_id=answer_id,
        mode=result.route.mode,
        intent=result.route.intent,
        refused=result.refused,
        citations=len(result.citations),
        dropped=result.sentences_dropped,
        degraded=result.degraded,
        seconds=round(result.seconds, 3),
    )


async def publish(rooms: Rooms, answer_id: str) -> None:
    """Repeats freely: an update is the same update twice."""
    row = await rooms.database.read(lambda c: answers.get(c, answer_id))
    await _show(rooms, Place(row["channel"], row["thread_ts"]), row["placeholder_ts"], answer_id, row)
    await rooms.database.write(lambda c: answers.shown(c, answer_id))


async def _show(rooms: Rooms, where: Place, ts: str, answer_id: str, row: Row) -> None:
    try:
        await update(rooms.slack, where, ts, text=answer_text(row), blocks=answer_blocks(row))
    except SlackRefused as refusal:
        if refusal.code not in GONE:
            raise
        # Somebody deleted the placeholder: the answer is still owed.
        key = f"{answer_id}:again"
        await post_once(
            rooms.slack, where, key=key, text=answer_text(row), blocks=answer_blocks(row), maybe_posted=True
        )


async def offer(rooms: Rooms, answer_id: str) -> None:
    """One message a proposal, found by its id before it is posted again."""
    for row in await rooms.database.read(lambda c: proposals.of_answer(c, answer_id)):
        if row["card_ts"]:
            continue
        proposal_id = row["proposal_id"]
        ts = await post_once(
            rooms.slack,
            Place(row["channel"], row["thread_ts"]),
            key=hashlib.sha256(proposal_id.encode()).hexdigest(),
            text=card_text(row),
            blocks=card_blocks(row),
            maybe_posted=True,
        )
        await rooms.database.write(lambda c, p=proposal_id, t=ts: proposals.carded(c, p, card_ts=t))  # type: ignore[misc]


async def identify(rooms: Rooms, proposal_id: str) -> None:
    """The approver's name as colleagues know it, for the note's signature; a click only brings the handle."""
    row = await rooms.database.read(lambda c: proposals.find(c, proposal_id))
    if row is not None and (name := await real_name(rooms.slack, row["decided_by"])):
        await rooms.database.write(lambda c: proposals.named(c, proposal_id, name=name))


async def show_card(rooms: Rooms, proposal_id: str) -> None:
    """Bring the card to what the row says."""
    row = await rooms.database.read(lambda c: proposals.find(c, proposal_id))
    if row is None or not row["card_ts"]:
        return
    where = Place(row["channel"], row["thread_ts"])
    try:
        await update(rooms.slack, where, row["card_ts"], text=card_text(row), blocks=card_blocks(row))
    except SlackRefused as refusal:
        if refusal.code not in GONE:
            raise
        log.warning("card_gone", proposal=proposal_id[:8], code=refusal.code)


async def confess(rooms: Rooms, answer_id: str, error: BaseException) -> None:
    """The thread gets a plain sentence and a reference; the log gets the error under the same reference."""
    reference = reference_of(answer_id)
    log.error("reply_failed", reference=reference, answer_id=answer_id, error=repr(error), exc_info=error)
    row = await rooms.database.read(lambda c: answers.get(c, answer_id))
    where = Place(row["channel"], row["thread_ts"])
    text = failure_text(reference)
    if row["placeholder_ts"]:
        try:
            await update(rooms.slack, where, row["placeholder_ts"], text=text, blocks=None)
        except SlackRefused as refusal:
            log.error("failure_not_shown", reference=reference, code=refusal.code)
    else:
        await post_once(rooms.slack, where, key=f"{answer_id}:failed", text=text, blocks=None, maybe_posted=True)
    await rooms.database.write(lambda c: answers.shown(c, answer_id, failed=True))


def reference_of(subject: str) -> str:
    """Eight characters that a user can read out and an administrator can search the log for."""
    return "QS-" + hashlib.sha256(subject.encode()).hexdigest()[:8].upper()
