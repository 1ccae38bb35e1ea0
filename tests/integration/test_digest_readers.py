"""Where deals are restricted, a digest names them in channels that a member opened, and nowhere else."""

from collections.abc import AsyncIterator

import pytest

from bot.rights import DealReaders
from bot.store import channels
from bot.store.database import Database
from tests.integration.digest_desk import TEAM, Desk, desk_at
from tests.integration.sandbox_rig import CAMILLE, MARCHE, PRIVATE, Rig, rigged

pytest_plugins = ("tests.contract.databases",)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
def desk(rig: Rig, database: Database) -> Desk:
    return desk_at(rig, database, "2026-11-22T20:00")


@pytest.mark.parametrize(
    ("channel", "restricted", "chosen", "named"),
    [
        (MARCHE, False, "auto", True),
        (MARCHE, True, "auto", False),
        (PRIVATE, True, "auto", False),
        (MARCHE, True, "open", True),
        (MARCHE, False, "closed", False),
    ],
    ids=["everybody reads", "restricted", "restricted, private", "restricted and opened", "closed"],
)
async def test_deals_are_named_where_they_may_be(
    desk: Desk, channel: str, restricted: bool, chosen: str, named: bool
) -> None:
    """Neither in its text nor by a card in its thread; the rest of it comes all the same."""
    desk.readers = DealReaders(frozenset()) if restricted else DealReaders()
    await desk.database.write(
        lambda c: channels.put(c, team_id=TEAM, channel=channel, by=CAMILLE, deals=chosen, approvers=())
    )
    await desk.subscribe(channel)
    await desk.pass_time(hours=12)
    (post,) = await desk.posts(channel)
    thread = await desk.replies(post["ts"], channel)
    assert "Toulon" in str(post["blocks"])
    assert ("Benali" in str(post["blocks"])) is named
    assert any("Proposition HubSpot" in str(m.get("text")) for m in thread) is named
