"""What each proposed action holds: the user's words, French labels, and the old value to compare with at the click."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from pipeline.action_types import ActionRequest, ProposedAction
from pipeline.proposing.proposer import propose
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


async def test_a_note_holds_the_users_own_words_first(wire: Wire) -> None:
    """Dictated text is noted as dictated."""
    made = await one(wire, ActionRequest(kind="create_note", body="  Rappel mardi.  "))
    assert made.fields == {"hs_note_body": "Rappel mardi."}


async def test_a_bare_note_ca_notes_the_text_it_is_given(wire: Wire) -> None:
    """« Note ça » comes without an answer of its own: the caller gives the one that it speaks of."""
    route = routed(NOTE, mode="none", intent="crm_write")
    (made,), _ = await run(wire, asked(deal_id=MARTIN), route, "Réponse **d'avant** [1].")
    assert made.fields == {"hs_note_body": "Réponse d'avant [1]."}


async def test_a_deal_that_the_user_names_is_told_back(wire: Wire) -> None:
    """So that the thread may be tied to it; the thread's own deal, an unknown or an ambiguous one is not."""
    only_read = {"mode": "tools", "tool_calls": (ToolCall("crm", {"deal_id": "9002"}),)}

    async def told(question: Question, **changes: Any) -> tuple[str | None, tuple[str, ...]]:
        proposed = await propose(question, routed(**{**only_read, **changes}), ANSWER, crm=wire.reader(), now=NOW)
        assert proposed.actions == ()
        return proposed.deal_id, proposed.remarks

    assert await told(asked(), deal_id="9002") == ("9002", ())
    assert await told(asked(), deal_name="Garnier") == ("9004", ())
    assert await told(asked(), deal_id="4242") == (None, ())
    assert await told(asked(), deal_name="fictif") == (None, ())
    assert await told(asked(deal_id=MARTIN)) == (None, ())
    wire.crm.set_faults({"mode": "500", "count": 50})
    assert await told(asked(), deal_id="9002") == (None, ())


async def test_a_note_of_nothing_asks_for_its_text(wire: Wire) -> None:
    """The first message of a thread has nothing before it."""
    route = routed(NOTE, mode="none", intent="crm_write")
    actions, remarks = await run(wire, asked(deal_id=MARTIN), route, "")
    assert actions == ()
    assert "dictez-moi" in remarks


async def test_a_note_too_long_for_a_card_is_refused(wire: Wire) -> None:
    """Who approves must be able to read what is written."""
    assert "dépasse 20000 caractères" in await refused(wire, ActionRequest(kind="create_note", body="x" * 20_001))


async def test_a_task_takes_its_subject_due_day_and_owner_from_the_request(wire: Wire) -> None:
    """Nine in the morning in Paris, assigned to the deal's owner, and the card says both."""
    request = ActionRequest(kind="create_task", body="Rappeler M. Martin", due=date(2026, 11, 27))
    made = await one(wire, request)
    assert made.fields["hs_task_subject"] == "Rappeler M. Martin"
    assert made.fields["hs_timestamp"] == "2026-11-27T08:00:00.000Z"
    assert made.fields["hubspot_owner_id"] == "3001"
    assert "27/11/2026" in made.summary
    assert "Camille Renaud" in made.summary


async def test_a_task_without_a_day_is_for_the_next_working_day(wire: Wire) -> None:
    """Asked on a Friday: Monday."""
    made = await one(wire, ActionRequest(kind="create_task", body="Rappeler"))
    assert made.fields["hs_timestamp"].startswith("2026-11-23T")


async def test_a_task_in_the_past_or_without_subject_is_refused(wire: Wire) -> None:
    """A sentence says what is missing."""
    late = ActionRequest(kind="create_task", body="x", due=date(2026, 11, 19))
    assert "est passée" in await refused(wire, late)
    assert "objet de la tâche" in await refused(wire, ActionRequest(kind="create_task"))


async def test_a_long_subject_is_cut_and_kept_in_full_in_the_body(wire: Wire) -> None:
    """HubSpot's subject is short; nothing the user said is lost."""
    text = "mot " * 100
    made = await one(wire, ActionRequest(kind="create_task", body=text))
    assert len(made.fields["hs_task_subject"]) <= 201
    assert made.fields["hs_task_body"] == text.strip()


@pytest.mark.parametrize(
    ("due", "hour", "stored", "told"),
    [
        (date(2026, 11, 24), "10:00", "2026-11-24T09:00:00.000Z", "24/11/2026 à 10 h"),
        (date(2026, 11, 24), "16:30", "2026-11-24T15:30:00.000Z", "24/11/2026 à 16 h 30"),
        (date(2027, 7, 1), "14:00", "2027-07-01T12:00:00.000Z", "01/07/2027 à 14 h"),
        (date(2026, 11, 24), "", "2026-11-24T08:00:00.000Z", "24/11/2026 à 9 h"),
        (date(2026, 11, 24), "25:00", "2026-11-24T08:00:00.000Z", "24/11/2026 à 9 h"),
        (date(2026, 11, 20), "", "2026-11-20T16:00:00.000Z", "20/11/2026 à 17 h"),
        (None, "14:00", "2026-11-23T13:00:00.000Z", "23/11/2026 à 14 h (jour proposé, faute de date)"),
    ],
)
async def test_a_task_is_due_at_its_hour_in_paris(
    wire: Wire, due: date | None, hour: str, stored: str, told: str
) -> None:
    """The hour that was said, winter and summer; else nine o'clock, or the next hour when that is past today. The card
    says day and hour, and whether the day was ours."""
    made = await one(wire, ActionRequest(kind="create_task", body="Rappeler", value=hour, due=due))
    assert made.fields["hs_timestamp"] == stored
    assert told in made.summary


async def test_an_hour_that_is_past_today_is_refused(wire: Wire) -> None:
    """It is four in the afternoon in Paris."""
    early = ActionRequest(kind="create_task", body="Rappeler", value="10:00", due=date(2026, 11, 20))
    assert "donnez une heure à venir" in await refused(wire, early)


async def test_no_task_is_dated_for_a_day_that_does_not_exist(wire: Wire) -> None:
    """Not the next working day in its place; what else is wrong is told at once."""
    asked_for = replace(asked(), text="tâche : rappeler le client le 31/02/2027")
    actions, remarks = await run(wire, asked_for, routed(ActionRequest(kind="create_task", body="Rappeler")))
    assert actions == ()
    assert "Le 31/02/2027 n'existe pas" in remarks
    assert "Aucun dossier" in remarks
    late = ActionRequest(kind="create_task", body="Rappeler", due=date(2026, 11, 19))
    actions, remarks = await run(wire, asked(), routed(late))
    assert "est passée" in remarks
    assert "Aucun dossier" in remarks


async def test_a_past_day_of_signature_is_proposed_with_a_warning(wire: Wire) -> None:
    """On an open deal alone: a closed one was signed in the past."""
    (made,), remarks = await run(wire, asked(deal_id="9018"), routed(change("closedate", "12/03/2020")))
    assert made.fields == {"closedate": "2020-03-12T00:00:00Z"}
    assert "attention : date passée" in made.summary
    assert "Attention : le 12/03/2020 est passé" in remarks
    for deal, day in (("9018", "12/03/2027"), ("9010", "12/03/2020")):
        (made,), remarks = await run(wire, asked(deal_id=deal), routed(change("closedate", day)))
        assert remarks == ""
        assert "attention" not in made.summary


def change(name: str, value: str) -> ActionRequest:
    return ActionRequest(kind="update_property", property=name, value=value)


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("hs_priority", "low", "low"),
        ("hs_priority", "Basse", "low"),
        ("hs_priority", "normale", "medium"),
        ("closedate", "15/02/2027", "2027-02-15T00:00:00Z"),
        ("closedate", "2027-02-15", "2027-02-15T00:00:00Z"),
        ("hs_next_step", " Envoyer\nle DER ", "Envoyer le DER"),
        ("description", "Ligne 1\nLigne 2", "Ligne 1\nLigne 2"),
    ],
)
async def test_a_property_of_the_list_is_proposed_with_its_old_value(
    wire: Wire, name: str, value: str, stored: str
) -> None:
    """The value as HubSpot stores it, and a base that tells later whether somebody else changed it."""
    made = await one(wire, change(name, value))
    assert made.fields == {name: stored}
    assert made.base["value"] == wire.crm.get("deals", MARTIN).value(name)
    assert made.base["changed_at"]
    assert "→" in made.summary


async def test_an_update_summary_speaks_french_labels(wire: Wire) -> None:
    """The user sees « Haute », not `high`; days, not timestamps."""
    assert "« Haute » → « Basse »" in (await one(wire, change("hs_priority", "low"))).summary
    assert "« 29/01/2027 » → « 15/02/2027 »" in (await one(wire, change("closedate", "15/02/2027"))).summary


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("amount", "1", "Je ne peux pas changer le montant depuis Slack"),
        ("hubspot_owner_id", "3002", "Je ne peux pas changer le propriétaire"),
        ("dealname", "Dossier X", "Je ne peux pas renommer le dossier"),
        ("couleur", "bleu", "modifier le champ « couleur »"),
        ("", "", "Je ne peux pas faire cela"),
        ("dealstage", "lune", "Étapes possibles : « Premier rendez-vous », « Étude patrimoniale »"),
        ("dealstage", "étude", "vaut déjà « Étude patrimoniale »"),
        ("hs_priority", "urgentissime", "valeurs possibles : Basse, Moyenne, Haute"),
        ("closedate", "bientôt", "ne convient pas"),
        ("hs_next_step", "   ", "Précisez la nouvelle valeur de « Prochaine étape »"),
        ("closedate", "", "par exemple « 15/01/2027 »"),
        ("closedate", "31 février", "Le 31 février n'existe pas : donnez une autre date."),
        ("hs_priority", "haute", "vaut déjà « Haute »"),
        ("closedate", "29/01/2027", "vaut déjà « 29/01/2027 »"),
    ],
)
async def test_what_may_not_change_is_refused_with_a_sentence(wire: Wire, name: str, value: str, reason: str) -> None:
    """Amount, name and owner are never written from Slack; wrong or unchanged values are not proposed."""
    assert reason in await refused(wire, change(name, value))


async def test_a_property_that_hubspot_locks_is_refused(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """The allow-list is ours, the lock is HubSpot's: both must agree."""
    from sandbox.hubspot.schema import PROPERTIES

    locked = replace(PROPERTIES["deals"]["hs_priority"], read_only=True)
    monkeypatch.setitem(PROPERTIES["deals"], "hs_priority", locked)
    assert "ne laisse pas modifier" in await refused(wire, change("hs_priority", "low"))


async def test_good_requests_survive_bad_ones(wire: Wire) -> None:
    """One action and one remark out of two requests; a fourth request waits."""
    requests = (change("amount", "1"), ActionRequest(kind="create_note", body="x"))
    actions, remarks = await run(wire, asked(deal_id=MARTIN), routed(*requests))
    assert [a.kind for a in actions] == ["create_note"]
    assert "le montant" in remarks
    many = tuple(ActionRequest(kind="create_note", body=f"note {i}") for i in range(5))
    actions, remarks = await run(wire, asked(deal_id=MARTIN), routed(*many))
    assert len(actions) == 3
    assert "au plus 3" in remarks


async def test_identity_and_bank_numbers_never_reach_the_crm(wire: Wire) -> None:
    """They are masked in the proposal itself, so that what is shown is what is written, and the user is told."""
    body = "NIR 1 84 12 76 451 089 46, IBAN FR76 3000 6000 0112 3456 7890 189, tel 06 12 34 56 78"
    (note,), remarks = await run(wire, asked(deal_id=MARTIN), routed(ActionRequest(kind="create_note", body=body)))
    text = note.fields["hs_note_body"]
    assert "451 089" not in text
    assert "3000 6000" not in text
    assert "06 12 34 56 78" in text
    assert "masqué" in remarks
