"""A thread about lists of the CRM: whose tasks come next, and which deal « il » is once a colleague was named."""

from dataclasses import replace
from typing import Any

import pytest

from pipeline.planning.crm import crm_call
from pipeline.reading import Reading
from pipeline.talk.thread_talk import deals_listed
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import ToolCall, ToolResult
from pipeline.understanding.offline.crm_asked import crm_asked
from tests.asking import SUNDAY, ask, places, vector_of

LATE = {"view": "tasks", "late": True, "words": "tâches en retard de Camille", "name": "Camille"}


@pytest.fixture
def after_tasks() -> ThreadState:
    return ThreadState(frames=(Frame("crm_read", crm={"told": "tasks"}),), intents=("crm_read",), listed=LATE)


def planned(text: str, state: ThreadState, *, names: tuple[str, ...] = ()) -> dict[str, Any]:
    asked = crm_asked(text, vector_of(text), state, places=places())
    reading = Reading(text=text, intents=(("crm_read", 0.9),), deal_names=names, crm=asked)
    call = crm_call(reading, Frame("crm_read"), state, deal_id="9025", today=SUNDAY.date(), places=places())
    return dict(call.arguments)


@pytest.mark.parametrize(
    ("text", "names"),
    [("et celles de Paul ?", ("Paul",)), ("et Paul", ("Paul",)), ("laquelle est la plus vieille", ())],
)
def test_a_list_of_tasks_goes_on(after_tasks: ThreadState, text: str, names: tuple[str, ...]) -> None:
    """Late ones as before, of whom is now said; neither of the deal last spoken of nor a list of deals."""
    asked = planned(text, after_tasks, names=names)
    assert (asked["view"], asked["late"], asked["words"]) == ("tasks", True, text)
    assert "deal_id" not in asked


def test_deals_are_asked_for_by_their_word(after_tasks: ThreadState) -> None:
    assert planned("le plus gros dossier en étude, lequel ?", after_tasks)["view"] == "deals"


def test_after_a_list_of_deals_no_task_is_meant() -> None:
    """« et Paul ? » then is a client."""
    state = ThreadState(
        frames=(Frame("crm_read", crm={"told": "deals"}),),
        intents=("crm_read",),
        listed={"view": "deals", "words": "lmnp"},
    )
    assert planned("et Paul ?", state, names=("Paul",))["view"] == "brief"


def test_what_tasks_were_asked_with_is_kept() -> None:
    """As of deals, but for who asked."""
    found = ToolResult(ToolCall("crm", {**LATE, "asker_email": "a@b.example"}), text="4 tâches")
    assert deals_listed([found]) == LATE


def test_a_name_in_a_list_is_not_the_deal_that_the_thread_speaks_of() -> None:
    """It may be a colleague's, of whom a client bears the first name too; a deal's own question names it."""
    assert ask("les dossiers en étude chez Camille").deal_name is None
    assert ask("tâches en retard de Camille").deal_name is None
    assert ask("montant du dossier Camille Bernard").deal_name is not None


def test_a_meeting_to_prepare_asks_for_no_agenda() -> None:
    """The deal's brief; a list of one's meetings is told that there is none."""
    for text in ("prépare mon rdv Lefèvre", "prépare mon rendez-vous Lefèvre"):
        asked = planned(text, ThreadState(), names=("Lefèvre",))
        assert (asked["view"], asked.get("absent")) == ("brief", None)
    assert planned("mes rdv de demain", ThreadState())["absent"] == "agenda"


def test_tasks_asked_right_after_a_deal_are_that_deals() -> None:
    """« et les tâches » in four words; those of a day, of somebody or of the firm are not."""
    told = ThreadState(frames=(Frame("crm_read", crm={"told": "tasks"}),), intents=("crm_read",), deal_id="9025")
    assert planned("et les tâches", told)["deal_id"] == "9025"
    for text in ("les tâches du jour", "mes tâches", "toutes les tâches ouvertes du cabinet cette semaine"):
        assert "deal_id" not in planned(text, told)
    assert "deal_id" not in planned("et les tâches", replace(told, frames=(Frame("rules"),)))


@pytest.mark.parametrize(
    "text", ["la banque a répondu quoi ?", "et le notaire, il en dit quoi ?", "Prénom, téléphone."]
)
def test_words_of_asking_are_nobodys_name_in_a_thread_with_a_deal(text: str) -> None:
    told = ThreadState(frames=(Frame("crm_read", crm={"told": "tasks"}),), intents=("crm_read",), deal_id="9025")
    names = ("Prénom",) if text.startswith("Prénom") else ()
    call = planned(text, told, names=names)
    assert call.get("deal_id") == "9025"
    assert "name" not in call


def test_a_name_and_who_it_is_ask_for_the_whole_deal() -> None:
    """Not for what its texts say of « pharmacienne »."""
    call = planned("Lefèvre, la pharmacienne, pas les Lefebvre de Lille.", ThreadState(), names=("Lefèvre",))
    assert (call["view"], call["name"]) == ("brief", "Lefèvre")
