"""Where sources disagree: each stands in a table with its date, beside the answer that tells one of them."""

import asyncio
import re

import pytest

from corpus.facts.book import fact_book
from corpus.facts.matching import disputed_near
from pipeline.extractive.disputes import dispute_of
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.grounding import ground
from pipeline.tools.facts import FactsTool
from pipeline.types import Brief, Draft, Evidence, Question, ToolCall, Usage
from tests.asking import SUNDAY, ask

QUESTIONS = {
    "LMNP : les amortissements réintégrés à la revente, c'est depuis quelle date ?": ("15/02/2025", "16/02/2025"),
    "depuis quand les loyers des passoires F et G sont gelés ?": ("24/08/2022", "25/08/2022"),
    "L'encadrement des loyers tient jusqu'à quand ?": ("23/11/2026", "24/11/2026"),
    "quand s'arrête la hausse départementale des droits de mutation ?": ("31/03/2028", "30/04/2028"),
    "seuil du taux réduit d'IS pour une SCI ?": ("42 500 €", "100 000 €"),
    "quel gain énergétique pour un Denormandie ?": ("fiche service-public F35011", "Cabinet Riviere Avocats"),
    "Relance logement dans l'ancien : quel minimum de travaux ?": ("du prix du bien", "du coût total de l'opération"),
}


async def _found(*names: str, form: str = "answer", near: tuple[str, ...] = ()) -> Evidence:
    call = ToolCall("facts", {"facts": names, "on": "2026-11-22", "form": form, "near": near})
    result = await FactsTool().run(call)
    return Evidence(tool_results=(result, *result.also))


def _cited(text: str, number: int) -> str:
    return f"{text.rstrip('.')} [{number}]."


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_on_what_is_disputed_shows_each_source_with_its_date(text: str) -> None:
    route = ask(text)
    (call,) = (call for call in route.tool_calls if call.tool == "facts")
    result = asyncio.run(FactsTool().run(call))
    evidence = Evidence(tool_results=(result, *result.also))
    brief = Brief(Question(text=text, asked_by="U1", asked_at=SUNDAY), route, evidence, ("En bref",))
    draft = asyncio.run(ExtractiveWriter().write(brief))
    told = ground(Draft(draft.text, Usage("test")), evidence, question=text).text
    rows = [line.replace("\u202f", " ").replace("\u00a0", " ") for line in told.splitlines() if line.startswith("| ")]
    first, second = rows[1:]
    assert QUESTIONS[text][0] in first
    assert QUESTIONS[text][1] in second
    assert all(re.search(r"\| (?:page|relevé) du \d\d/\d\d/\d{4} \|", row) for row in (first, second))


@pytest.mark.parametrize("name", [group[0].id for group in fact_book().conflicts()])
async def test_every_dispute_passes_the_gate_as_it_is_told(name: str) -> None:
    evidence = await _found(name)
    dispute = dispute_of(evidence)
    assert dispute is not None
    assert dispute.asked
    assert ground(Draft(dispute.told(_cited), Usage("test")), evidence, question="").dropped == ()


async def test_a_dispute_near_the_question_waits_for_an_answer_that_tells_one_of_its_values() -> None:
    dispute = dispute_of(await _found("sci-demembrement.5.1", near=("sci-demembrement.6.1",)))
    assert dispute is not None
    assert not dispute.asked
    assert dispute.concerns("Le taux est de 15 % jusqu'à 42 500 € de bénéfice.")
    assert not dispute.concerns("Une SCI à l'IS paie 25 % au-delà.")


async def test_a_summary_of_a_scheme_names_each_source_in_its_own_table() -> None:
    assert dispute_of(await _found("lmnp.reprise", form="overview")) is None


def test_nothing_disputed_is_near_another_question() -> None:
    assert disputed_near("préavis du locataire en meublé", schemes=()) == ()
    assert disputed_near("SCI à l'IS : jusqu'à quel bénéfice le taux de 15 % ?", schemes=())
