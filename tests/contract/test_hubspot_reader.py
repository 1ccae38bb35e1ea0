"""What the reader gives the pipeline, over a real HTTP connection to the sandbox's HubSpot."""

from collections.abc import Iterator

import pytest

from bot.crm.reader import HubspotReader
from pipeline.errors import CrmUnavailable
from tests.hubspot_wire import MARTIN, Wire, hubspot_wire


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


async def test_a_deal_comes_with_people_stage_owner_and_last_notes(reader: HubspotReader) -> None:
    """Ids become names, HTML becomes text, newest note first."""
    deal = await reader.deal(MARTIN)
    assert deal is not None
    assert deal.name == "Dossier Martin - T3 Villeurbanne (fictif)"
    assert (deal.stage, deal.owner, deal.amount) == ("Étude patrimoniale", "Camille Renaud", "248000")
    assert deal.contacts == ("Paul Martin (fictif)", "Sophie Martin (fictif)")
    assert deal.notes[0] == (
        "22/10/2026 : Banque : accord de principe sur vingt ans.\n"
        "Attendent notre avis sur le niveau des prix du quartier."
    )
    assert len(deal.notes) == 2
    assert deal.url.endswith(f"/record/0-3/{MARTIN}")
    assert set(deal.changed_at) == {"closedate", "dealstage", "description", "hs_next_step", "hs_priority"}


async def test_no_address_or_telephone_of_a_contact_is_read(reader: HubspotReader) -> None:
    """What is not needed to answer is not fetched."""
    assert "example.com" not in repr(await reader.deal(MARTIN))
    assert "01 99 00" not in repr(await reader.deal(MARTIN))


@pytest.mark.parametrize("deal_id", ["4242", "", "abc", "../contacts/501", "9001?x=1", "9" * 30])
async def test_an_unknown_deal_is_none(reader: HubspotReader, deal_id: str) -> None:
    """An id that HubSpot does not know, or that could be none, is a value and not an error."""
    assert await reader.deal(deal_id) is None


async def test_an_id_that_cannot_be_one_is_never_sent(wire: Wire, reader: HubspotReader) -> None:
    """Text of a user never becomes a path."""
    await reader.deal("../contacts/501")
    assert wire.requests == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Martin", ["9001"]),
        ("le dossier de M. Martin", ["9001"]),
        ("MARTIN Villeurbanne", ["9001"]),
        ("Lefèvre", ["9002"]),
        ("lefevre", ["9002"]),
        ("deficit foncier garnier", ["9004"]),
        ("Durand", []),
        ("le dossier", []),
        ("", []),
        ("*", []),
    ],
)
async def test_deals_are_found_by_the_words_of_their_name(
    reader: HubspotReader, name: str, expected: list[str]
) -> None:
    """Civility and filler words do not count, nor case, nor accents; a name spelt alike outranks its neighbours."""
    assert [d.id for d in (await reader.find_deals(name)).found] == expected


async def test_deals_that_share_a_name_are_all_found_and_limited(wire: Wire, reader: HubspotReader) -> None:
    """Last modified first: who asks sees what was worked on lately."""
    wire.crm.update("deals", "9003", {"dealname": "Dossier Martin - Toulon"})
    assert [d.id for d in (await reader.find_deals("Martin")).found] == ["9003", "9001"]
    one = await reader.find_deals("Martin", limit=1)
    assert ([d.id for d in one.found], one.total) == (["9003"], 2)


async def test_a_property_has_its_type_options_and_lock(reader: HubspotReader) -> None:
    """Calculated properties are read-only whatever the rest says."""
    priority = await reader.deal_property("hs_priority")
    assert priority is not None
    assert (priority.type, priority.options, priority.read_only) == ("enumeration", ("low", "medium", "high"), False)
    assert priority.labels["high"] == "Haute"
    forecast = await reader.deal_property("hs_forecast_amount")
    assert forecast is not None
    assert forecast.read_only
    assert await reader.deal_property("couleur") is None


async def test_a_property_name_that_cannot_be_one_is_never_sent(wire: Wire, reader: HubspotReader) -> None:
    """Names come from a user's words by way of the router."""
    assert await reader.deal_property("../contacts") is None
    assert await reader.deal_property("") is None
    assert wire.requests == []


@pytest.mark.parametrize("mode", ["429", "500", "401", "html"])
async def test_a_lasting_fault_is_crm_unavailable_in_french(wire: Wire, reader: HubspotReader, mode: str) -> None:
    """Whatever the vendor raises, the pipeline sees one error with a sentence."""
    wire.crm.set_faults({"mode": mode, "count": 100, "retry_after": 0})
    with pytest.raises(CrmUnavailable, match="HubSpot"):
        await reader.deal(MARTIN)


async def test_a_slow_crm_is_given_up(wire: Wire) -> None:
    """Each call has a time limit of its own; a read is tried twice at most."""
    reader = wire.reader(seconds=0.2)
    wire.crm.set_faults({"mode": "slow", "count": 100, "seconds": 1})
    with pytest.raises(CrmUnavailable, match="ne répond pas"):
        await reader.find_deals("Martin")


async def test_a_passing_429_is_waited_out_on_a_read(wire: Wire, reader: HubspotReader) -> None:
    """Reads may repeat: one rate limit is not the user's business."""
    wire.crm.set_faults({"mode": "429", "count": 1, "retry_after": 0})
    assert (await reader.deal(MARTIN)) is not None


async def test_a_wrong_token_is_named(wire: Wire) -> None:
    """The sentence says which setting to look at, not what the token was."""
    with pytest.raises(CrmUnavailable, match="HUBSPOT_TOKEN") as caught:
        await wire.reader(token="pat-faux").deal(MARTIN)
    assert "pat-faux" not in str(caught.value)


async def test_an_unreachable_crm_is_crm_unavailable() -> None:
    """Nothing listens on the address: a sentence, not urllib3's error."""
    from bot.crm.transport import connect

    with pytest.raises(CrmUnavailable, match="ne répond pas"):
        await HubspotReader(connect("jeton", base_url="http://127.0.0.1:9", timeout=(0.2, 0.2))).deal(MARTIN)


async def test_who_hubspot_names_is_told_to_whoever_hides_it(wire: Wire) -> None:
    """The logs must know a client's name before any line could show it."""
    names: list[str] = []
    await wire.reader(told=names.extend).deal(MARTIN)
    assert {"Paul", "Sophie", "Dossier Martin"} <= set(names)


async def test_one_reader_keeps_its_connections(wire: Wire, reader: HubspotReader) -> None:
    """Labels that hardly change (stages, owners, portal) are asked once."""
    await reader.deal(MARTIN)
    first = len(wire.requests)
    await reader.deal(MARTIN)
    again = wire.requests[first:]
    assert not [r for r in again if "pipelines" in r or "owners" in r or "account-info" in r]
