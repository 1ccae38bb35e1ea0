"""Names as people type them, over a real HTTP connection: the deal that is meant, or those that may be."""

from collections.abc import Iterator

import pytest

from bot.crm.reader import HubspotReader
from pipeline.crm_types import ContactSearch
from tests.hubspot_wire import Wire, hubspot_wire


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
    ("name", "expected"),
    [
        ("Marttin", ["9001", "9005"]),
        ("Petitjan", ["9015"]),
        ("lefebvre", ["9007"]),
        ("Lefebre", ["9002", "9007"]),
        ("dupont marseille", ["9011"]),
        ("nue propriete", ["9018"]),
        ("Sophie Martin", ["9001"]),
        ("sofie martin", ["9001"]),
        ("Karim", ["9003"]),
        ("Chloé Robert", ["9028", "9038"]),
        ("Martinez", ["9006"]),
        ("Martín", ["9005"]),
    ],
)
async def test_a_slip_a_part_or_a_contact_finds_the_deal(reader: HubspotReader, name: str, expected: list[str]) -> None:
    """Typos, no accents, any part of the deal's name, a contact's name; equal matches come together."""
    assert sorted(deal.id for deal in (await reader.find_deals(name)).found) == expected


async def test_an_exact_name_costs_one_search(wire: Wire, reader: HubspotReader) -> None:
    """Nothing else is read when the CRM's own search is sure."""
    await reader.find_deals("Garnier")
    assert len([line for line in wire.requests if line.endswith("/search")]) == 1


async def test_recent_names_are_kept_for_a_moment(wire: Wire, reader: HubspotReader) -> None:
    """The thousand last records are not read again for each slip of the finger."""
    await reader.find_deals("Garnire")
    wire.requests.clear()
    await reader.find_deals("Garnire")
    assert len([line for line in wire.requests if line.endswith("/search")]) == 2


async def test_a_name_of_no_deal_comes_with_the_nearest_ones(reader: HubspotReader) -> None:
    """To be offered, never taken for the one that was meant."""
    matches = await reader.find_deals("Benallissi")
    assert (matches.found, matches.total) == ((), 0)
    assert matches.near[0].id == "9003"
    assert (await reader.find_deals("Zorglub")).near == ()


async def test_all_that_share_a_name_are_counted(reader: HubspotReader) -> None:
    """Few are shown, all are told."""
    matches = await reader.find_deals("fictif", limit=5)
    assert (len(matches.found), matches.total) == (5, 40)


async def test_contacts_are_found_with_slips_and_told_apart_by_town(reader: HubspotReader) -> None:
    """Homonyms come together, with their deals."""
    both = await reader.contacts(ContactSearch(name="jean moreau"))
    assert [(c.name, c.city) for c in both.contacts] == [
        ("Jean Moreau (fictif)", "Lyon"),
        ("Jean Moreau (fictif)", "Rennes"),
    ]
    (one,) = (await reader.contacts(ContactSearch(name="jean moreau rennes"))).contacts
    assert (one.email, one.deals[0].deal_id) == ("jean.moreau2@example.com", "9009")
    slip = await reader.contacts(ContactSearch(name="benalli"))
    assert [contact.id for contact in slip.contacts] == ["504"]


async def test_a_contact_of_no_name_comes_with_the_nearest_names(reader: HubspotReader) -> None:
    """An empty list, and what might have been meant."""
    found = await reader.contacts(ContactSearch(name="Le Gof"))
    assert found.contacts == ()
    assert "Hélène Le Goff (fictif)" in found.near


@pytest.mark.parametrize("name", ["le dossier", "", "*", "M."])
async def test_words_that_tell_nothing_apart_search_nothing(wire: Wire, reader: HubspotReader, name: str) -> None:
    """Every deal has them."""
    assert (await reader.find_deals(name)).total == 0
    assert (await reader.contacts(ContactSearch(name=name, limit=1))).near == ()
    assert not [line for line in wire.requests if "deals/search" in line]


async def test_a_deals_own_name_outranks_a_contacts(wire: Wire, reader: HubspotReader) -> None:
    """A homonym among another deal's contacts does not make a deal's name doubtful."""
    wire.crm.update("contacts", "510", {"lastname": "Lefèvre (fictif)"})
    assert [deal.id for deal in (await reader.find_deals("lefevre")).found] == ["9002"]
