"""A thread of ours in which a program's proposals stand: any member of the team may decide there."""

from datetime import datetime

import sqlalchemy as sa

from bot.ports import AnswerId
from bot.proposals.lifecycle import Terms, rows_of
from bot.store import proposals
from bot.store import tables as t
from bot.store.inbox import insert_once, utc_now
from bot.store.keys import Key
from pipeline.action_types import ProposedAction


def remember(
    connection: sa.Connection,
    key: Key,
    actions: tuple[ProposedAction, ...],
    *,
    ts: str,
    text: str,
    words: str,
    terms: Terms,
    now: datetime,
) -> AnswerId:
    """The thread that our message `ts` opens in the key's channel, what it says, and its proposals, in the caller's
    transaction."""
    answer_id = AnswerId(f"api:{key.team_id}:{key.channel}:{ts}")
    thread = {"team_id": key.team_id, "thread_key": f"{key.channel}:{ts}", "channel": key.channel, "thread_ts": ts}
    insert_once(connection, t.thread, **thread, created_at=utc_now())
    asked = {
        **thread,
        "answer_id": answer_id,
        "channel_type": "channel",
        "asked_by": key.user_id,
        "question": words,
        "asked_at": utc_now(),
        "state": "published",
        "placeholder_ts": ts,
        "text": text,
        "refused": False,
        "answered_at": utc_now(),
        "visitor": key.visitor.kind,
        "visitor_team": key.team_id,
        "shared_channel": False,
    }
    connection.execute(t.answer.insert().values(**asked))
    for proposal in rows_of(actions, asked, terms=terms, now=now):
        proposals.offer(connection, **proposal)
    return answer_id
