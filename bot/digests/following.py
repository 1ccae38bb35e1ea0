"""What comes after a posted digest: its thread knows it, and its deals get the cards that a click may write."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.digests.content import record_of
from bot.digests.deals import OpenDeal, action_for
from bot.ports import NOBODY, AnswerId
from bot.proposals.lifecycle import Terms, rows_of
from bot.store import digests, proposals
from bot.store import tables as t
from bot.store.digests import Key
from bot.store.inbox import insert_once, utc_now
from pipeline.action_types import ProposedAction
from pipeline.reading import Intent
from pipeline.thread_state import Frame, ThreadState, to_json
from pipeline.types import Figure

QUESTION: Final = "Le point de la semaine"
INTENTS: Final[Mapping[str, Intent]] = {
    "price": "prices", "status": "status", "risk": "risks", "rule": "rules", "news": "rules",
}  # fmt: skip
"""What somebody would have asked to be told a line of that kind."""


def answer_id_of(key: Key, ts: str) -> AnswerId:
    """In the shape of every answer's id: it ends with the ts of the message that opens its thread."""
    return AnswerId(f"digest:{key[0]}:{key[1]}:{ts}")


def remember(
    connection: sa.Connection,
    key: Key,
    content: Mapping[str, Any],
    *,
    ts: str,
    deals: Sequence[OpenDeal],
    terms: Terms,
    now: datetime,
) -> bool:
    """posting -> posted, with the thread, the answer that it opens with and its proposals, in one transaction. False
    where that was done before."""
    team_id, channel, _year, _week = key
    if not digests.move(connection, key, old=("posting",), new="skipped_late" if content["late"] else "posted", ts=ts):
        return False
    answer_id, thread_key = answer_id_of(key, ts), f"{channel}:{ts}"
    opened = {"thread_key": thread_key, "channel": channel, "thread_ts": ts, "created_at": utc_now()}
    insert_once(connection, t.thread, team_id=team_id, **opened)
    communes = list(dict.fromkeys(code for item in content["items"] for code in item["communes"]))
    schemes = list(dict.fromkeys(name for item in content["items"] for name in item["schemes"]))
    asked = {
        "answer_id": answer_id,
        "team_id": team_id,
        "thread_key": thread_key,
        "channel": channel,
        "channel_type": "im" if channel.startswith("D") else "channel",
        "thread_ts": ts,
        "asked_by": NOBODY,
        "question": QUESTION,
        "asked_at": utc_now(),
        "state": "published",
        "placeholder_ts": ts,
        "text": content["text"],
        "communes": communes,
        "schemes": schemes,
        "record": record_of(content),
        "memory": memory_of(content),
        "refused": False,
        "answered_at": utc_now(),
        "visitor": "member",
        "visitor_team": team_id,
        "shared_channel": not content["trusted"],
    }
    connection.execute(t.answer.insert().values(**asked))
    if names_deals(content):
        for proposal in rows_of(tuple(_actions(content, deals, now)), asked, terms=terms, now=now):
            proposals.offer(connection, **proposal)
    return True


def names_deals(content: Mapping[str, Any]) -> bool:
    """Whether its channel was open to deals when it was frozen; a digest from before that was asked goes by its
    readers."""
    return bool(content.get("deals", content["trusted"]))


def memory_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The thread's state as if each line had been asked for: its communes, schemes and figures can be spoken of. What
    « cette hausse » means is the first price, else the first line."""
    state = ThreadState()
    told = [item for item in content["items"] if item["kind"] in INTENTS][::-1]
    for item in sorted(told, key=lambda line: line["kind"] == "price"):
        figures = tuple(Figure(label, value, unit) for label, value, unit in item["figures"])
        frame = Frame(
            kind=INTENTS[item["kind"]],
            query=item["text"],
            communes=tuple(item["communes"]),
            schemes=tuple(item["schemes"][:1]),
            results=figures,
        )
        state = state.after(QUESTION, frame.kind, frame)
    return to_json(state)


def _actions(content: Mapping[str, Any], deals: Sequence[OpenDeal], now: datetime) -> Iterator[ProposedAction]:
    """One a deal that the digest names and that is still open."""
    known = {each.deal.id: each for each in deals}
    told = [item for item in content["items"] if item["kind"] != "deal"]
    for item in content["items"]:
        if item["kind"] != "deal" or (each := known.get(item["deal_id"])) is None:
            continue
        touching = [other for other in told if _shared(other, item)]
        touching.sort(key=_is_ahead, reverse=True)
        ahead = any(map(_is_ahead, touching))
        lines = [other["text"] for other in touching] or [item["text"]]
        action = action_for(each.deal, lines, title=content["title"], ahead=ahead, now=now.astimezone(UTC))
        if action is not None:
            yield action


def _is_ahead(item: Mapping[str, Any]) -> bool:
    return str(item["key"]).endswith(":ahead")


def _shared(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(set(one["communes"]) & set(other["communes"]) or set(one["schemes"]) & set(other["schemes"]))
