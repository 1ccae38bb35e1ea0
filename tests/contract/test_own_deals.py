"""Deals for their own adviser alone, over the real reader and the sandbox's HubSpot: the rest is not even counted."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from bot.crm.own_deals import OwnDeals
from pipeline.crm_types import ContactSearch, DealSearch, TaskList, TaskSearch
from pipeline.ports import CrmReader
from pipeline.tools.crm.tool import CrmTool
from pipeline.types import ToolCall
from tests.hubspot_wire import Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
CAMILLE, HUGO = "Camille.Renaud@aubrac.example", "hugo.marchetti@aubrac.example"
HERS, HIS = "9001", "9002"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


def reader(wire: Wire, email: str = CAMILLE) -> OwnDeals:
    return OwnDeals(wire.reader(), email)


async def test_a_deal_is_its_owners(wire: Wire) -> None:
    """By the address that HubSpot has for the owner, however it is spelt."""
    for email, own, other in ((CAMILLE, HERS, HIS), (HUGO, HIS, HERS)):
        mine = reader(wire, email)
        assert await mine.deal(own) is not None
        assert await mine.brief(own) is not None
        assert await mine.deal(other) is None
        assert await mine.brief(other) is None


@pytest.mark.parametrize("email", ["", "lea.brun@ecole.example"])
async def test_who_owns_nothing_reads_nothing(wire: Wire, email: str) -> None:
    """Also where Slack did not tell the address: an empty one matches nobody."""
    nobody = reader(wire, email)
    assert await nobody.deal(HERS) is None
    assert (await nobody.deals(DealSearch())).total == 0
    assert (await nobody.find_deals("Martin")).total == 0
    assert (await nobody.contacts(ContactSearch(name="Martin"))).total == 0
    assert (await nobody.tasks(TaskSearch())).total == 0


async def test_lists_count_ones_own_alone(wire: Wire) -> None:
    """HubSpot itself filters, so that the total is true; a colleague's list is empty."""
    whole = await wire.reader().deals(DealSearch(owner_id="3001"))
    assert await reader(wire).deals(DealSearch()) == whole
    assert (await reader(wire).deals(DealSearch(owner_id="3002"))).total == 0
    found = await reader(wire).deals(DealSearch(closes_after=date(2026, 12, 1)))
    assert {deal.properties["hubspot_owner_id"] for deal in found.deals} == {"3001"}


async def test_tasks_are_ones_own_or_on_ones_own_deals(wire: Wire) -> None:
    """A colleague's tasks are read where they are about a deal of one's own."""
    mine = await reader(wire).tasks(TaskSearch(limit=100))
    assert mine == await _without_other_deals(wire, await wire.reader().tasks(TaskSearch(owner_id="3001", limit=100)))
    his = await reader(wire).tasks(TaskSearch(owner_id="3002", limit=100))
    own = {deal.id for deal in (await reader(wire).deals(DealSearch())).deals}
    assert all({deal.deal_id for deal in task.deals} & own for task in his.tasks)


async def _without_other_deals(wire: Wire, found: TaskList) -> TaskList:
    own = {deal.id for deal in (await reader(wire).deals(DealSearch())).deals}
    tasks = (replace(task, deals=tuple(d for d in task.deals if d.deal_id in own)) for task in found.tasks)
    return replace(found, tasks=tuple(tasks))


ASKED: tuple[dict[str, Any], ...] = (
    {"view": "deals", "open": None, "limit": 25},
    {"view": "deals", "owner": "hugo", "open": None, "limit": 25},
    {"view": "deals", "text": "lmnp", "open": None},
    {"view": "deals", "commune": "Marseille", "open": None},
    {"view": "deals", "group": "owner", "open": None},
    {"view": "deal", "deal_id": HIS},
    {"view": "deal", "name": "Lefèvre"},
    {"view": "deal", "name": "Lefevr"},
    {"view": "deal", "name": "Moreau"},
    {"view": "brief", "name": "Garnier"},
    {"view": "brief", "deal_id": HERS},
    {"view": "contacts", "commune": "Lyon"},
    {"view": "contacts", "name": "Lefèvre"},
    {"view": "contacts", "name": "Lefevrre"},
    {"view": "contacts", "deal_id": HIS},
    {"view": "tasks", "limit": 25},
    {"view": "tasks", "owner": "hugo", "limit": 25},
    {"view": "tasks", "late": True, "limit": 25},
    {"view": "tasks", "deal_id": HIS},
)


@pytest.mark.parametrize("arguments", ASKED, ids=lambda a: "-".join(str(value) for value in a.values()))
async def test_nothing_of_a_colleagues_deals_is_told(wire: Wire, arguments: dict[str, Any]) -> None:
    """Neither their names nor how to reach their clients, in texts, choices or « les plus proches »."""
    assert not await _leaked(wire, reader(wire), arguments)


async def test_the_search_for_leaks_finds_them(wire: Wire) -> None:
    """Asked by somebody who reads every deal, nearly all of these name a colleague's."""
    leaking = [arguments for arguments in ASKED if await _leaked(wire, wire.reader(), arguments)]
    assert len(leaking) > len(ASKED) * 3 / 4


async def _leaked(wire: Wire, crm: CrmReader, arguments: dict[str, Any]) -> list[str]:
    result = await CrmTool(crm, now=lambda: NOW).run(ToolCall("crm", arguments))
    told = " ".join((result.title, result.text, result.error or "", str(result.choices), str(result.persons)))
    return [secret for secret in _secrets(wire) if secret in told]


def _secrets(wire: Wire) -> list[str]:
    """Numbers and names of deals that are not hers, and the addresses of contacts of such deals alone."""
    snapshot = wire.crm.snapshot()
    others = [deal for deal in snapshot["deals"] if deal["properties"].get("hubspot_owner_id") != "3001"]
    hers = {id_ for deal in snapshot["deals"] if deal not in others for id_ in deal["associations"]["contacts"]}
    names = [str(deal["properties"]["dealname"]).removesuffix(" (fictif)") for deal in others]
    people = {id_ for deal in others for id_ in deal["associations"]["contacts"]} - hers
    mails = [contact["properties"]["email"] for contact in snapshot["contacts"] if contact["id"] in people]
    return [*names, *mails]


async def test_whose_address_hubspot_does_not_know_is_told(wire: Wire) -> None:
    """Apart from who simply has no such deal."""
    for email, nobody in ((CAMILLE, False), ("lea.brun@ecole.example", True), ("", True)):
        mine = reader(wire, email)
        await mine.deal(HIS)
        assert (mine.narrowed, mine.nobody) == (True, nobody)
