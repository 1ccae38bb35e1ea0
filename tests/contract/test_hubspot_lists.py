"""Lists over a real HTTP connection: filters, towns, words of notes, pages, and the limits of HubSpot's search."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from bot.crm.reader import HubspotReader
from bot.crm.searching import SCANNED, search
from pipeline.crm_types import ContactSearch, DealSearch, TaskSearch
from pipeline.errors import CrmUnavailable
from pipeline.tools.crm.tool import CrmTool
from pipeline.types import ToolCall
from tests.hubspot_wire import MARTIN, TODAY, Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


@pytest.fixture
def reader(wire: Wire) -> HubspotReader:
    return wire.reader()


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"owner_id": "3002", "stage_ids": ("contractsent",)}, ["9004", "9026"]),
        ({"stage_ids": ("closedwon", "closedlost"), "min_amount": 200_000}, ["9016", "9031"]),
        ({"max_amount": 97_000}, ["9024", "9027", "9030", "9035"]),
        ({"min_amount": 97_000, "max_amount": 112_000}, ["9010", "9027"]),
        ({"closes_before": date(2026, 11, 16), "closes_after": date(2026, 11, 1)}, ["9014", "9033", "9024", "9039"]),
        ({"unchanged_since": NOW - timedelta(days=140), "stage_ids": ("qualifiedtobuy",)}, ["9027", "9029", "9036"]),
        ({"text": "amiante"}, ["9014", "9026"]),
        ({"text": "AMIANTE relocation"}, ["9014"]),
        ({"text": "recul du trait de côte"}, ["9028"]),
        ({"text": "isolatoin"}, ["9014"]),
        ({"text": "zorglub"}, []),
        ({"commune": "toulon"}, ["9003", "9028", "9038"]),
        ({"commune": "St Etienne"}, ["9004"]),
        ({"commune": "Lyon"}, ["9008", "9019", "9033"]),
        ({"commune": "Lyon", "text": "toiture"}, ["9019"]),
        ({"commune": "Zorglub"}, []),
    ],
)
async def test_deals_are_found_by_each_filter(
    reader: HubspotReader, wanted: dict[str, Any], expected: list[str]
) -> None:
    """Days and amounts inclusive; words of the name, description, next step or notes; a town of the deal or of a
    contact, however it is spelt."""
    found = await reader.deals(DealSearch(**wanted))
    assert sorted(deal.id for deal in found.deals) == sorted(expected)
    assert found.total == len(expected)


async def test_a_note_makes_its_deal_fresh_again(wire: Wire, reader: HubspotReader) -> None:
    """Activity counts as a change: a deal that was called yesterday is not stale."""
    stale = DealSearch(unchanged_since=NOW - timedelta(days=140), stage_ids=("qualifiedtobuy",))
    link = {"to": {"id": "9029"}, "types": [{"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 214}]}
    wire.crm.create("notes", {"hs_timestamp": "2026-11-20T10:00:00Z", "hs_note_body": "Appel"}, [link])
    assert "9029" not in [deal.id for deal in (await reader.deals(stale)).deals]


async def test_listed_deals_come_newest_first_with_words_for_their_ids(reader: HubspotReader) -> None:
    """Stage, owner and address, as on a deal that is read alone."""
    found = await reader.deals(DealSearch(owner_id="3001"))
    moments = [deal.updated_at for deal in found.deals]
    assert moments == sorted(moments, key=str, reverse=True)
    first = found.deals[0]
    assert (first.stage, first.owner) == ("Préconisation présentée", "Camille Renaud")
    assert first.url.endswith(f"/0-3/{first.id}")


async def test_contacts_by_town_by_word_and_of_a_deal(reader: HubspotReader) -> None:
    """With their deals; a deal's own contacts in its order."""
    assert [c.id for c in (await reader.contacts(ContactSearch(commune="nantes"))).contacts] == ["503", "527", "528"]
    some = await reader.contacts(ContactSearch(text="pharmacienne", limit=1))
    assert (len(some.contacts), some.total) == (1, 2)
    both = await reader.contacts(ContactSearch(deal_id=MARTIN))
    assert [(c.email, [d.deal_id for d in c.deals]) for c in both.contacts] == [
        ("paul.martin@example.com", ["9001"]),
        ("sophie.martin@example.com", ["9001"]),
    ]
    assert [c.id for c in (await reader.contacts(ContactSearch(deal_id=MARTIN, text="professeure"))).contacts] == [
        "502"
    ]


async def test_open_tasks_by_owner_day_and_deal(reader: HubspotReader) -> None:
    """Soonest first, the done ones never; a due day counts to its end, in Paris."""
    late = await reader.tasks(TaskSearch(due_before=TODAY - timedelta(days=1)))
    assert late.total == len(late.tasks) == 9
    assert late.tasks[0].subject == "Relancer les artisans pour l'isolation"
    today = await reader.tasks(TaskSearch(owner_id="3001", due_before=TODAY))
    assert [task.subject for task in today.tasks[-2:]] == [
        "Vérifier le loyer de référence",
        "Préparer les deux montages",
    ]
    of_deal = await reader.tasks(TaskSearch(deal_id="9011"))
    assert [task.subject for task in of_deal.tasks] == [
        "Obtenir l'offre de prêt",
        "Appeler Amélie Dupont après l'offre",
    ]
    assert of_deal.tasks[0].deals[0].deal_id == "9011"
    assert (await reader.tasks(TaskSearch(deal_id="9011", owner_id="3002"))).tasks == ()
    assert (await reader.tasks(TaskSearch(deal_id="9011", due_before=date(2026, 11, 14)))).total == 1


async def test_a_brief_has_what_a_meeting_needs(reader: HubspotReader) -> None:
    """Contacts with address and telephone, dated notes newest first, open tasks only."""
    brief = await reader.brief("9011")
    assert brief is not None
    assert (brief.contacts[0].email, brief.contacts[0].phone) == ("amelie.dupont@example.com", "01 99 00 24 00")
    assert brief.notes[0].text == "Offre définitive attendue cette semaine."
    assert [note.at for note in brief.notes] == sorted((note.at for note in brief.notes), key=str, reverse=True)
    assert len(brief.tasks) == 2
    assert brief.deal.changed_at["dealstage"]
    assert await reader.brief("4242") is None


async def test_stages_and_owners_are_asked_once(wire: Wire, reader: HubspotReader) -> None:
    """In the pipeline's order, with what is won, lost or open."""
    stages = await reader.stages()
    assert [(s.label, s.closed, s.won) for s in stages[-3:]] == [
        ("Financement en cours", False, False),
        ("Acte signé", True, True),
        ("Sans suite", True, False),
    ]
    assert (await reader.owners())[0].email == "camille.renaud@aubrac.example"
    wire.requests.clear()
    await reader.stages()
    await reader.owners()
    assert wire.requests == []


async def test_a_search_reads_page_after_page_up_to_its_bound(wire: Wire) -> None:
    """HubSpot gives 200 at once and 10,000 in all; more than we read is told by the total."""
    for number in range(SCANNED + 50):
        wire.crm.create("contacts", {"lastname": f"Nom{number}"}, [])
    wire.crm.search_lag = 0.0
    try:
        found = await search(wire.transport(), "contacts", properties=("lastname",))
    finally:
        wire.crm.search_lag = 2.0
    assert len(found.records) == SCANNED
    assert found.total == SCANNED + 50 + 35
    assert not found.complete
    assert len({record.id for record in found.records}) == SCANNED


async def test_old_deals_of_a_large_account_are_found_all_the_same(wire: Wire) -> None:
    """Beyond the thousand that are read one by one: by HubSpot's own search, by notes and by a contact's town; a list
    without words tells how many there are."""
    for number in range(SCANNED):
        wire.crm.create("deals", {"dealname": f"Nom{number}", "amount": "1000"}, [])
    wire.crm.search_lag = 0.0
    try:
        found = {}
        for name, wanted in {
            "description": DealSearch(text="amiante"),
            "note": DealSearch(text="recul du trait"),
            "bounded": DealSearch(text="amiante", owner_id="3002"),
            "town": DealSearch(commune="Saint-Étienne"),
        }.items():
            found[name] = sorted(deal.id for deal in (await wire.reader().deals(wanted)).deals)
        every = await wire.reader().deals(DealSearch())
        told = await CrmTool(wire.reader(), now=lambda: NOW).run(ToolCall("crm", {"view": "deals", "open": None}))
    finally:
        wire.crm.search_lag = 2.0
    assert found == {"description": ["9014", "9026"], "note": ["9028"], "bounded": ["9026"], "town": ["9004"]}
    assert (len(every.deals), every.total) == (SCANNED, SCANNED + 40)
    head = told.text.splitlines()[0]
    assert head.startswith("1040 dossiers, dont les 1000 modifiés le plus récemment totalisent 1\u202f000\u202f000")
    assert told.computed == ()


@pytest.mark.parametrize("mode", ["429", "500"])
async def test_a_lasting_fault_of_a_search_is_crm_unavailable(wire: Wire, reader: HubspotReader, mode: str) -> None:
    """A list fails as a deal does: one French sentence."""
    wire.crm.set_faults({"mode": mode, "count": 100, "retry_after": 0})
    with pytest.raises(CrmUnavailable, match="HubSpot"):
        await reader.deals(DealSearch())


async def test_a_passing_429_is_waited_out_on_a_search(wire: Wire, reader: HubspotReader) -> None:
    """A search is a POST that changes nothing: it may repeat."""
    wire.crm.set_faults({"mode": "429", "count": 1, "retry_after": 0})
    assert (await reader.deals(DealSearch())).total == 40


async def test_searches_leave_four_a_second(wire: Wire) -> None:
    """HubSpot's limit of an account: the fifth waits for its turn, a second after the first."""
    transport = wire.transport()
    for _ in range(4):
        await search(transport, "deals", properties=("dealname",), most=1)
    first = transport.searched[0]
    await search(transport, "deals", properties=("dealname",), most=1)
    assert transport.searched[-1] == first + 1.0
    assert asyncio.get_running_loop().time() >= first + 1.0
