"""What the tool tells since what is asked of it is learned: two beside each other, those shown before, people without a
deal, tasks by their subject."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from pipeline.tools.crm.tool import CrmTool
from pipeline.types import ToolCall, ToolResult
from tests.hubspot_wire import Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


async def told(wire: Wire, view: str, **arguments: object) -> ToolResult:
    return await CrmTool(wire.reader(seconds=8.0), now=lambda: NOW).run(ToolCall("crm", {"view": view, **arguments}))


async def test_the_larger_of_two_names_comes_first_with_the_gap(wire: Wire) -> None:
    found = await told(wire, "compare", names=("Martin", "Martinez"), fields=("amount",), words="Martin ou Martinez ?")
    assert found.text.startswith("Le plus gros montant est celui de « Dossier Martinez")
    assert "172\u202f000\u00a0€ de plus" in found.text
    assert [entry.figure.value for entry in found.computed] == [172_000.0]


async def test_who_alone_holds_what_is_asked_comes_first(wire: Wire) -> None:
    """Though the other one is larger."""
    found = await told(wire, "compare", names=("Martin", "Martinez"), words="Martin ou Martinez, qui a deux enfants ?")
    assert found.text.startswith("Dossier Martin - T3 Villeurbanne")


async def test_somebody_unknown_is_not_compared(wire: Wire) -> None:
    found = await told(wire, "compare", names=("Martin", "Zorglub"), words="Martin ou Zorglub ?")
    assert found.error is not None
    assert "zorglub" in found.error.lower()


async def test_only_those_shown_before_are_added_up(wire: Wire) -> None:
    found = await told(wire, "deals", among=("9001", "9006"), open=None)
    assert found.text.startswith(
        "2 dossiers de cette liste, dont 2 ouverts, pour un montant total de 668\u202f000\u00a0€"
    )


async def test_people_without_a_deal_are_told(wire: Wire) -> None:
    found = await told(wire, "contacts", without_deals=True)
    assert found.text.startswith("2 contacts sans aucun dossier dans HubSpot : ")
    assert "Manon Girard" in found.text


async def test_a_task_is_found_by_its_subject(wire: Wire) -> None:
    found = await told(wire, "tasks", words="Les bilans, c'est pour quel client ?")
    assert found.text.startswith(
        "1 tâche ouverte où il est question de « bilans » dans HubSpot : « Demander les bilans »"
    )


async def test_words_of_asking_are_not_said_to_be_missing(wire: Wire) -> None:
    """A thing that nothing holds is."""
    found = await told(wire, "deals", words="j'aurais oublié quelque part des dossiers avec un perroquet")
    assert "« perroquet »" in found.text
    assert "oublié" not in found.text


async def test_where_only_a_text_can_answer_and_none_does_that_is_said(wire: Wire) -> None:
    found = await told(wire, "deal", deal_id="9021", words="pourquoi hésiter ?", text_asked=True)
    assert found.error is not None
    assert "ne le dit pas" in found.error
    assert (await told(wire, "deal", deal_id="9021", words="pourquoi hésiter ?")).error is None
