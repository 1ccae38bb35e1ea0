"""Lists of deals: what filters them, what cannot, and what goes on with the list that was shown."""

from typing import Any

import pytest

from pipeline.planning import sentences
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import remembered, resolve
from tests.asking import SUNDAY, ask, in_thread, places, reader


def listed(text: str) -> dict[str, Any]:
    (call,) = ask(text).tool_calls
    assert call.arguments["view"] == "deals"
    return dict(call.arguments)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("dossiers avec un apport supérieur à 80k", "filtrer sur « apport »"),
        ("deals dont le loyer dépasse 1500", "filtrer sur « loyer »"),
        ("liste des clients de plus de 70 ans", "filtrer sur l'âge du client"),
    ],
)
def test_what_no_filter_can_say_is_told(text: str, wish: str) -> None:
    """It bounds neither the deals' amounts nor their days, and is no topic to look for."""
    asked = listed(text)
    assert asked["ignored"] == (wish,)
    assert not {"min_amount", "max_amount", "closes_before", "top"} & set(asked)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("les 4 dossiers les plus anciens", {"sort": "oldest", "top": 4}),
        ("quels dossiers n'ont aucune tâche", {"lacking": ("tasks",)}),
        ("dossiers sans relance", {"lacking": ("tasks",)}),
        ("quels dossiers n'ont pas de date de signature ?", {"lacking": ("closedate",)}),
        ("les dossiers de priorité haute", {"priority": "high"}),
        ("quel est notre plus gros dossier ouvert ?", {"sort": "amount", "top": 1}),
        ("quel est le prochain dossier à signer ?", {"sort": "closedate", "top": 1, "closes_after": "2026-11-22"}),
        ("montant moyen des dossiers en étude", {"average": True}),
    ],
)
def test_what_the_search_cannot_say_is_looked_for_in_what_it_finds(text: str, arguments: dict[str, Any]) -> None:
    asked = listed(text)
    assert {name: asked.get(name) for name in arguments} == arguments
    assert "ignored" not in asked


@pytest.mark.parametrize("text", ["les affaires d'Inès à plus de 250k", "deals de Hugo au-dessus de 250 000 €"])
def test_a_list_is_a_list_whatever_its_other_words(text: str) -> None:
    """Amounts make no calculation of it."""
    assert listed(text)["min_amount"] == 250_000


async def after_list(asked: dict[str, Any], text: str) -> dict[str, Any]:
    """The call of a message behind a list that was asked with these arguments."""
    first = Question(text="dossiers", asked_by="U1", asked_at=SUNDAY)
    state = ThreadState()
    state = remembered(state, resolve(await reader().read(first, state), state)).with_list(asked)
    question = Question(text=text, asked_by="U1", asked_at=SUNDAY)
    task = resolve(await reader().read(question, state), state)
    (call,) = plan(task, Setting(question, state, places())).tool_calls
    return dict(call.arguments)


@pytest.mark.parametrize("text", ["total ?", "et le montant total des trois ?", "ça fait combien ?"])
async def test_the_total_is_of_the_list_that_was_shown(text: str) -> None:
    """Not of all deals."""
    assert (await after_list({"view": "deals", "commune": "Toulon"}, text))["commune"] == "Toulon"


async def test_a_list_is_narrowed() -> None:
    """Its filters stay; the order and the number do not."""
    asked = {"view": "deals", "min_amount": 500_000.0, "words": "lmnp", "top": 5, "ignored": ["x"]}
    narrowed = await after_list(asked, "et ceux de Camille ?")
    assert narrowed["min_amount"] == 500_000
    assert {"lmnp", "Camille"} <= set(narrowed["words"].split())
    assert not {"top", "ignored"} & set(narrowed)
    assert (await after_list(asked, "le plus gros c'est lequel ?"))["top"] == 1


async def test_a_rank_that_the_list_has_not() -> None:
    """Told, and no other deal is shown in its place."""
    first = Question(text="dossiers à Grenoble", asked_by="U1", asked_at=SUNDAY)
    task = resolve(await reader().read(first, ThreadState()), ThreadState())
    state = remembered(ThreadState(), task).with_offer((("9014", "Petit"),), waits=False).with_deal("9014")
    question = Question(text="le second", asked_by="U1", asked_at=SUNDAY)
    route = plan(resolve(await reader().read(question, state), state), Setting(question, state, places()))
    assert (route.clarification, route.tool_calls) == (sentences.NOT_SHOWN, ())


def test_the_smallest_of_somebody_is_a_list() -> None:
    """A colleague's name is not that of a deal."""
    assert listed("quel est le plus petit dossier d'Inès")["sort"] == "smallest"


def test_the_same_task_for_somebody_else_keeps_its_text() -> None:
    """Also behind a question or another write; « le 10 » is the new day."""
    thread = in_thread(
        "tâche sur 9009 le 4 décembre : demander le diagnostic",
        "note sur 9009 : client ravi",
        "même tâche pour le 9008 le 10",
    )
    (action,) = thread[-1][1].actions
    assert (action.kind, action.body, str(action.due), action.deal_id) == (
        "create_task",
        "Demander le diagnostic",
        "2026-12-10",
        "9008",
    )


@pytest.mark.parametrize("text", ["tâche appeler le client demain", "ajoute une note : client relancé par mail"])
def test_what_a_client_does_is_no_name(text: str) -> None:
    """The thread's deal is meant."""
    assert [action.deal_name for action in ask(text).actions] == [None]
