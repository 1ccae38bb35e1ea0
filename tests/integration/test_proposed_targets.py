"""Several requests of one message, each on its own deal; names of several or none; stages; what cannot be done."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from pipeline.action_types import ActionRequest
from pipeline.crm_types import DealChoice
from pipeline.proposing.proposer import Proposed, propose
from pipeline.types import Question, Route
from tests.hubspot_wire import MARTIN, Wire, approval, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
ANSWER = "### En bref\n\nLe **LMNP** reste ouvert [1]. Les amortissements sont réintégrés [2].\n"
PLAIN = "En bref :\n\nLe LMNP reste ouvert [1]. Les amortissements sont réintégrés [2]."


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


async def run(
    wire: Wire,
    *requests: ActionRequest,
    deal_id: str | None = None,
    answer: str = ANSWER,
    text: str = "?",
    **changes: Any,
) -> Proposed:
    question = Question(text=text, asked_by="U0CAMILLE", asked_at=NOW, deal_id=deal_id)
    route = Route(mode="none", intent="crm_write", query="?", actions=requests, **changes)
    return await propose(question, route, answer, crm=wire.reader(), now=NOW)


def note(body: str = "x", **changes: Any) -> ActionRequest:
    return ActionRequest(kind="create_note", body=body, **changes)


def stage(words: str, **changes: Any) -> ActionRequest:
    return ActionRequest(kind="update_property", property="dealstage", value=words, **changes)


async def test_each_request_goes_to_its_own_deal(wire: Wire) -> None:
    """By number, by name with a slip, and on the thread's deal for the one that names none."""
    task = ActionRequest(kind="create_task", body="Rappeler", deal_name="Garnire")
    made = await run(wire, note(deal_id="9002"), task, note("y"), deal_id=MARTIN)
    assert [(action.kind, action.target.id) for action in made.actions] == [
        ("create_note", "9002"),
        ("create_task", "9004"),
        ("create_note", MARTIN),
    ]
    assert made.remarks == ()


async def test_a_deal_named_by_several_requests_is_looked_for_once(wire: Wire) -> None:
    """And told back, so that the thread may be tied to it; two different ones tie it to none."""
    made = await run(wire, note("a", deal_name="Benali"), note("b", deal_name="Benali"))
    assert made.deal_id == "9003"
    assert len([line for line in wire.requests if "deals/search" in line]) == 1
    assert (await run(wire, note("a", deal_id="9003"), note("b", deal_id="9004"))).deal_id is None


async def test_a_name_of_several_deals_offers_them_and_keeps_the_rest(wire: Wire) -> None:
    """One remark and its buttons; the other request is still proposed."""
    made = await run(wire, note(deal_name="Moreau"), note("y", deal_name="Benali"))
    assert [action.target.id for action in made.actions] == ["9003"]
    assert made.choices == (
        DealChoice("9008", "Dossier Moreau - T2 Lyon 7e (fictif) (n° 9008)"),
        DealChoice("9009", "Dossier Moreau - longère Rennes (fictif) (n° 9009)"),
    )
    (remark,) = made.remarks
    assert "Plusieurs dossiers correspondent à « Moreau »" in remark


async def test_the_threads_own_deal_settles_a_shared_name(wire: Wire) -> None:
    """Who speaks of Moreau in Moreau's thread means that one."""
    (made,) = (await run(wire, note(deal_name="Moreau"), deal_id="9009")).actions
    assert made.target.id == "9009"


async def test_a_name_of_no_deal_offers_the_nearest(wire: Wire) -> None:
    """Not the thread's deal, and nothing guessed."""
    made = await run(wire, note(deal_name="Benallissi"), deal_id=MARTIN)
    assert made.actions == ()
    assert made.choices[0].deal_id == "9003"
    assert "Les plus proches" in made.remarks[0]


async def test_a_name_that_is_a_number_is_a_number(wire: Wire) -> None:
    """« le dossier 9003 » may be read as a name."""
    (made,) = (await run(wire, note(deal_name="9003"))).actions
    assert made.target.id == "9003"


@pytest.mark.parametrize(
    ("name", "message", "deal"),
    [
        ("Robert", "tache Robert viager : rappeler jeudi", "9038"),
        ("Goff", "aussi pour Le Goff quimper vendredi", "9017"),
        ("Le Goff", "note sur Le Goff nantes : rappeler jeudi", "9037"),
        ("Moreau", "note Moreau rennes : rappeler jeudi", "9009"),
        ("martin 9001", "note martin 9001 : rappeler jeudi", "9001"),
        ("Robert 9028", "note Robert 9028", "9028"),
    ],
)
async def test_other_words_of_the_message_tell_deals_apart(wire: Wire, name: str, message: str, deal: str) -> None:
    """A word, a town or a number that one deal alone bears."""
    made = await run(wire, note("rappeler jeudi", deal_name=name), text=message)
    assert [action.target.id for action in made.actions] == [deal], made.remarks


async def test_what_is_to_be_written_does_not_tell_deals_apart(wire: Wire) -> None:
    """« Parler du viager » may be noted on Robert's other deal."""
    made = await run(wire, note("Parler du viager", deal_name="Robert"), text="note sur Robert : parler du viager")
    assert made.actions == ()
    assert {choice.deal_id for choice in made.choices} == {"9028", "9038"}


async def test_a_number_that_is_not_the_names_is_told(wire: Wire) -> None:
    """Neither deal is taken."""
    made = await run(wire, note(deal_name="martin 9003"))
    assert made.actions == ()
    assert "9001" in made.remarks[0]


@pytest.mark.parametrize(
    ("text", "body", "ids"),
    [
        ("cree une tache rappeler m lefevre mardi", "Rappeler m lefevre", ["9002"]),
        ("tâche : rappeler le client garnier", "Rappeler le client garnier", ["9004"]),
        ("cree une tache rappeler dupont studio", "Rappeler dupont studio", ["9034"]),
        ("tache relancer le goff quimper demain", "Relancer le goff quimper", ["9017"]),
        ("tache 9018 rappeler client", "Rappeler client", ["9018"]),
        ("tache rappeler manon girard", "Rappeler manon girard", ["535"]),
    ],
)
async def test_a_client_named_in_the_text_is_found(wire: Wire, text: str, body: str, ids: list[str]) -> None:
    """Where no deal is named and the thread has none."""
    made = await run(wire, ActionRequest(kind="create_task", body=body), text=text)
    assert [action.target.id for action in made.actions] == ids, made.remarks


async def test_a_client_of_several_deals_named_in_the_text_offers_them(wire: Wire) -> None:
    """Not the most recent one."""
    made = await run(wire, ActionRequest(kind="create_task", body="Rappeler diallo"), text="tache rappeler diallo")
    assert made.actions == ()
    assert {choice.deal_id for choice in made.choices} == {"9019", "9033"}


@pytest.mark.parametrize(
    "body", ["Rappeler la banque demain", "Chiffrer un T2 à Lyon pour 250000 €", "Appeler zorglub"]
)
async def test_a_text_that_names_nobody_asks_for_the_deal(wire: Wire, body: str) -> None:
    """A town, a kind of home or an amount is no client."""
    made = await run(wire, ActionRequest(kind="create_task", body=body), text=f"tâche : {body}")
    assert made.actions == ()
    assert "Aucun dossier n'est rattaché" in made.remarks[0]


async def test_the_threads_deal_outranks_a_name_in_the_text(wire: Wire) -> None:
    """« Rappeler Garnier » may be a task of Martin's deal."""
    (made,) = (await run(wire, ActionRequest(kind="create_task", body="Rappeler Garnier"), deal_id=MARTIN)).actions
    assert made.target.id == MARTIN


async def test_a_contact_without_a_deal_takes_notes_and_tasks(wire: Wire) -> None:
    """The card names the contact; a field of a deal cannot be changed there."""
    task = ActionRequest(kind="create_task", body="Rappeler")
    made = await run(wire, note(), task, stage("signé"), deal_name="Manon Girard")
    assert [(action.target.object, action.target.id) for action in made.actions] == [("contact", "535")] * 2
    assert "au contact « Manon Girard (fictif) »" in made.actions[0].summary
    assert "je ne modifie que les dossiers" in made.remarks[0]
    assert made.deal_id is None
    receipt = await wire.writer().perform(made.actions[0], approval())
    assert wire.crm.get("notes", receipt.crm_id)
    assert [one.id for one in wire.crm.linked("contacts", "535", "notes")] == [receipt.crm_id]


async def test_contacts_of_one_name_without_a_deal_are_told_apart(wire: Wire) -> None:
    """By their town."""
    wire.crm.update("contacts", "530", {"lastname": "Girard (fictif)"})
    made = await run(wire, note(deal_name="Girard"))
    assert made.actions == ()
    assert "plusieurs contacts" in made.remarks[0]
    assert "(Nancy)" in made.remarks[0]


async def test_note_this_writes_the_last_answer(wire: Wire) -> None:
    """Alone, or after the user's own words; nothing to speak of asks for the text."""
    (alone,) = (await run(wire, note("", refers=True), deal_id=MARTIN)).actions
    assert alone.fields["hs_note_body"] == PLAIN
    (both,) = (await run(wire, note("À relire :", refers=True), deal_id=MARTIN)).actions
    assert both.fields["hs_note_body"] == f"À relire :\n\n{PLAIN}"
    nothing = await run(wire, note("", refers=True), deal_id=MARTIN, answer="")
    assert "dictez-moi" in nothing.remarks[0]
    task = ActionRequest(kind="create_task", refers=True)
    (made,) = (await run(wire, task, deal_id=MARTIN)).actions
    assert made.fields["hs_task_body"] == PLAIN
    assert "\n" not in made.fields["hs_task_subject"]


@pytest.mark.parametrize(
    ("words", "stored"),
    [
        ("acte signé", "closedwon"),
        ("financement", "contractsent"),
        ("gagné", "closedwon"),
        ("sans suite", "closedlost"),
    ],
)
async def test_a_stage_is_proposed_in_the_firms_words(wire: Wire, words: str, stored: str) -> None:
    """The id is written, the labels are shown, and the old value is kept for the click."""
    (made,) = (await run(wire, stage(words), deal_id=MARTIN)).actions
    assert made.fields == {"dealstage": stored}
    assert (made.base["value"], made.base["old_label"]) == ("qualifiedtobuy", "Étude patrimoniale")
    assert made.base["changed_at"]
    assert f"« Étude patrimoniale » → « {made.base['new_label']} »" in made.summary


async def test_an_approved_stage_is_written_checked_and_undone(wire: Wire) -> None:
    """As the other fields; a drift is told in the firm's words."""
    writer = wire.writer()
    (made,) = (await run(wire, stage("financement"), deal_id=MARTIN)).actions
    assert await writer.drifted(made) is None
    receipt = await writer.perform(made, approval())
    assert wire.crm.get("deals", MARTIN).value("dealstage") == "contractsent"
    await writer.undo(receipt, made)
    assert wire.crm.get("deals", MARTIN).value("dealstage") == "qualifiedtobuy"
    wire.crm.update("deals", MARTIN, {"dealstage": "closedlost"})
    assert "de « Étude patrimoniale » à « Sans suite »" in (await writer.drifted(made) or "")


async def test_words_that_fit_several_stages_ask_which(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those are offered."""
    from sandbox.hubspot import schema

    stages = (("a", "Étude patrimoniale", "0.2", "false"), ("b", "Étude fiscale", "0.4", "false"))
    monkeypatch.setattr(schema, "STAGES", (*stages, ("c", "Acte signé", "1.0", "true")))
    made = await run(wire, stage("étude"), deal_id=MARTIN)
    assert made.actions == ()
    assert made.remarks[0].endswith("Étapes possibles : « Étude patrimoniale », « Étude fiscale ». Laquelle ?")


async def test_what_cannot_be_done_is_said_once_and_the_rest_is_offered(wire: Wire) -> None:
    """One sentence for all of it, with what may be done instead."""
    vain = [ActionRequest(kind="unsupported", property=name) for name in ("delete", "send_email")]
    amount = ActionRequest(kind="update_property", property="amount", value="250000")
    made = await run(wire, *vain, amount, note(), deal_id=MARTIN)
    assert [action.kind for action in made.actions] == ["create_note"]
    (remark,) = made.remarks
    assert remark.startswith("Je ne peux pas supprimer quoi que ce soit ni envoyer un e-mail ni changer le montant")
    assert "dans une note ou créer une tâche" in remark


async def test_what_cannot_be_done_does_not_use_up_the_limit(wire: Wire) -> None:
    """Three writes are offered besides; a fourth waits, and that is said."""
    vain = ActionRequest(kind="unsupported", property="delete")
    made = await run(wire, vain, *(note(f"n {i}") for i in range(3)), deal_id=MARTIN)
    assert len(made.actions) == 3
    assert not any("au plus 3" in remark for remark in made.remarks)
    more = await run(wire, *(note(f"n {i}") for i in range(4)), deal_id=MARTIN)
    assert len(more.actions) == 3
    assert any("au plus 3" in remark for remark in more.remarks)


async def test_only_impossible_requests_read_nothing(wire: Wire) -> None:
    """No deal is needed to say no."""
    made = await run(wire, ActionRequest(kind="unsupported", property="delete"))
    assert made.actions == ()
    assert len(made.remarks) == 1
    assert wire.requests == []
