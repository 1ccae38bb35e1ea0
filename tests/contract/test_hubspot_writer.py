"""What a click does to HubSpot, and what it does when HubSpot misbehaves: written once, found again, undone."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.crm.reader import HubspotReader
from bot.crm.transport import connect
from bot.crm.writer import HubspotWriter
from bot.errors import CrmBusy, CrmOutcomeUnknown, CrmRefused
from pipeline.action_types import ProposedAction, Target
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


async def test_a_note_is_written_escaped_signed_and_marked(wire: Wire, writer: HubspotWriter) -> None:
    """Text stays text, lines stay lines, and the note says who approved it."""
    said = action(hs_note_body="<b>Accord</b> & suite\nDeuxième ligne")
    receipt = await writer.perform(said, approval("Ab-1_x", by_name="Camille <i>R</i>"))
    (written,) = notes(wire)
    body = written["properties"]["hs_note_body"]
    assert body.startswith("&lt;b&gt;Accord&lt;/b&gt; &amp; suite<br>Deuxième ligne<br><br>")
    assert "Camille &lt;i&gt;R&lt;/i&gt;" in body
    assert "QS-Ab-1_x" in body
    assert written["associations"]["deals"] == [MARTIN]
    assert receipt.crm_id == written["id"]
    assert receipt.url.endswith(f"/0-3/{MARTIN}?engagement={written['id']}")
    assert receipt.at.tzinfo is not None
    assert "Dossier Martin" in receipt.detail


async def test_a_task_keeps_its_due_moment_and_its_state(wire: Wire, writer: HubspotWriter) -> None:
    """A task's timestamp is its due date, never the moment of the click."""
    fields = {"hs_task_subject": "Rappeler\n<Paul>\u202e", "hs_timestamp": "2026-11-27T08:00:00.000Z"}
    fields |= {"hs_task_status": "NOT_STARTED", "hs_task_type": "TODO", "hubspot_owner_id": "3001"}
    await writer.perform(action("create_task", **fields), approval())
    written = wire.crm.snapshot()["tasks"][-1]
    assert written["properties"]["hs_task_subject"] == "Rappeler <Paul>"
    assert written["properties"]["hs_timestamp"] == "2026-11-27T08:00:00.000Z"
    assert "QS-prop-1" in written["properties"]["hs_task_body"]
    assert written["associations"]["deals"] == [MARTIN]


async def test_a_note_on_a_contact_uses_the_contacts_association(wire: Wire, writer: HubspotWriter) -> None:
    """Association types differ by target; the wrong one would be refused."""
    target = Target(object="contact", id="501", name="Paul Martin")
    said = ProposedAction(kind="create_note", target=target, fields={"hs_note_body": "x"}, summary="")
    receipt = await writer.perform(said, approval())
    assert notes(wire)[0]["associations"] == {"deals": [], "contacts": ["501"]}
    assert await writer.reconcile(said, approval()) == receipt


async def test_an_update_sets_the_property(wire: Wire, writer: HubspotWriter) -> None:
    """One PATCH, as a string."""
    receipt = await writer.perform(await update(wire), approval())
    assert priority(wire) == "low"
    assert receipt.crm_id == MARTIN
    assert wire.sent("PATCH") == 1


@pytest.mark.parametrize("mode", ["commit_then_drop", "slow", "html", "nonsense", "500"])
async def test_a_lost_answer_is_an_unknown_outcome_sent_once(wire: Wire, mode: str) -> None:
    """A write whose answer is lost is never repeated: one POST on the wire, whatever happened."""
    written, writer = int(mode != "500"), wire.writer(seconds=0.5 if mode == "slow" else 60)
    wire.crm.set_faults({"mode": mode, "count": 5, "on": "write", "seconds": 600})
    with pytest.raises(CrmOutcomeUnknown):
        await writer.perform(action(), approval())
    async with asyncio.timeout(60):
        while len(notes(wire)) < written:  # noqa: ASYNC110  (we gave up; the other side may be about to write)
            await asyncio.sleep(0.02)
    assert wire.sent("POST /hubspot/crm/v3/objects/notes") == 1
    assert len(notes(wire)) == written


@pytest.mark.parametrize("kind", ["create_note", "create_task"])
async def test_reconcile_finds_what_was_written_before_the_cut(wire: Wire, writer: HubspotWriter, kind: Any) -> None:
    """Through associations, because search does not know the record yet."""
    due = {"hs_timestamp": "2026-11-27T08:00:00.000Z"}
    said = action(kind, **({"hs_note_body": "x"} if kind == "create_note" else {"hs_task_subject": "x", **due}))
    wire.crm.set_faults({"mode": "commit_then_drop"})
    with pytest.raises(CrmOutcomeUnknown):
        await writer.perform(said, approval())
    receipt = await writer.reconcile(said, approval())
    written = wire.crm.snapshot()["notes" if kind == "create_note" else "tasks"][-1]
    assert receipt is not None
    assert receipt.crm_id == written["id"]


async def test_an_answer_that_is_not_the_promised_201_is_an_unknown_outcome() -> None:
    """The SDK decodes a 200 to nothing: that must not pass for a receipt, nor for a refusal."""

    async def endpoint(request: Request) -> Response:
        return JSONResponse({"id": "1", "properties": {}}, 200 if request.method == "POST" else 202)

    app = Starlette(routes=[Route("/{path:path}", endpoint, methods=["POST", "PATCH"])])
    with served(app) as address:
        transport = connect("jeton", base_url=address)
        writer = HubspotWriter(transport, reader=HubspotReader(transport))
        for said in (action(), action("update_property", hs_priority="low")):
            with pytest.raises(CrmOutcomeUnknown):
                await writer.perform(said, approval())


async def test_reconcile_takes_no_other_proposals_note(wire: Wire, writer: HubspotWriter) -> None:
    """A longer id that begins alike is another proposal; so is one on another deal."""
    await writer.perform(action(), approval("prop-12"))
    await writer.perform(action(), approval("xprop-1"))
    assert await writer.reconcile(action(), approval("prop-1")) is None


async def test_reconcile_looks_beyond_one_batch(wire: Wire, writer: HubspotWriter) -> None:
    """A busy deal has more notes than one batch read takes."""
    receipt = await writer.perform(action(), approval())
    link = {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 214}
    for _ in range(120):
        wire.crm.create(
            "notes",
            {"hs_timestamp": "2026-11-21T10:00:00Z", "hs_note_body": "bruit"},
            [{"to": {"id": MARTIN}, "types": [link]}],
        )
    assert await writer.reconcile(action(), approval()) == receipt


async def test_a_lost_update_is_found_by_its_value(wire: Wire, writer: HubspotWriter) -> None:
    """The value stands and changed after the proposal; before the write it is not there."""
    said = await update(wire)
    assert await writer.reconcile(said, approval()) is None
    wire.crm.set_faults({"mode": "commit_then_drop"})
    with pytest.raises(CrmOutcomeUnknown):
        await writer.perform(said, approval())
    assert wire.sent("PATCH") == 1
    assert await writer.reconcile(said, approval()) is not None


@pytest.mark.parametrize(("told", "waits"), [(7, 7.0), (None, 1.0), (600, 60.0)])
async def test_a_rate_limit_says_how_long_to_wait(
    wire: Wire, writer: HubspotWriter, told: float | None, waits: float
) -> None:
    """429 is not retried blindly; Retry-After is passed on, bounded, and assumed when absent."""
    wire.crm.set_faults({"mode": "429", "count": 5, "retry_after": told})
    with pytest.raises(CrmBusy) as caught:
        await writer.perform(action(), approval())
    assert caught.value.retry_after == waits
    assert wire.sent("POST") == 1
    assert notes(wire) == []


async def test_an_unreachable_crm_is_busy_because_nothing_was_sent() -> None:
    """A connection that never opened is safe to try again."""
    transport = connect("jeton", base_url="http://127.0.0.1:9", timeout=(0.2, 0.2))
    with pytest.raises(CrmBusy, match="rien n'a été envoyé"):
        await HubspotWriter(transport, reader=HubspotReader(transport)).perform(action(), approval())


async def test_a_wrong_token_is_refused_and_named(wire: Wire) -> None:
    """The reason names the setting, never the secret."""
    with pytest.raises(CrmRefused, match="HUBSPOT_TOKEN") as caught:
        await wire.writer(token="pat-faux").perform(action(), approval())
    assert "pat-faux" not in str(caught.value)


async def test_a_deal_that_is_gone_refuses_the_note(wire: Wire, writer: HubspotWriter) -> None:
    """HubSpot's 404 becomes a reason that can be read on the card."""
    wire.crm.archive("deals", MARTIN)
    with pytest.raises(CrmRefused, match="n'existe pas ou plus"):
        await writer.perform(action(), approval())
    assert notes(wire) == []


@pytest.mark.parametrize(
    "wrong",
    [
        action("update_property", amount="1"),
        action("update_property", dealname="Dossier X"),
        action("update_property", hs_priority="low", hs_next_step="x"),
        action(hs_note_body="x", amount="1"),
        action(hs_note_body="&" * 20_000),
    ],
)
async def test_a_write_outside_the_allow_list_is_never_sent(
    wire: Wire, writer: HubspotWriter, wrong: ProposedAction
) -> None:
    """The writer checks again what the proposer promised: fields, one property, HubSpot's size limit."""
    with pytest.raises(CrmRefused):
        await writer.perform(wrong, approval())
    assert wire.requests == []


async def test_a_write_that_succeeded_is_done_even_without_a_link(wire: Wire, writer: HubspotWriter) -> None:
    """The link is a comfort: failing to learn it must not make a written note look lost."""
    wire.crm.set_faults({"mode": "500", "count": 50, "on": "read"})
    receipt = await writer.perform(action(), approval())
    assert receipt.url == ""
    assert receipt.at <= datetime.now(UTC)
    assert len(notes(wire)) == 1


async def test_an_option_that_is_gone_is_named(wire: Wire, writer: HubspotWriter) -> None:
    """HubSpot's 400 says which value it means: the card says what to do, and nothing changed."""
    said = await update(wire)
    wire.crm.retire("deals", "hs_priority", "low")
    with pytest.raises(CrmRefused, match="ne propose plus cette valeur"):
        await writer.perform(said, approval())
    assert priority(wire) == "high"


async def test_an_answer_about_another_record_is_no_receipt(wire: Wire, writer: HubspotWriter) -> None:
    """200 and well-formed, but not what was asked: the outcome is unknown, a reading is refused."""
    said = await update(wire)
    wire.crm.set_faults({"mode": "nonsense", "on": "write"})
    with pytest.raises(CrmOutcomeUnknown):
        await writer.perform(said, approval())
    wire.crm.set_faults({"mode": "nonsense", "on": "read"})
    with pytest.raises(CrmUnavailable, match="autre chose"):
        await writer.drifted(said)


async def test_each_write_has_a_connection_of_its_own() -> None:
    """One kept alive may be closing when the next write leaves on it, which would then end as unknown. Reads keep
    theirs."""
    opened: set[Any] = set()

    async def endpoint(request: Request) -> Response:
        assert request.client is not None
        opened.add((request.method, request.client.port))
        record = {"id": "1", "properties": {"hs_note_body": "QS-prop-1"}, "archived": False}
        moments = {"createdAt": "2026-11-22T10:00:00Z", "updatedAt": "2026-11-22T10:00:00Z"}
        return JSONResponse(record | moments, 201 if request.method == "POST" else 200)

    app = Starlette(routes=[Route("/{path:path}", endpoint, methods=["GET", "POST"])])
    with served(app) as address:
        transport = connect("jeton", base_url=address)
        writer = HubspotWriter(transport, reader=HubspotReader(transport))
        for _ in range(5):
            await writer.perform(action(), approval())
            await transport.get(transport.reads.notes.get_by_id, "1")
    assert sum(method == "POST" for method, _ in opened) == 5
    assert len({port for method, port in opened if method == "GET"}) < 5
