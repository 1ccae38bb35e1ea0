"""What the run comes to, read where people read it: the threads in Slack, the notes in HubSpot, the queue."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from bench.chaos.traffic import Talk, Traffic
from bot.engine import Letters
from bot.errors import StoreUnavailable

OPEN = ("approved", "executing", "undoing")


@dataclass(slots=True)
class Count:
    """All are 0 where every promise was kept. `lost`: questions without an answer, writes told without a note.
    `unfinished`: jobs and decisions that are still under way, or that ended without a word, and messages that grow."""

    lost: int = 0
    posted_twice: int = 0
    crm_twice: int = 0
    out_of_order: int = 0
    unfinished: int = 0

    @property
    def clean(self) -> bool:
        return not any(asdict(self).values())


def proposals_of(url: str) -> dict[str, tuple[str, str]]:
    """(id, state) by the id of the answer; one a note."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    query = sa.text("select answer_id, proposal_id, state from proposal")
    with engine.connect() as connection:
        return {answer_id: (proposal_id, state) for answer_id, proposal_id, state in connection.execute(query)}


def unfinished_jobs(url: str) -> int:
    """Waiting, running, poisoned or untold; -1 where the database does not say."""
    letters = Letters(url)
    try:
        told = [letter for letter in letters.listed() if letter.kind != "given_up"]
        return sum(letters.waiting().values()) + len(told)
    except StoreUnavailable:
        return -1
    finally:
        letters.close()


async def counted(traffic: Traffic, url: str, notes: Sequence[dict[str, Any]]) -> Count:
    """`notes`: those of the pretend HubSpot."""
    count = Count(unfinished=max(unfinished_jobs(url), 0))
    proposals = proposals_of(url)
    for talk in traffic.talks:
        if not talk.asked:
            continue
        messages = await traffic.thread(talk.channel, talk.asked[0])
        _count_thread(count, talk, messages)
        for answer_id, (proposal_id, state) in proposals.items():
            if answer_id.endswith(f":{talk.channel}:{talk.asked[0]}"):
                _count_note(count, talk, messages, notes, proposal_id, state)
    return count


def _count_thread(count: Count, talk: Talk, messages: Sequence[dict[str, Any]]) -> None:
    keyed = [(_key(message), message) for message in messages if _key(message)]
    count.posted_twice += sum(number - 1 for number in Counter(key for key, _ in keyed).values())
    charts = [str(file.get("name")) for message in messages for file in message.get("files") or []]
    count.posted_twice += len(charts) - len(set(charts))
    count.unfinished += sum(_grows(message) for message in messages)
    stood: list[float] = []
    for ts in talk.asked:
        answers = [message for key, message in keyed if key.endswith((f":{ts}", f":{ts}:again"))]
        if not any(_is_final(message) for message in answers):
            count.lost += 1
        if answers:
            stood.append(min(float(message["ts"]) for message in answers))
    count.out_of_order += sum(later < earlier for earlier, later in itertools.pairwise(stood))


def _count_note(
    count: Count,
    talk: Talk,
    messages: Sequence[dict[str, Any]],
    notes: Sequence[dict[str, Any]],
    proposal_id: str,
    state: str,
) -> None:
    written = sum(talk.mark in str(note["properties"].get("hs_note_body", "")) for note in notes)
    count.crm_twice += max(written - 1, 0) + (written if state in ("rejected", "undone") else 0)
    count.lost += state == "done" and written == 0
    count.unfinished += state in OPEN
    key = hashlib.sha256(proposal_id.encode()).hexdigest()
    count.lost += not any(_key(message) == key for message in messages)


def _key(message: dict[str, Any]) -> str:
    return str(((message.get("metadata") or {}).get("event_payload") or {}).get("key") or "")


def _grows(message: dict[str, Any]) -> bool:
    """Open, or left with the steps of an answer that stands elsewhere."""
    steps = any(block.get("type") == "task_card" for block in message.get("blocks") or [])
    return message.get("streaming_state") == "in_progress" or steps


def _is_final(message: dict[str, Any]) -> bool:
    text = str(message.get("text", "")).strip()
    return bool(text) and not (text.startswith("_") and text.endswith("…_"))
