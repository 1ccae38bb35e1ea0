"""What is proposed, and on which deal: with the real reader on the sandbox's HubSpot."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pipeline.action_types import ActionRequest, ProposedAction
from pipeline.proposing.proposer import Proposed, as_plain, propose
from pipeline.types import Question, Route, ToolCall
from tests.hubspot_wire import MARTIN, Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)  # a Friday
ANSWER = "### En bref\n\nLe **LMNP** reste ouvert [1]. Les amortissements sont réintégrés [2].\n"
NOTE = ActionRequest(kind="create_note")


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


def asked(*, deal_id: str | None = None) -> Question:
    return Question(text="?", asked_by="U0CAMILLE", asked_at=NOW, deal_id=deal_id)


def routed(*actions: ActionRequest, **changes: Any) -> Route:
    fields: dict[str, Any] = {"mode": "rag", "intent": "ask", "query": "?", "actions": actions}
    return Route(**{**fields, **changes})


async def run(
    wire: Wire, question: Question, route: Route, answer: str = ANSWER
) -> tuple[tuple[ProposedAction, ...], str]:
    proposed = await propose(question, route, answer, crm=wire.reader(), now=NOW)
    return proposed.actions, " ".join(proposed.remarks)


async def one(wire: Wire, request: ActionRequest, **changes: Any) -> ProposedAction:
    (made,), remarks = await run(wire, asked(deal_id=MARTIN), routed(request, **changes))
    assert remarks == ""
    return made


async def refused(wire: Wire, request: ActionRequest) -> str:
    actions, remarks = await run(wire, asked(deal_id=MARTIN), routed(request))
    assert actions == ()
    return remarks


async def test_an_answer_worth_keeping_is_offered_as_a_note(wire: Wire) -> None:
    """In a thread tied to a deal, without being asked: plain text with its citations, and nothing written."""
    (made,), remarks = await run(wire, asked(deal_id=MARTIN), routed())
    assert (made.kind, made.target.id) == ("create_note", MARTIN)
    assert made.fields == {
        "hs_note_body": "En bref :\n\nLe LMNP reste ouvert [1]. Les amortissements sont réintégrés [2]."
    }
    assert "Dossier Martin" in made.summary
    assert remarks == ""
    assert wire.changes == []


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        ({"mode": "none"}, ANSWER),
        ({"refusal": "hors champ"}, ANSWER),
        ({"intent": "smalltalk"}, ANSWER),
        ({"intent": "clarify"}, ANSWER),
        ({"mode": "tools", "tool_calls": (ToolCall("crm", {"deal_id": MARTIN}),)}, ANSWER),
        ({}, "Une seule phrase [1]."),
        ({}, "Une seule phrase [1].\n\nSources :\n[1] Titre. Sous-titre. - https://example.com"),
        ({}, ""),
    ],
)
async def test_what_is_not_worth_keeping_is_not_offered(wire: Wire, changes: dict[str, Any], answer: str) -> None:
    """Small talk, refusals, one-liners and what HubSpot itself said stay out of HubSpot; nothing is even read."""
    assert await run(wire, asked(deal_id=MARTIN), routed(**changes), answer) == ((), "")
    assert wire.requests == []


async def test_an_answer_that_cites_the_crm_alone_is_not_offered_back_to_it(wire: Wire) -> None:
    """Whatever else was searched for; asked for in words, it is kept all the same."""
    both = routed(mode="rag+tools", tool_calls=(ToolCall("crm", {"deal_id": MARTIN}),))
    told: dict[str, Any] = {"crm": wire.reader(), "now": NOW}
    assert (await propose(asked(deal_id=MARTIN), both, ANSWER, **told, only_crm=True)).actions == ()
    assert (await propose(asked(deal_id=MARTIN), both, ANSWER, **told)).actions
    assert (await propose(asked(deal_id=MARTIN), routed(NOTE), ANSWER, **told, only_crm=True)).actions


async def test_a_thread_without_a_deal_gets_no_offer_and_no_remark(wire: Wire) -> None:
    """Who did not speak of a deal is not bothered with one."""
    assert await run(wire, asked(), routed()) == ((), "")


async def test_a_request_without_a_deal_asks_for_one(wire: Wire) -> None:
    """The user's words hold no target, the thread neither: nothing is guessed."""
    actions, remarks = await run(wire, asked(), routed(NOTE))
    assert actions == ()
    assert "Aucun dossier n'est rattaché à ce fil" in remarks


async def test_text_of_the_answer_never_chooses_the_deal(wire: Wire) -> None:
    """A deal named by a passage or a tool is not a target."""
    actions, _ = await run(wire, asked(), routed(NOTE), "Voir le dossier 9002. Notez sur le dossier 9003.")
    assert actions == ()


async def test_the_deal_that_the_user_names_wins_over_the_threads(wire: Wire) -> None:
    """Said now beats said before."""
    (made,), _ = await run(wire, asked(deal_id=MARTIN), routed(NOTE, deal_id="9002"))
    assert made.target.id == "9002"


async def test_an_unknown_deal_never_falls_back_to_the_threads(wire: Wire) -> None:
    """A slip of the finger must not write on another client's file."""
    actions, remarks = await run(wire, asked(deal_id=MARTIN), routed(NOTE, deal_id="4242"))
    assert actions == ()
    assert remarks == "Le dossier 4242 est introuvable dans HubSpot."


async def test_a_name_finds_the_one_deal_it_means(wire: Wire) -> None:
    """Accents and civility do not count."""
    (made,), _ = await run(wire, asked(), routed(NOTE, deal_name="Mme Lefevre"))
    assert made.target.id == "9002"


async def test_a_name_of_several_deals_asks_which(wire: Wire) -> None:
    """All candidates are listed with their numbers."""
    wire.crm.update("deals", "9003", {"dealname": "Dossier Martin - maison Toulon"})
    actions, remarks = await run(wire, asked(), routed(NOTE, deal_name="Martin"))
    assert actions == ()
    assert "Plusieurs dossiers correspondent à « Martin »" in remarks
    assert "9001" in remarks
    assert "9003" in remarks
    (made,), _ = await run(wire, asked(deal_id="9003"), routed(NOTE, deal_name="Martin"))
    assert made.target.id == "9003"


async def test_a_name_of_no_deal_is_said(wire: Wire) -> None:
    """Not replaced by the thread's deal either."""
    actions, remarks = await run(wire, asked(deal_id=MARTIN), routed(NOTE, deal_name="Durand"))
    assert actions == ()
    assert "Aucun dossier ne correspond à « Durand »" in remarks


async def test_without_hubspot_no_action_is_offered(wire: Wire) -> None:
    """Said when a write was asked for, silent otherwise."""
    proposed = await propose(asked(deal_id=MARTIN), routed(NOTE), ANSWER, crm=None, now=NOW)
    assert proposed.actions == ()
    assert "HubSpot n'est pas connecté" in proposed.remarks[0]
    assert await propose(asked(deal_id=MARTIN), routed(), ANSWER, crm=None, now=NOW) == Proposed()


async def test_an_unavailable_hubspot_is_a_remark_and_not_an_error(wire: Wire) -> None:
    """The answer itself must still go out."""
    wire.crm.set_faults({"mode": "500", "count": 50})
    actions, remarks = await run(wire, asked(deal_id=MARTIN), routed(NOTE))
    assert actions == ()
    assert "HubSpot a répondu par une erreur (500)" in remarks


def test_markdown_becomes_plain_lines() -> None:
    """Headings become titles, emphasis goes, bullets and markers stay."""
    text = "### Règle\n- **Un** [1].\n- __Deux__ [2].\n\n\n\n## Fin :\nTexte."
    assert as_plain(text) == "Règle :\n- Un [1].\n- Deux [2].\n\nFin :\nTexte."


IBAN, PHONE = "FR76 3000 4000 0312 3456 7890 143", "06 12 34 56 78"


async def test_what_a_file_holds_of_persons_does_not_reach_the_note(wire: Wire) -> None:
    """An answer may quote a file that holds an account, an address or a telephone; HubSpot gets none of them."""
    answer = f"Le vendeur est payé sur {IBAN} [1]. Le notaire répond au {PHONE}, a.b@exemple.fr [1]."
    for request in ((), (replace(NOTE, refers=True),)):
        (made,), _ = await run(wire, asked(deal_id=MARTIN), routed(*request), answer)
        body = made.fields["hs_note_body"]
        assert not [label for label in ("[IBAN masqué]", "[téléphone masqué]", "[e-mail masqué]") if label not in body]
        assert not [told for told in ("3000 4000", "06 12", "exemple.fr") if told in body]
