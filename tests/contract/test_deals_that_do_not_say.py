"""What no field, note or task of a deal says is said to be so; what one of its texts says is told, whoever asks it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from pipeline.asked.otherwise import a_deal_tells, last_deal_tells, named_deal_tells, thread_deal_tells
from pipeline.metering.telemetry import SILENT
from pipeline.ports import Deps
from pipeline.talk.thread_talk import deal_read
from pipeline.thread_state import Frame, ThreadState, to_json
from pipeline.tools.crm.choosing import UNSAID
from pipeline.tools.crm.tool import CrmTool
from pipeline.types import Question, Route, ToolCall, ToolResult
from tests.hubspot_wire import Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
DIALLO, GARNIER, COHEN = "9019", "9004", "9018"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@dataclass
class _Deps:
    crm: Any
    tools: dict[str, Any]
    telemetry: Any = SILENT


def deps(wire: Wire) -> Deps:
    reader = wire.reader(seconds=8.0)
    return cast(Deps, _Deps(reader, {"crm": CrmTool(reader, now=lambda: NOW)}))


def asked(text: str, *, deal_id: str | None = None) -> Question:
    return Question(text, asked_by="U1", asked_at=NOW, deal_id=deal_id)


async def told(wire: Wire, **arguments: object) -> ToolResult:
    return await CrmTool(wire.reader(seconds=8.0), now=lambda: NOW).run(ToolCall("crm", arguments))


@pytest.mark.parametrize(
    "words", ["a-t-on le diagnostic plomb de Garnier ?", "quel est son matricule", "qui a ses clés"]
)
async def test_a_thing_that_no_text_holds_is_not_answered_by_the_summary(wire: Wire, words: str) -> None:
    found = await told(wire, view="deal", deal_id=GARNIER, words=words)
    assert found.error is not None
    assert UNSAID in found.error


@pytest.mark.parametrize(
    "words", ["garnier, ça avance ?", "qu'attend Garnier", "la toiture de Garnier, elle en est où"]
)
async def test_what_names_nothing_or_what_a_note_holds_is_told(wire: Wire, words: str) -> None:
    """« qu'attend-il » may be read in any of them."""
    assert (await told(wire, view="deal", deal_id=GARNIER, words=words)).error is None


async def test_a_field_that_is_asked_beside_keeps_its_answer(wire: Wire) -> None:
    found = await told(
        wire, view="deal", deal_id=GARNIER, words="le montant et le permis de Garnier", fields=("amount",)
    )
    assert found.error is None
    assert "montant de 310" in found.text


@pytest.mark.parametrize("absent", ["family", "fees"])
async def test_what_the_crm_has_no_field_for_stands_alone(wire: Wire, absent: str) -> None:
    """Not beside the amount and the stage, which nobody asked for."""
    found = await told(wire, view="brief", deal_id=GARNIER, words="Garnier est marié ?", absent=absent)
    assert found.error is not None
    assert found.error.startswith("HubSpot n'a pas de champ pour")
    assert found.text == ""


async def test_a_note_answers_what_no_field_holds_but_no_forecast(wire: Wire) -> None:
    """The bank that was asked is in a note; whether it will say yes is in none."""
    words = "où en est la banque de Cohen"
    assert (
        "dossier parti à la banque" in (await told(wire, view="deal", deal_id=COHEN, words=words, absent="bank")).text
    )
    assert (await told(wire, view="deal", deal_id=COHEN, words=words, absent="odds")).error is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("combien de lots sont vacants ?", "Six lots, deux vacants"),
        ("le devis de toiture était à combien ?", "48 000 euros"),
        ("et la toiture ?", ""),
        ("le devis de toiture, la mairie, les voisins, le syndic ou la banque ?", ""),
        ("quelle est la durée d'un bail mobilité ?", ""),
        ("et la taxe foncière ?", ""),
    ],
)
async def test_the_thread_s_deal_answers_what_most_words_of_a_note_do(wire: Wire, text: str, says: str) -> None:
    found = await thread_deal_tells(
        asked(text, deal_id=DIALLO), Route("rag", "ask", text), ThreadState(), deps=deps(wire)
    )
    assert (found is not None) == bool(says)
    assert found is None or says in found.text


async def test_a_question_of_rules_or_of_towns_is_not_the_deal_s(wire: Wire) -> None:
    text = "le devis de toiture était à combien ?"
    question = asked(text, deal_id=DIALLO)
    for route in (
        Route("rag", "ask", text, schemes=("deficit-foncier",)),
        Route("rag", "ask", text, communes=("69383",)),
        Route("rag+tools", "ask", text),
    ):
        assert await thread_deal_tells(question, route, ThreadState(), deps=deps(wire)) is None
    assert await thread_deal_tells(asked(text), Route("rag", "ask", text), ThreadState(), deps=deps(wire)) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Martinez, le bailleur nous a envoyé le bail ?", "Bail commercial reçu"),
        ("que veut Bernard au fond", "T2 Metz"),
        ("que veut Zorglub au fond", ""),
        ("quels clients attendent un relais ?", "Dupont - résidence principale"),
        ("quels bailleurs attendent un relais ?", ""),
    ],
)
async def test_a_client_named_in_what_nothing_answers_is_looked_up(wire: Wire, text: str, says: str) -> None:
    found = await named_deal_tells(asked(text), Route("rag", "ask", text), deps=deps(wire))
    assert (found is not None) == bool(says)
    assert found is None or says in found.text


async def test_the_deal_that_does_not_say_is_the_threads_all_the_same(wire: Wire) -> None:
    """A note asked for next is on it."""
    call = ToolCall("crm", {"view": "deal", "deal_id": GARNIER, "words": "la hauteur du clocher ?"})
    found = await deps(wire).tools["crm"].run(call)
    assert UNSAID in (found.error or "")
    assert deal_read([found]) == GARNIER
    assert deal_read([ToolResult(call, "", error="Aucun dossier. Le plus proche : Cohen (n° 9018).")]) is None


@pytest.mark.parametrize(
    ("kind", "text", "holds"),
    [
        ("crm_read", "il part en mutation quand celui-là", "2029"),
        ("crm_read", "il préfère quelle couleur de volets", None),
        ("rules", "il part en mutation quand celui-là", None),
    ],
)
async def test_a_message_that_nothing_answers_is_asked_of_the_deal_told_of_right_before(
    wire: Wire, kind: Any, text: str, holds: str | None
) -> None:
    """Of no deal that was told of before something else, and only where its texts say something."""
    state = ThreadState(frames=(Frame(kind, query="Benali"),), deal_id="9003")
    question = Question(text, asked_by="U1", asked_at=NOW, memory=to_json(state))
    found = await last_deal_tells(question, deps=deps(wire))
    assert (found is not None and holds in found.text) if holds else found is None


@pytest.mark.parametrize(
    ("tool", "error", "asked_of_it"), [("sales", None, False), ("sales", "Rien.", True), ("facts", None, True)]
)
async def test_where_a_tool_answers_the_deal_is_not_asked(
    wire: Wire, tool: str, error: str | None, *, asked_of_it: bool
) -> None:
    """A dated record stands in an article, which did not answer."""
    state = ThreadState(frames=(Frame("crm_read", query="Benali"),), deal_id="9003")
    question = Question("il part en mutation quand", asked_by="U1", asked_at=NOW, memory=to_json(state))
    result = ToolResult(call=ToolCall(tool, {}), text="Rien.", error=error)
    found = await a_deal_tells(question, Route("rag", "ask", question.text), (result,), deps=deps(wire))
    assert (found is not None) is asked_of_it
