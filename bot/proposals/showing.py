"""Proposals' cards in their thread: posted once, and brought to what the row says after every change."""

import hashlib

import structlog

from bot.ports import AnswerId
from bot.proposals.batches import batch_key
from bot.slack.blocks.batches import batch_blocks, batch_text
from bot.slack.blocks.cards import card_blocks, card_text
from bot.slack.delivery import GONE, Blocks, SlackRefused, ThreadRef, Workspaces, post_once, real_name, update
from bot.store import proposals
from bot.store.database import Database
from bot.store.tables import Row

log = structlog.get_logger()


async def offer(database: Database, slack: Workspaces, answer_id: AnswerId) -> None:
    """One message a proposal, found by its id before it is posted again."""
    for row in await database.read(lambda c: proposals.of_answer(c, answer_id)):
        if row["card_ts"]:
            continue
        proposal_id = row["proposal_id"]
        ts = await post_once(
            slack.of(row["team_id"]),
            where(row),
            key=hashlib.sha256(proposal_id.encode()).hexdigest(),
            text=card_text(row),
            blocks=card_blocks(row),
            maybe_posted=True,
        )
        await database.write(lambda c, p=proposal_id, t=ts: proposals.carded(c, p, card_ts=t))  # type: ignore[misc]
        # Somebody may have clicked before the card had its ts: a card is new only while its proposal is.
        await show_card(
            database, slack, proposal_id, shown=_looks(row) if row["state"] == "offered" else None, alone=True
        )
    await _offer_batch(database, slack, answer_id)


async def _offer_batch(database: Database, slack: Workspaces, answer_id: AnswerId) -> None:
    """Below the cards of an answer that has several: one message to decide on all, and to read how each ended."""
    rows = await database.read(lambda c: proposals.of_answer(c, answer_id))
    if len(rows) < 2:
        return
    if not rows[0]["batch_ts"]:
        key = hashlib.sha256(f"batch:{answer_id}".encode()).hexdigest()
        text, blocks = batch_text(rows), batch_blocks(rows, key=batch_key(rows))
        team = slack.of(rows[0]["team_id"])
        ts = await post_once(team, where(rows[0]), key=key, text=text, blocks=blocks, maybe_posted=True)
        await database.write(lambda c: proposals.batched(c, answer_id, batch_ts=ts))
    await show_batch(database, slack, answer_id)


async def identify(database: Database, slack: Workspaces, proposal_id: str) -> None:
    """The approver's name as colleagues know it, for the note's signature; a click only brings the handle."""
    row = await database.read(lambda c: proposals.find(c, proposal_id))
    if row is not None and (name := await real_name(slack.of(row["team_id"]), row["decided_by"])):
        await database.write(lambda c: proposals.named(c, proposal_id, name=name))


async def show_card(
    database: Database, slack: Workspaces, proposal_id: str, *, shown: object = None, alone: bool = False
) -> None:
    """Bring the card to what the row says, in its newest version. A click and its job may both be at it: each looks
    again after its own update, so that the one that lands last shows what stands. `shown` is what the card is known to
    show; `alone`: the message for all is brought up to date by somebody else."""
    while (row := await database.read(lambda c: proposals.newest(c, proposal_id))) is not None:
        if not row["card_ts"] or _looks(row) == shown:
            break
        if not await _updated(slack, row, row["card_ts"], text=card_text(row), blocks=card_blocks(row)):
            break
        shown = _looks(row)
    if row is not None and row["batch_ts"] and not alone:
        await show_batch(database, slack, row["answer_id"])


async def show_batch(database: Database, slack: Workspaces, answer_id: str) -> None:
    """The message for all, as `show_card` does; nothing where there is none."""
    shown: object = None
    while rows := await database.read(lambda c: proposals.of_answer(c, AnswerId(answer_id))):
        looks = [_looks(row) for row in rows]
        if not rows[0]["batch_ts"] or looks == shown:
            return
        text, blocks = batch_text(rows), batch_blocks(rows, key=batch_key(rows))
        if not await _updated(slack, rows[0], rows[0]["batch_ts"], text=text, blocks=blocks):
            return
        shown = looks


async def _updated(slack: Workspaces, row: Row, ts: str, *, text: str, blocks: Blocks) -> bool:
    """False where somebody deleted the message: the row decides, a card is only its view."""
    try:
        await update(slack.of(row["team_id"]), where(row), ts, text=text, blocks=blocks)
    except SlackRefused as refusal:
        if refusal.code not in GONE:
            raise
        log.warning("card_gone", proposal=row["proposal_id"][:8], code=refusal.code)
        return False
    return True


def _looks(row: Row) -> object:
    seen = ("proposal_id", "state", "reason", "crm_id", "crm_url", "resolved_by", "undone_by", "undone_at")
    return tuple(row[name] for name in seen)


def where(row: Row) -> ThreadRef:
    """The thread that an answer or a proposal belongs to; nothing of ours there is older than the question."""
    return ThreadRef(row["channel"], row["thread_ts"], after=row["answer_id"].rpartition(":")[2])
