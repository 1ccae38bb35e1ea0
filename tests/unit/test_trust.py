"""Where the CRM is closed, the answer has no way to it, no action, and the sentence once."""

from datetime import UTC, datetime

import pytest

from pipeline.action_types import ActionRequest, ProposedAction, Target
from pipeline.thread_state import Frame, ThreadState, from_json, to_json
from pipeline.toolbox import run_tools
from pipeline.trust import ClosedCrm, told_closed, without_deals
from pipeline.types import Answer, Figure, Question, Route, ToolCall, Turn

ACTION = ProposedAction("create_note", Target("deal", "9001"), {"hs_note_body": "x"}, "Ajouter une note")
CRM_CLOSED = "Ici, je ne lis ni n'écris HubSpot."
NOW = datetime(2026, 11, 22, tzinfo=UTC)
WRITE = (ActionRequest("create_note", body="x"),)


def answered(route: Route, text: str = "Le Pinel est fermé [1].", **fields: object) -> Answer:
    """As a flow that forgot all guards would have it."""
    return Answer(text=text, route=route, actions=(ACTION,), deal_id="9001", remarks=("Une remarque.",), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("route", "told"),
    [
        (Route("rag", "ask", "q"), ()),
        (Route("rag", "ask", "q", actions=WRITE), (CRM_CLOSED,)),
        (Route("rag", "ask", "q", deal_id="9001"), (CRM_CLOSED,)),
        (Route("rag", "ask", "q", deal_name="Martin"), (CRM_CLOSED,)),
        (Route("rag+tools", "ask", "q", tool_calls=(ToolCall("crm", {"deal_id": "9001"}),)), (CRM_CLOSED,)),
    ],
    ids=["not asked for", "a write", "a number", "a name", "a reading"],
)
def test_nothing_to_approve_is_left_and_the_reason_is_told(route: Route, told: tuple[str, ...]) -> None:
    """Only to who asked for the CRM; the public answer stands."""
    found = told_closed(answered(route), CRM_CLOSED)
    assert (found.actions, found.deal_id, found.remarks) == ((), None, told)
    assert found.text == "Le Pinel est fermé [1]."


def test_a_bare_write_is_refused_rather_than_promised() -> None:
    """« Demande reçue » would be a lie."""
    found = told_closed(
        answered(Route("none", "crm_write", "q", actions=WRITE), text="Demande reçue : une note."), CRM_CLOSED
    )
    assert (found.text, found.refused, found.refusal, found.remarks) == (CRM_CLOSED, True, CRM_CLOSED, ())


def test_the_sentence_stands_once() -> None:
    """In the text, or else as a remark; never in the footer beside."""
    reading = Route("tools", "ask", "q", tool_calls=(ToolCall("crm", {"deal_id": "9001"}),))
    alone = told_closed(answered(reading, text=CRM_CLOSED, degraded=(CRM_CLOSED,)), CRM_CLOSED)
    assert (alone.remarks, alone.degraded) == ((), ())
    beside = told_closed(answered(reading, degraded=("Prix DVF : pas de réponse.", CRM_CLOSED)), CRM_CLOSED)
    assert (beside.remarks, beside.degraded) == ((CRM_CLOSED,), ("Prix DVF : pas de réponse.",))


PRICES = Frame("prices", query="prix à Toulon", communes=("83137",))
DEAL = Frame(
    "crm_read", query="dossier 9001", results=(Figure("Montant du dossier", 248_000, "€"),), crm={"id": "9001"}
)
NOTE = Frame("crm_write_note", writes=WRITE)
THREAD = ThreadState(frames=(PRICES, DEAL, NOTE), deal_id="9001", deal_name="Martin", said=("prix à Toulon ?",))
OPEN_TO_ALL = ThreadState(frames=(PRICES,), said=("prix à Toulon ?",))


def test_the_thread_of_such_a_question_knows_of_no_deal() -> None:
    """Neither the one it is tied to, nor what was read of it, nor what a colleague asked to write on it."""
    asked = Question("et les maisons ?", "U1", NOW, deal_id="9001", memory=to_json(THREAD), crm_closed=CRM_CLOSED)
    found = without_deals(asked)
    assert (found.deal_id, from_json(found.memory)) == (None, OPEN_TO_ALL)


def test_what_was_told_of_a_deal_is_not_told_again() -> None:
    """« en plus court ? » by a guest: the last answer that he gets again is the last that told of no deal."""
    of_rules = Turn(
        "assistant", "L'abattement est de 50 % [1].", sources=((1, "Micro-BIC - https://www.impots.gouv.fr"),)
    )
    of_deal = Turn("assistant", "Le dossier vaut 248 000 € [1].", sources=((1, "HubSpot : Martin"),))
    asked = Question("en plus court ?", "U1", NOW, history=(of_rules, of_deal), crm_closed=CRM_CLOSED)
    assert without_deals(asked).history == (of_rules,)


def test_such_an_answer_leaves_no_deal_for_a_colleague_to_act_on() -> None:
    """« oui, note ça » by a member must not hit what a guest named."""
    found = told_closed(answered(Route("rag", "ask", "q"), memory=to_json(THREAD)), CRM_CLOSED)
    assert from_json(found.memory) == OPEN_TO_ALL


def test_a_model_that_calls_it_a_reading_is_told_too() -> None:
    """By its published intents, where the route has no call yet: which deal would be asked back."""
    back = Route("none", "clarify", "q", clarification="Quel dossier ?", intents=("crm_read",))
    found = told_closed(answered(back, text="Quel dossier ?", asked_back="Quel dossier ?"), CRM_CLOSED)
    assert (found.text, found.refused, found.asked_back) == (CRM_CLOSED, True, None)


async def test_a_reading_that_a_route_holds_all_the_same_reaches_nothing() -> None:
    """The tool that stands in the CRM's place knows the reason alone."""
    call = ToolCall("crm", {"deal_id": "9001"})
    (result,) = await run_tools((call,), tools={"crm": ClosedCrm(CRM_CLOSED)})
    assert (result.error, result.text, result.private) == (CRM_CLOSED, "", True)
