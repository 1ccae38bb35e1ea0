"""A question that comes neither from Slack nor through its jobs: claimed, answered and remembered as one there."""

import secrets
import time
from typing import Final

import sqlalchemy as sa

from bot.conversations import reply
from bot.conversations.budgets import Budgets
from bot.ports import Visitor
from bot.proposals.lifecycle import Terms
from bot.rights import DealReaders
from bot.store import inbox, threads
from bot.store.database import Database
from bot.store.inbox import Inbound
from pipeline.ports import Deps, Report, Show
from pipeline.steps import quietly
from pipeline.types import Answer

LONGEST_THREAD: Final = 32


async def answered(
    message: Inbound,
    *,
    database: Database,
    deps: Deps,
    budgets: Budgets,
    readers: DealReaders = DealReaders(),  # noqa: B008 - frozen
    report: Report = quietly,
    show: Show | None = None,
    asker_email: str = "",
) -> Answer:
    """The answer to this message, whose `deal_id`, if any, its thread is tied to first."""
    await database.write(lambda c: _claim(c, message))
    return await reply.answer_claimed(
        message.answer_id,
        database=database,
        deps=deps,
        terms=Terms(),
        report=report,
        show=show,
        asker_email=asker_email,
        budgets=budgets,
        readers=readers,
    )


def message_of(
    text: str, thread: str | None, *, by: Visitor, channel: str, channel_type: str, deal_id: str | None = None
) -> Inbound:
    """A message in the thread of this name or in one of its own, of the visitor's team."""
    ts = f"{time.time():.6f}.{secrets.token_hex(3)}"
    return Inbound(
        team_id=by.team_id,
        event_id=ts,
        channel=channel,
        channel_type=channel_type,
        ts=ts,
        thread_ts=(thread or ts)[:LONGEST_THREAD],
        user_id=by.user_id,
        text=text,
        deal_id=deal_id,
        visitor=by,
    )


def _claim(connection: sa.Connection, message: Inbound) -> None:
    inbox.accept(connection, message, enqueue=lambda *_: None)
    if message.deal_id:
        place = {"team_id": message.team_id, "thread_key": message.thread_key}
        threads.tie_to_deal(connection, **place, deal_id=message.deal_id)
