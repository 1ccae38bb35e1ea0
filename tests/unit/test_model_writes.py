"""CRM writes of a model's reply: asked for by the user, in the user's words, on a day that code reads."""

from datetime import date
from typing import Any

import pytest

from pipeline.action_types import ActionRequest
from pipeline.reading import Reading
from pipeline.thread_state import ThreadState
from tests.readings import PRICED, believed, draft, read, reply

TASK = "pense à me refaire passer vendredi : envoyer le mandat, dossier Roux 4512"


def _write(**fields: Any) -> dict[str, Any]:
    return {"kind": "note", "body": "", "refers": False, "date": "", "property": "", "value": "", "deal": "", **fields}


def _asked(
    first: Reading, *writes: dict[str, Any], intent: str = "crm_write_note", **more: Any
) -> tuple[ActionRequest, ...]:
    return believed(first, reply(intent, writes=list(writes), query=first.text, **more)).writes


def test_a_task_has_the_users_words_his_day_and_his_deal() -> None:
    """« vendredi » is read by code, from a Monday."""
    said = _write(kind="task", body="Envoyer le mandat", date="vendredi", deal="Roux")
    found = _asked(draft(TASK), said, intent="crm_write_task", deals=["Roux"])
    assert found == (ActionRequest("create_task", body="Envoyer le mandat", due=date(2026, 11, 27), deal_name="Roux"),)


def test_a_day_that_nobody_said_is_none() -> None:
    """« lundi » of the model's own is not the user's « vendredi »."""
    found = _asked(draft(TASK), _write(kind="task", body="envoyer le mandat", date="lundi"), intent="crm_write_task")
    assert found[0].due is None


def test_a_deal_said_by_its_number_is_that_number() -> None:
    """Only digits that the user typed."""
    found = _asked(draft(TASK), _write(kind="task", body="envoyer le mandat", deal="4512"), intent="crm_write_task")
    assert (found[0].deal_id, found[0].deal_name) == ("4512", None)


@pytest.mark.parametrize("deal", ["Martin", "9001", "451"])
def test_a_deal_that_nobody_named_is_none(deal: str) -> None:
    """Neither a name nor a number of the model's own: the thread's deal, or a question back."""
    found = _asked(draft(TASK), _write(kind="task", body="envoyer le mandat", deal=deal), intent="crm_write_task")
    assert (found[0].deal_id, found[0].deal_name) == (None, None)


@pytest.mark.parametrize("body", ["Virer 10 000 € sur mon compte", "envoyer le mandat à evil@example.org", "."])
def test_a_text_that_nobody_wrote_is_no_write(body: str) -> None:
    """Not a word of the model's own goes into the CRM."""
    reading, claims = read(draft(TASK), reply("rules", "crm_write_note", query=TASK, writes=[_write(body=body)]))
    assert reading is not None
    assert reading.writes == ()
    assert not reading.has("crm_write_note")
    assert len(claims.fell) == 1


def test_nothing_is_written_when_only_the_model_wants_it() -> None:
    """No word for a write, nothing of the user's to write: « note ça » of the model's own does not count."""
    first = draft("c'est quoi le LMNP au réel ?", "rules", 0.5)
    assert (
        believed(first, reply("rules", "crm_write_note", query=first.text, writes=[_write(refers=True)])).writes == ()
    )


def test_nothing_is_written_against_a_sure_offline_reading() -> None:
    """Words of a question are in the user's words too: where the offline reader is sure, they stay a question."""
    first = draft("prix des maisons à Metz", "prices", 0.95)
    said = reply(
        "prices", "crm_write_note", query=first.text, communes=["Metz"], writes=[_write(body="prix des maisons")]
    )
    assert believed(first, said).writes == ()


def test_a_whole_message_is_no_text_to_write() -> None:
    """The order in it would be written with it."""
    first = draft(
        "note sur Roux : il vend",
        "crm_write_note",
        writes=(ActionRequest("create_note", body="Il vend", deal_name="Roux"),),
    )
    assert _asked(first, _write(body=first.text))[0] == first.writes[0]


def test_what_refers_to_the_last_answer_needs_an_order() -> None:
    """« note ça » is one; the text is then the answer's, chosen by code."""
    assert _asked(draft("note ça chez Roux"), _write(refers=True, deal="Roux"))[0] == ActionRequest(
        "create_note", deal_name="Roux", refers=True
    )


def test_a_text_of_an_earlier_message_may_be_written() -> None:
    """« note ce que je t'ai dit du prêt »: the user's own words, turns ago."""
    said = reply("crm_write_note", query="note le prêt", writes=[_write(body="200k sur 20 ans")])
    assert believed(draft("note le prêt dont je parlais"), said, PRICED).writes[0].body == "200k sur 20 ans"


def test_a_field_is_changed_to_a_value_of_the_users_words() -> None:
    """Priorities and days in the form of their fields."""
    first = draft("passe Roux en priorité haute et décale le closing au 15 janvier")
    found = _asked(
        first,
        _write(kind="update", property="hs_priority", value="haute", deal="Roux"),
        _write(kind="update", property="closedate", value="", date="15 janvier", deal="Roux"),
        intent="crm_write_update",
    )
    assert [(r.property, r.value, r.deal_name) for r in found] == [
        ("hs_priority", "HIGH", "Roux"),
        ("closedate", "2027-01-15", "Roux"),
    ]


@pytest.mark.parametrize(
    "said",
    [
        {"property": "hs_priority", "value": "basse"},
        {"property": "hubspot_owner_secret", "value": "haute"},
        {"property": "closedate", "value": "haute"},
        {"property": "closedate", "date": "lundi"},
    ],
)
def test_a_field_or_value_that_nobody_said_is_no_write(said: dict[str, str]) -> None:
    """Another value, an unknown field, a day that is none or was not said."""
    first = draft("passe Roux en priorité haute")
    given = reply("rules", "crm_write_update", query=first.text, writes=[_write(kind="update", **said)])
    assert believed(first, given).writes == ()


def test_writes_are_few_and_different() -> None:
    """A reply that repeats itself asks once."""
    said = [_write(body="envoyer le mandat")] * 4
    reading, claims = read(draft(TASK), reply("crm_write_note", query=TASK, writes=said, deals=["Roux", "4512"]))
    assert reading is not None
    assert len(reading.writes) == 1
    assert len(claims.fell) == 3


def test_a_town_is_no_deal() -> None:
    """Where nothing speaks of deals, a name of the model's choice ties the thread to none."""
    reading = believed(draft("prix à Metz"), reply("prices", communes=["Metz"], deals=["Metz"]))
    assert (reading.deal_id, reading.deal_names) == (None, ())


def test_an_intent_to_write_keeps_the_offline_requests() -> None:
    """A model that says what it is for and cuts nothing leaves the cutting to the offline reader."""
    cut = (ActionRequest("create_note", body="Il vend"),)
    reading = believed(draft("note : il vend", "crm_write_note", writes=cut), reply("crm_write_note"), ThreadState())
    assert reading.writes == cut
