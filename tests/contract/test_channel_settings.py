"""What members choose for a channel: kept with who and when, and read where somebody decides there."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.ports import NOBODY, Visitor
from bot.rights import why_not
from bot.store import channels
from bot.store import tables as t
from bot.store.database import Database

pytest_plugins = ("tests.contract.databases",)

INES = Visitor("member", "U0INES", "T1", shared_channel=False)
GUEST = replace(INES, kind="guest")
OUTSIDER = replace(INES, team_id="T2", kind="outsider")


def _put(
    connection: sa.Connection, *, deals: str = "auto", by: str = "U0CAMILLE", approvers: tuple[str, ...] = ()
) -> None:
    channels.put(connection, team_id="T1", channel="C1", by=by, deals=deals, approvers=approvers)


async def test_who_opened_a_channel_and_when_stays_known(database: Database) -> None:
    """Also when somebody else changes something else; the audit has each change."""
    await database.write(lambda c: _put(c, deals="open"))
    opened = await database.read(lambda c: channels.find(c, team_id="T1", channel="C1"))
    await database.write(lambda c: _put(c, deals="open", by="U0HUGO", approvers=("U0INES", "U0INES")))
    row = await database.read(lambda c: channels.find(c, team_id="T1", channel="C1"))
    assert opened is not None
    assert row is not None
    assert (row["deals"], row["deals_by"], row["deals_at"]) == ("open", "U0CAMILLE", opened["deals_at"])
    assert (row["approvers"], row["changed_by"]) == (["U0INES"], "U0HUGO")
    told = sa.select(t.audit.c.actor, t.audit.c.detail).where(t.audit.c.event == "channel_set")
    actors = await database.read(lambda c: [(r.actor, r.detail["deals"]) for r in c.execute(told)])
    assert actors == [("U0CAMILLE", "open"), ("U0HUGO", "open")]


async def test_a_channel_of_another_team_is_another_channel(database: Database) -> None:
    """Nothing crosses teams, though Slack's id were the same."""
    await database.write(lambda c: _put(c, deals="open", approvers=("U0INES",)))
    assert await database.read(lambda c: channels.deals_in(c, team_id="T2", channel="C1")) == "auto"
    assert not await database.read(lambda c: channels.approvers_of(c, team_id="T2", channel="C1"))


@pytest.mark.parametrize(
    ("by", "channel", "concerned", "approvers", "refused"),
    [
        (INES, "C1", ("U0CAMILLE",), (), None),
        (INES, "C2", ("U0CAMILLE",), (), "not_allowed"),
        (replace(INES, user_id="U0HUGO"), "C1", ("U0CAMILLE",), (), "not_allowed"),
        (INES, "C2", ("U0CAMILLE",), ("U0INES",), None),
        (INES, "C2", ("U0INES",), (), None),
        (INES, "C2", (NOBODY,), (), None),
        (GUEST, "C1", ("U0INES",), ("U0INES",), "stranger"),
        (OUTSIDER, "C1", (NOBODY,), ("U0INES",), "stranger"),
    ],
    ids=[
        "the channel's approver", "in another channel", "a colleague", "the installation's approver", "who asked",
        "nobody asked", "a guest who was named", "an outsider who was named",
    ],
)  # fmt: skip
async def test_who_may_decide(
    database: Database,
    by: Visitor,
    channel: str,
    concerned: tuple[str, ...],
    approvers: tuple[str, ...],
    refused: str | None,
) -> None:
    """A name on a list makes nobody a member."""
    await database.write(lambda c: _put(c, approvers=("U0INES",)))
    place = {"team_id": "T1", "channel": channel}
    told = await database.read(lambda c: why_not(c, **place, by=by, concerned=concerned, approvers=approvers))
    assert told == refused
