"""All proposals of one answer decided by one click, each on its own merits."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from bot.proposals.lifecycle import Decision, Verdict
from bot.store import proposals as store
from bot.store.tables import Row

Decide = Callable[[sa.Connection, str], Decision]


@dataclass(frozen=True, slots=True)
class BatchDecision:
    """What became of a click on all: `accepted` where it changed anything, and what it did to each, in their order.
    `row`: one of them."""

    verdict: Verdict
    row: Row | None = None
    each: tuple[Decision, ...] = ()


def batch_key(rows: Sequence[Row]) -> str:
    """What a button for all carries: one of their ids, and a print of the versions that it stands under."""
    return f"{rows[0]['proposal_id']}:{_print(rows)}"


def decide_all(connection: sa.Connection, key: str, *, team_id: str, decide: Decide) -> BatchDecision:
    """`decide` on each that still waits. Nothing is decided where another version stands there than what was shown."""
    proposal_id, _, shown = key.partition(":")
    first = store.find(connection, proposal_id, team_id=team_id)
    if first is None:
        return BatchDecision("unknown_card")
    rows = store.of_answer(connection, first["answer_id"])
    if _print(rows) != shown:
        return BatchDecision("changed", rows[0])
    each = tuple(decide(connection, row["proposal_id"]) for row in rows)
    accepted = next((one for one in each if one.verdict == "accepted"), each[0])
    return BatchDecision(accepted.verdict, rows[0], each)


def _print(rows: Sequence[Row]) -> str:
    ids = " ".join(row["proposal_id"] for row in rows)
    return hashlib.sha256(ids.encode()).hexdigest()[:16]
