"""What members choose for a channel: kept with who and when, and read where somebody decides there."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.ports import NOBODY, Visitor
from bot.rights import (
    CLOSED_CHANNEL,
    PUBLIC_CHANNEL,
    SHARED_CHANNEL,
    STRANGERS,
    DealReaders,
    crm_closed,
    deals_told,
    why_not,
)
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


ALL, OWN = DealReaders(), DealReaders(frozenset())


@pytest.mark.parametrize(
    ("visitor", "kind", "chosen", "readers", "reason"),
    [
        (INES, "channel", "auto", ALL, ""),
        (INES, "channel", "auto", OWN, PUBLIC_CHANNEL),
        (INES, "unknown", "auto", OWN, PUBLIC_CHANNEL),
        (INES, "group", "auto", OWN, ""),
        (INES, "mpim", "auto", OWN, ""),
        (INES, "im", "auto", OWN, ""),
        (INES, "channel", "open", OWN, ""),
        (INES, "channel", "closed", ALL, CLOSED_CHANNEL),
        (INES, "group", "closed", OWN, CLOSED_CHANNEL),
        (GUEST, "channel", "open", ALL, STRANGERS["guest"]),
        (OUTSIDER, "group", "open", ALL, STRANGERS["outsider"]),
        (replace(OUTSIDER, shared_channel=True), "channel", "open", ALL, STRANGERS["outsider"]),
        (replace(INES, kind="unknown"), "group", "open", ALL, STRANGERS["unknown"]),
        (replace(INES, shared_channel=True), "channel", "open", ALL, SHARED_CHANNEL),
    ],
    ids=[
        "public", "public, restricted", "unknown place, restricted", "private, restricted", "group message, restricted",
        "direct message, restricted", "opened", "closed", "private and closed", "a guest", "an outsider",
        "an outsider in a shared one", "nobody known", "shared",
    ],
)  # fmt: skip
async def test_where_deals_are_shown(
    database: Database, visitor: Visitor, kind: str, chosen: str, readers: DealReaders, reason: str
) -> None:
    """Restricted deals stay out of public channels until a member opens them; nothing opens to strangers."""
    await database.write(lambda c: _put(c, deals=chosen))
    place = {"team_id": "T1", "channel": "C1", "channel_type": kind}
    assert await database.read(lambda c: crm_closed(c, visitor, **place, readers=readers)) == reason


@pytest.mark.parametrize(
    ("chosen", "readers", "told"),
    [("auto", ALL, True), ("auto", OWN, False), ("open", OWN, True), ("closed", ALL, False)],
    ids=["nothing restricted", "restricted", "opened", "closed"],
)
async def test_a_digest_names_restricted_deals_where_a_member_opened_the_channel(
    database: Database, chosen: str, readers: DealReaders, told: bool
) -> None:
    """Nobody asks for a digest: whose deals they are cannot be compared with who reads."""
    await database.write(lambda c: _put(c, deals=chosen))
    assert await database.read(lambda c: deals_told(c, team_id="T1", channel="C1", readers=readers)) is told


@pytest.mark.parametrize(
    ("readers", "user", "email", "all_of_them"),
    [
        (ALL, "U1", "", True),
        (OWN, "U1", "a@b.fr", False),
        (DealReaders(frozenset({"U1"})), "U1", "", True),
        (DealReaders(frozenset({"a@b.fr"})), "U2", "A@B.fr", True),
        (DealReaders(frozenset({""})), "U2", "", False),
    ],
    ids=["nothing restricted", "owners alone", "by id", "by address", "without an address"],
)
def test_who_reads_every_deal(readers: DealReaders, user: str, email: str, all_of_them: bool) -> None:
    """Those named, by either; who has no address is not named by none."""
    assert readers.reads_all(user, email) is all_of_them
