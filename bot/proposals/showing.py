"""Proposals' cards in their thread: posted once, and brought to what the row says after every change."""

import hashlib

import structlog

from bot.ports import AnswerId
from bot.slack.blocks.cards import card_blocks, card_text
from bot.slack.delivery import GONE, Slack, SlackRefused, ThreadRef, post_once, real_name, update
from bot.store import proposals
from bot.store.database import Database
from bot.store.tables import Row

log = structlog.get_logger()


async def offer(database: Database, slack: Slack, answer_id: AnswerId) -> None:
    """One message a proposal, found by its id before it is posted again."""
    for row in await database.read(lambda c: proposals.of_answer(c, answer_id)):
        if row["card_ts"]:
            continue
        proposal_id = row["proposal_id"]
        ts = await post_once(
            slack,
            where(row),
            key=hashlib.sha256(proposal_id.encode()).hexdigest(),
            text=card_text(row),
            blocks=card_blocks(row),
            maybe_posted=True,
        )
        await database.write(lambda c, p=proposal_id, t=ts: proposals.carded(c, p, card_ts=t))  # type: ignore[misc]
        # Somebody may have clicked before the card had its ts: a card is new only while its proposal is.
        await show_card(database, slack, proposal_id, shown=_looks(row) if row["state"] == "offered" else None)


async def identify(database: Database, slack: Slack, proposal_id: str) -> None:
    """The approver's name as colleagues know it, for the note's signature; a click only brings the handle."""
    row = await database.read(lambda c: proposals.find(c, proposal_id))
    if row is not None and (name := await real_name(slack, row["decided_by"])):
        await database.write(lambda c: proposals.named(c, proposal_id, name=name))


async def show_card(database: Database, slack: Slack, proposal_id: str, *, shown: object = None) -> None:
    """Bring the card to what the row says. A click and its job may both be at it: each looks again after its own
    update, so that the one that lands last shows what stands. `shown` is what the card is known to show."""
    while (row := await database.read(lambda c: proposals.find(c, proposal_id))) is not None:
        if not row["card_ts"] or _looks(row) == shown:
            return
        try:
            await update(slack, where(row), row["card_ts"], text=card_text(row), blocks=card_blocks(row))
        except SlackRefused as refusal:
            if refusal.code not in GONE:
                raise
            log.warning("card_gone", proposal=proposal_id[:8], code=refusal.code)
            return
        shown = _looks(row)


def _looks(row: Row) -> object:
    return row["state"], row["reason"], row["crm_url"]


def where(row: Row) -> ThreadRef:
    """The thread that an answer or a proposal belongs to; nothing of ours there is older than the question."""
    return ThreadRef(row["channel"], row["thread_ts"], after=row["answer_id"].rpartition(":")[2])
