"""The bot without one of its guards each: a bench that finds nothing wrong with them would find nothing at all."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

import sqlalchemy as sa

from bot.conversations import signs
from bot.engine.presence import Presence
from bot.engine.running import Engine
from bot.proposals import deciding, lifecycle
from bot.slack import delivery
from bot.store import proposals
from bot.store import tables as t
from bot.store.database import Database


def no_compare_and_set() -> None:
    """A proposal moves from whatever state it is in, and whoever decides does not look."""
    entitled = lifecycle.entitled
    anything = ("offered", "approved", "executing", "done", "failed", "unknown", "rejected", "undone", "undoing")

    def unlooked(connection: sa.Connection, proposal_id: str, **asked: Any) -> Any:
        return entitled(connection, proposal_id, **{**asked, "states": anything})

    def move(connection: sa.Connection, proposal_id: str, *, old: str, new: str, actor: str, **values: Any) -> bool:
        statement = t.proposal.update().where(t.proposal.c.proposal_id == proposal_id)
        connection.execute(statement.values(state=new, **values))
        return bool(old and actor)

    proposals.move = move
    lifecycle.__dict__["entitled"] = deciding.__dict__["entitled"] = unlooked


def no_find() -> None:
    """What may have been posted is posted, without a look."""

    async def find(*_place: object, **_key: object) -> None:
        return None

    delivery.__dict__["find"] = signs.__dict__["find"] = find


def ack_before_insert() -> None:
    """Slack gets its ack, and only then the message is kept."""
    write, later = Database.write, set()

    async def acked(self: Database, run: Callable[[sa.Connection], Any]) -> Any:
        if not keeps_message(run):
            return await write(self, run)
        task = asyncio.create_task(_in_a_moment(write, self, run))
        later.add(task)
        return "", 0

    Database.write = acked  # type: ignore[method-assign]


async def _in_a_moment(write: Callable[..., Any], database: Database, run: Callable[..., Any]) -> None:
    await asyncio.sleep(0.1)  # the ack is out by then
    await write(database, run)


def no_reap() -> None:
    """The jobs of a dead worker stay its own."""
    Presence._reap = lambda *_: None  # type: ignore[method-assign]
    Engine._take_over_all = lambda *_: None  # type: ignore[method-assign]


def keeps_message(run: Callable[..., Any]) -> bool:
    """Whether this write is that of the inbox; the others are decisions."""
    return "_claimed" in run.__code__.co_names


MUTANTS: Final[Mapping[str, Callable[[], None]]] = {
    "no_compare_and_set": no_compare_and_set,
    "no_find": no_find,
    "ack_before_insert": ack_before_insert,
    "no_reap": no_reap,
}
WHERE: Final[Mapping[str, frozenset[str]]] = {
    "no_compare_and_set": frozenset({"execute:done", "crm:done", "show:done"}),
    "no_find": frozenset({"post:done", "start:done"}),
    "ack_before_insert": frozenset({"message:begun"}),
    "no_reap": frozenset({"think:begun", "think:done"}),
}
"""Where the missing guard would have mattered."""
