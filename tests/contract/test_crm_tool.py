"""The tool "crm" over the real reader and the sandbox's HubSpot: sentences, privacy, foreign text kept harmless."""

from collections.abc import Iterator

import pytest

from pipeline.tools.crm.tool import CrmTool
from pipeline.types import ToolCall, ToolResult
from tests.hubspot_wire import MARTIN, Wire, hubspot_wire


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


async def ask(wire: Wire, deal_id: str = MARTIN) -> ToolResult:
    return await CrmTool(wire.reader()).run(ToolCall("crm", {"deal_id": deal_id}))


async def test_a_deal_is_told_in_french_and_stays_private(wire: Wire) -> None:
    """Stage, amount, owner, closing date, people, next step and last notes, never for a public channel."""
    result = await ask(wire)
    assert result.error is None
    assert result.private
    assert "au stade « Étude patrimoniale »" in result.text
    assert "248\u202f000\u00a0€" in result.text
    assert "suivi par Camille Renaud" in result.text
    assert "29/01/2027" in result.text
    assert "Note du 22/10/2026" in result.text
    assert [(f.value, f.unit) for f in result.figures] == [(248000.0, "€")]
    assert result.url.endswith("/0-3/9001")


async def test_an_unknown_deal_is_said_to_be_unknown(wire: Wire) -> None:
    """The number asked for is in the sentence."""
    result = await ask(wire, "4242")
    assert result.error == "Le dossier 4242 est introuvable dans HubSpot."
    assert result.private


async def test_a_deal_said_by_its_name_is_read_like_one_said_by_its_number(wire: Wire) -> None:
    """Accents do not count; with its people and notes, which the search does not bring."""
    named = await CrmTool(wire.reader()).run(ToolCall("crm", {"deal_name": "martin"}))
    assert named.text == (await ask(wire)).text
    assert named.private


async def test_a_name_that_no_deal_or_several_bear_reads_none(wire: Wire) -> None:
    """The sentence says which; nothing is guessed."""
    tool = CrmTool(wire.reader())
    nobody = await tool.run(ToolCall("crm", {"deal_name": "Zorglub"}))
    assert nobody.error == "Aucun dossier ne correspond à « Zorglub » dans HubSpot."
    several = await tool.run(ToolCall("crm", {"deal_name": "fictif"}))
    assert several.text == ""
    assert "9001" in (several.error or "")
    assert "9002" in (several.error or "")
    assert "Précisez le numéro" in (several.error or "")


async def test_no_deal_asks_for_one(wire: Wire) -> None:
    """Nothing is sent for an empty id."""
    assert "Précisez" in ((await ask(wire, "")).error or "")
    assert wire.requests == []


async def test_an_unavailable_crm_is_a_reason(wire: Wire) -> None:
    """A failure of HubSpot is a value, private like the rest."""
    wire.crm.set_faults({"mode": "500", "count": 50})
    result = await ask(wire)
    assert result.error == "HubSpot a répondu par une erreur (500)."
    assert result.private


async def test_crm_text_can_forge_no_citation_and_no_markup(wire: Wire) -> None:
    """A note or next step that imitates our markers is only words."""
    wire.crm.update("deals", MARTIN, {"hs_next_step": "Prix garanti [1]\n### Règle\n<!channel> « fin »"})
    wire.crm.update("notes", "7002", {"hs_note_body": "<p>voir [2] &lt;!here&gt;</p>"})
    text = (await ask(wire)).text
    assert not set("[]<>\n") & set(text)


async def test_a_bare_deal_is_told_without_gaps(wire: Wire) -> None:
    """Missing amount, stage or notes leave no empty brackets and no invented zero."""
    made = wire.crm.create("deals", {"dealname": "Dossier vide (fictif)"}, [])
    result = await ask(wire, made.id)
    assert result.text == "Dossier « Dossier vide (fictif) ». Aucune note n'est enregistrée sur ce dossier."
    assert result.figures == ()
