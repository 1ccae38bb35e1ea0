"""Whom and what of the CRM a message may name: read once beside the messages, narrowed to one's own deals, never waited
for."""

import asyncio
import time
from collections.abc import Iterator

import pytest

from bot.crm.own_deals import OwnDeals
from tests.hubspot_wire import Wire, hubspot_wire

DUPONT, STUDIO = "9011", "9034"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


async def test_it_holds_surnames_colleagues_and_what_tells_deals_apart(wire: Wire) -> None:
    known = await wire.reader(seconds=8.0).directory()
    assert {"garnier", "lefevre", "goff"} <= known.surnames.keys()
    assert "fictif" not in known.surnames
    assert {"passoire", "grenoble"} <= known.surnames["petit"]
    assert {"hugo", "marchetti"} <= known.colleagues
    deals = {deal.id: deal for deal in known.deals}
    assert {"restaurateur", "toulouse"} <= deals["9006"].words
    assert "bouquet" in deals["9038"].described
    assert deals[DUPONT].people & deals[STUDIO].people


async def test_who_may_see_their_own_deals_alone_knows_no_other_client(wire: Wire) -> None:
    """That a name belongs to a client of the firm is the firm's to tell."""
    own = await OwnDeals(wire.reader(seconds=8.0), "hugo.marchetti@aubrac.example").directory()
    assert "garnier" in own.surnames
    assert "cohen" not in own.surnames
    assert "9018" not in {deal.id for deal in own.deals}
    nobody = await OwnDeals(wire.reader(seconds=8.0), "nobody@aubrac.example").directory()
    assert not nobody.surnames
    assert not nobody.deals


async def test_it_is_read_once_for_many_messages(wire: Wire) -> None:
    reader = wire.reader(seconds=8.0)
    await reader.directory()
    wire.requests.clear()
    assert (await reader.directory()).deals
    await asyncio.sleep(0.3)
    assert not wire.requests


async def test_nothing_waits_for_a_crm_that_does_not_answer(wire: Wire) -> None:
    """A question about a rule must not stand still because HubSpot does."""
    reader = wire.reader(token="pat-eu1-not-this-one", seconds=8.0)
    began = time.monotonic()
    assert not (await reader.directory()).deals
    assert time.monotonic() - began < 5
    wire.requests.clear()
    assert not (await reader.directory()).deals
    assert not wire.requests, "a failure is not tried again with every message"
