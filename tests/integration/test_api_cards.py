"""What a program proposes against the sandbox's Slack and HubSpot: a card that a member clicks, and nothing before."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final

import pytest
import pytest_asyncio
from mcp.client.client import Client

from bot.api.asking import Asking
from bot.api.mcp_server import mcp_server
from bot.api.parts import Api
from bot.api.shapes import AskAnswer, AskRequest
from bot.rights import DealReaders
from bot.runtime.processes import api_of
from bot.store import channels, keys
from bot.store.keys import Key
from sandbox.slack.state import User
from tests.integration.visitors_desk import TEAM, VisitorsDesk, visitors_desk

NOTE: Final = "Le client préfère un T3 à Villeurbanne, IBAN FR7630006000011234567890189."
MASKED: Final = "IBAN [IBAN masqué]"
WHO: Final = {
    "colleague": User("U0HUGO", "Hugo Marchetti", "hugo", "", "hugo.marchetti@aubrac.example", ""),
    "guest": User("U0LEA", "Léa Brun", "lea", "", "lea.brun@ecole.example", "", guest=True),
}
HERE, SHARED = "C0MARCHE", "C0VAUBAN"


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[VisitorsDesk]:
    async with visitors_desk(tmp_path_factory.mktemp("cards"), WHO) as desk:
        yield desk


async def key_of(api: Api, name: str, *, channel: str = HERE, deals: bool = True, team_id: str = TEAM) -> Key:
    rights = {"deals": deals, "channel": channel}
    await api.database.write(lambda c: keys.add(c, team_id=team_id, name=name, **rights))
    found = await api.database.read(lambda c: keys.of_name(c, name))
    assert found is not None
    return found


async def called(api: Api, key: Key, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Whether it was refused, and what a model reads of it."""
    async with Client(mcp_server(Asking(api), lambda _context: key)) as client:
        result = await client.call_tool(tool, arguments)
    return bool(result.is_error), " ".join(part.text for part in result.content)


async def written(desk: VisitorsDesk) -> int:
    """How often HubSpot holds the note."""
    return str(await desk.rig.get("crm")).count("Villeurbanne, IBAN")


async def proposals_of(desk: VisitorsDesk, key: Key) -> list[tuple[str, str, str | None]]:
    """Where each stands, how far it is and who decided."""
    asked = f"select channel, state, decided_by from proposal where requested_by = '{key.user_id}'"
    return [(row["channel"], row["state"], row["decided_by"]) for row in await desk.rows(asked)]


async def test_a_note_is_a_card_until_a_member_clicks(desk: VisitorsDesk) -> None:
    """Its thread says which program proposes it; a guest decides nothing; a member's click writes it once, masked."""
    api = api_of(desk.services)
    key = await key_of(api, "tableau")
    refused, text = await called(api, key, "propose_note", deal="9001", text=NOTE)
    assert not refused, text
    assert json.loads(text)["cards"] == {"shown": 1, "reason": None}
    assert MASKED in json.loads(text)["proposals"][0]["fields"]["hs_note_body"]
    (opening,) = [m for m in desk.channel(HERE).messages.values() if "tableau" in str(m.get("text"))]
    card = desk.replies(HERE, str(opening["ts"]))[-1]
    assert "FR76" not in str(card)
    assert await written(desk) == 0
    approve = next(e["action_id"] for b in card["blocks"] for e in b.get("elements", ()) if e.get("style") == "primary")
    await desk.click("guest", HERE, card, approve)
    assert await written(desk) == 0
    await desk.click("colleague", HERE, card, approve)
    assert await written(desk) == 1
    assert await proposals_of(desk, key) == [(HERE, "done", "U0HUGO")]


async def test_what_an_answer_proposes_is_shown_too(desk: VisitorsDesk) -> None:
    """`cards` says how many; the answer is the shape that the document tells."""
    api = api_of(desk.services)
    key = await key_of(api, "demandeur")
    asking = Asking(api)
    begun = await asking.begin(key, AskRequest(text="ajoute une note sur le dossier 9001 : relire le bail"))
    told = AskAnswer.model_validate(await begun.task)
    assert (told.cards.shown, told.cards.reason, len(told.proposals)) == (1, None, 1)
    assert await proposals_of(desk, key) == [(HERE, "offered", None)]
    closed = await key_of(api, "sans canal", channel="")
    begun = await asking.begin(closed, AskRequest(text="ajoute une note sur le dossier 9001 : relire le bail"))
    told = AskAnswer.model_validate(await begun.task)
    assert (told.cards.shown, len(told.proposals)) == (0, 1)
    assert "n'a pas de canal" in (told.cards.reason or "")
    assert await proposals_of(desk, closed) == []


async def test_where_nothing_may_be_proposed_nothing_is(desk: VisitorsDesk) -> None:
    """A channel that another company reads, one closed to deals, a deal that is not there or not meant, another
    adviser's: each with its reason, and no card."""
    open_to_all, before = api_of(desk.services), await written(desk)
    restricted = replace(open_to_all, readers=DealReaders(frozenset()))
    shut = {"team_id": TEAM, "channel": "C0TOULON", "by": "U0HUGO", "deals": "closed", "approvers": ()}
    await open_to_all.database.write(lambda c: channels.put(c, **shut))
    cases = [
        (open_to_all, await key_of(open_to_all, "h", channel="C0TOULON"), "9001", "n'est pas ouvert aux dossiers"),
        (open_to_all, await key_of(open_to_all, "a", channel=SHARED), "9001", "partagé"),
        (open_to_all, await key_of(open_to_all, "b", channel="C0NULLEPART"), "9001", "ne me montre pas"),
        (open_to_all, await key_of(open_to_all, "c"), "424242", "introuvable"),
        (restricted, await key_of(open_to_all, "d"), "9001", "introuvable"),
        (replace(open_to_all, slack=None), await key_of(open_to_all, "e"), "9001", "Slack n'est pas connecté"),
        (open_to_all, await key_of(open_to_all, "f", channel=""), "9001", "n'a pas de canal"),
        (open_to_all, await key_of(open_to_all, "g", deals=False), "9001", "n'ouvre pas les dossiers"),
    ]
    for api, key, deal, reason in cases:
        refused, text = await called(api, key, "propose_note", deal=deal, text=NOTE)
        assert refused, key.name
        assert reason in text, text
        assert await proposals_of(desk, key) == []
    assert await written(desk) == before


async def test_deals_and_files_are_those_of_the_key(desk: VisitorsDesk) -> None:
    """Without `--deals` nothing of HubSpot is told, nor asked; with it the answer is that of a member."""
    api = api_of(desk.services)
    asked = "À quel stade est le dossier 9001 ?"
    before = desk.asked_of_hubspot()
    refused, text = await called(api, await key_of(api, "sans", deals=False, channel=""), "ask", text=asked)
    assert (refused, "n'ouvre pas les dossiers" in text, desk.asked_of_hubspot()) == (False, True, before)
    refused, text = await called(api, await key_of(api, "avec", channel=""), "ask", text=asked)
    assert "au stade" in text
