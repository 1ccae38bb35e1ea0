"""Between the card and the click, and after: what changed meanwhile is told, and our own writes can be taken back."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.crm.reader import HubspotReader
from bot.crm.transport import connect
from bot.crm.writer import HubspotWriter
from bot.errors import CrmOutcomeUnknown, CrmRefused
from bot.ports import Receipt
from pipeline.errors import CrmUnavailable
from tests.hubspot_wire import MARTIN, Wire, action, approval, hubspot_wire, notes, priority, update
from tests.loopback import served


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


@pytest.fixture
def writer(wire: Wire) -> HubspotWriter:
    return wire.writer()


async def test_an_untouched_property_has_not_drifted(wire: Wire, writer: HubspotWriter) -> None:
    """Other changes to the deal raise no false alarm; notes and tasks cannot drift."""
    said = await update(wire)
    wire.crm.update("deals", MARTIN, {"amount": "999"})
    assert await writer.drifted(said) is None
    assert await writer.drifted(action()) is None


async def test_a_changed_property_has_drifted_and_both_values_are_told(wire: Wire, writer: HubspotWriter) -> None:
    """Somebody changed it in HubSpot between the card and the click."""
    said = await update(wire)
    wire.crm.update("deals", MARTIN, {"hs_priority": "medium"}, source="CRM_UI")
    sentence = await writer.drifted(said)
    assert sentence is not None
    assert "high" in sentence
    assert "medium" in sentence


async def test_a_property_changed_and_put_back_has_drifted(wire: Wire, writer: HubspotWriter) -> None:
    """The value alone would not tell; its history does."""
    said = await update(wire)
    wire.crm.update("deals", MARTIN, {"hs_priority": "medium"})
    wire.crm.update("deals", MARTIN, {"hs_priority": "high"})
    assert "remis" in (await writer.drifted(said) or "")


async def test_a_deal_that_is_gone_has_drifted(wire: Wire, writer: HubspotWriter) -> None:
    """The sentence says so instead of an error."""
    said = await update(wire)
    wire.crm.archive("deals", MARTIN)
    assert "n'existe plus" in (await writer.drifted(said) or "")


async def test_drift_that_cannot_be_checked_stops_the_write(wire: Wire, writer: HubspotWriter) -> None:
    """No answer is not "unchanged"."""
    said = await update(wire)
    wire.crm.set_faults({"mode": "500", "count": 50})
    with pytest.raises(CrmUnavailable):
        await writer.drifted(said)


async def test_a_note_is_undone_twice_without_harm(wire: Wire, writer: HubspotWriter) -> None:
    """Undo archives; a repeat after a crash changes nothing."""
    receipt = await writer.perform(action(), approval())
    await writer.undo(receipt, action())
    await writer.undo(receipt, action())
    assert notes(wire) == []


async def test_an_update_is_undone_to_the_old_value(wire: Wire, writer: HubspotWriter) -> None:
    """Back to what the card showed as old."""
    said = await update(wire)
    receipt = await writer.perform(said, approval())
    await writer.undo(receipt, said)
    assert priority(wire) == "high"
    await writer.undo(receipt, said)
    assert wire.sent("PATCH") == 2


async def test_an_undo_never_overwrites_a_later_change(wire: Wire, writer: HubspotWriter) -> None:
    """Only our own value may be taken back."""
    said = await update(wire)
    receipt = await writer.perform(said, approval())
    wire.crm.update("deals", MARTIN, {"hs_priority": "medium"}, source="CRM_UI")
    with pytest.raises(CrmRefused, match="modifié depuis"):
        await writer.undo(receipt, said)
    assert priority(wire) == "medium"


async def test_a_date_is_undone_though_hubspot_rewrites_its_form(wire: Wire, writer: HubspotWriter) -> None:
    """HubSpot gives back 2027-02-01T00:00:00.000Z for 2027-02-01T00:00:00Z: still our value."""
    said = await update(wire, "closedate", "2027-02-01T00:00:00Z")
    receipt = await writer.perform(said, approval())
    await writer.undo(receipt, said)
    assert wire.crm.get("deals", MARTIN).value("closedate") == "2027-01-29T00:00:00.000Z"


async def test_an_empty_value_is_put_back_as_empty(wire: Wire, writer: HubspotWriter) -> None:
    """A property that held nothing holds nothing again."""
    wire.crm.update("deals", MARTIN, {"hs_next_step": ""})
    said = await update(wire, "hs_next_step", "Appeler la banque")
    receipt = await writer.perform(said, approval())
    await writer.undo(receipt, said)
    assert wire.crm.get("deals", MARTIN).value("hs_next_step") is None


async def test_an_undo_is_read_back(wire: Wire, writer: HubspotWriter) -> None:
    """A note that is gone, and one that stands: whatever the answer to the DELETE said."""
    receipt = await writer.perform(action(), approval())
    assert not await writer.undone(receipt, action())
    wire.crm.set_faults({"mode": "commit_then_drop"})
    with pytest.raises(CrmOutcomeUnknown):
        await writer.undo(receipt, action())
    assert await writer.undone(receipt, action())


async def test_an_update_that_was_put_back_is_undone(wire: Wire, writer: HubspotWriter) -> None:
    """The old value tells."""
    said = await update(wire)
    receipt = await writer.perform(said, approval())
    assert not await writer.undone(receipt, said)
    wire.crm.set_faults({"mode": "commit_then_drop"})
    with pytest.raises(CrmOutcomeUnknown):
        await writer.undo(receipt, said)
    assert await writer.undone(receipt, said)


async def test_what_nobody_located_is_not_undone(wire: Wire, writer: HubspotWriter) -> None:
    """Seen by a person, its id unknown: nothing is sent."""
    nowhere = Receipt(crm_id="", url="", at=approval().at)
    wire.requests.clear()
    with pytest.raises(CrmRefused, match="supprimez-la"):
        await writer.undo(nowhere, action())
    assert wire.requests == []


async def test_a_value_that_stands_already_is_said(wire: Wire, writer: HubspotWriter) -> None:
    """Ours from before a restored backup, or somebody else's: nothing to write either way."""
    said = await update(wire)
    await writer.perform(said, approval())
    assert "vaut déjà" in (await writer.drifted(said) or "")


async def test_a_deletion_that_was_only_promised_is_none() -> None:
    """204 from something in between, and the note still stands: nobody is told that it is gone."""

    async def endpoint(request: Request) -> Response:
        if request.method == "DELETE":
            return Response(status_code=204)
        moments = {"createdAt": "2026-11-22T10:00:00Z", "updatedAt": "2026-11-22T10:00:00Z"}
        return JSONResponse({"id": "7", "properties": {}, "archived": False} | moments)

    app = Starlette(routes=[Route("/{path:path}", endpoint, methods=["GET", "DELETE"])])
    with served(app) as address:
        transport = connect("jeton", base_url=address)
        writer = HubspotWriter(transport, reader=HubspotReader(transport))
        with pytest.raises(CrmOutcomeUnknown):
            await writer.undo(Receipt(crm_id="7", url="", at=approval().at), action())
