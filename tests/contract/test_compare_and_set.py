"""What is true of a proposal's row whoever decides, and however many at once."""

import asyncio

import sqlalchemy as sa

from bot.store import proposals
from bot.store.database import Database
from tests.contract.test_decisions import offered, trail

pytest_plugins = ("tests.contract.databases",)


async def test_a_proposal_leaves_a_state_once(database: Database) -> None:
    """Whatever was read before: who comes second changes nothing and leaves no trace."""
    (only,) = await offered(database, "un")

    def move(connection: sa.Connection) -> bool:
        return proposals.move(connection, only, old="offered", new="approved", actor="U1")

    moved = await asyncio.gather(*(database.write(move) for _ in range(50)))
    assert moved.count(True) == 1
    assert [event for event, _ in await trail(database, only)].count("approved") == 1
