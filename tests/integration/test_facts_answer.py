"""Facts in answers: planned from the user's words, told first, in a table where there are several, past the gate."""

import asyncio
from datetime import date

import pytest

from corpus.facts.book import fact_book
from pipeline.extractive.fact_tables import blocks, facts_told
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.grounding import ground
from pipeline.tools.facts import FactsTool
from pipeline.types import Brief, Draft, Evidence, Question, ToolCall, Usage
from pipeline.writing.synthesizer import required_sections
from tests.asking import SUNDAY, ask

ON = "2026-11-22"
GROUPS = sorted({fact.scheme for fact in fact_book().facts})


async def found(*names: str, form: str = "answer", on: str = ON) -> Evidence:
    result = await FactsTool().run(ToolCall("facts", {"facts": names, "on": on, "form": form}))
    return Evidence(tool_results=(result, *result.also))


def _cited(text: str, number: int) -> str:
    return f"{text.rstrip('.')} [{number}]."


def dropped(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """What the gate refuses of the facts' own opening and table."""
    text = "\n\n".join(blocks(facts_told(evidence), cited=_cited))
    return ground(Draft(text, Usage("test")), evidence, question="").dropped


@pytest.mark.parametrize("scheme", GROUPS)
@pytest.mark.parametrize("form", ["answer", "overview"])
@pytest.mark.parametrize("on", [ON, "2028-06-01"])
async def test_every_record_passes_the_gate_as_it_is_told(scheme: str, form: str, on: str) -> None:
    groups: dict[tuple[str, str, str], list[str]] = {}
    for fact in fact_book().find(scheme=scheme):
        if fact.scheme == scheme:
            groups.setdefault(fact.group, []).append(fact.id)
    for names in groups.values() if form == "answer" else [[name for held in groups.values() for name in held][:18]]:
        assert dropped(await found(*names, form=form, on=on)) == ()


async def test_each_page_is_a_source_of_its_own_with_its_day() -> None:
    evidence = await found("micro-bic", "micro-bic.abattement")
    assert [(r.error, r.as_of) for r in evidence.tool_results] == [(None, date(2026, 11, 21))] * 2
    assert len({r.url for r in evidence.tool_results}) == 2
    assert all(r.figures and r.text.endswith(".") for r in evidence.tool_results)


async def test_an_unknown_record_is_a_plain_error() -> None:
    (result,) = (await found("rumeur")).tool_results
    assert result.error


async def test_several_cases_make_a_table() -> None:
    told = facts_told(await found("relance.neuf.intermediaire", "relance.neuf.social", "relance.neuf.tres-social"))
    assert told.heads == ("Cas", "Valeur")
    assert [cells[1] for cells, _ in told.rows] == ["3,5\u00a0% par an", "4,5\u00a0% par an", "5,5\u00a0% par an"]


async def test_facts_beside_an_answer_do_not_open_it() -> None:
    assert blocks(facts_told(await found("micro-bic", form="beside")), cited=_cited) == []


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Combien de mois de dépôt de garantie en meublé ?", ["answer"]),
        ("le denormandie c'est encore ouvert ?", ["still_open"]),
        ("explique le jeanbrun : taux, durée et plafonds", ["overview"]),
        ("Prix des appartements à Rennes", []),
        ("Prix des appartements à Rennes, et quel préavis pour un locataire en vide là-bas ?", ["answer"]),
        ("Quels risques naturels sur la commune de Toulon ?", []),
        ("DPE à Limoges, combien de passoires ?", []),
        ("bonjour", []),
        ("note sur Garnier : devis ravalement reçu, 42 000 €", []),
    ],
)
def test_the_route_plans_facts_from_the_words_alone(text: str, forms: list[str]) -> None:
    route = ask(text)
    assert [call.arguments["form"] for call in route.tool_calls if call.tool == "facts"] == forms


def test_facts_alone_leave_a_question_of_rules_one() -> None:
    assert ask("Combien de mois de dépôt de garantie en meublé ?").mode == "rag"


def test_the_offline_writer_opens_with_the_fact() -> None:
    text = "Combien de mois de dépôt de garantie en meublé ?"
    route = ask(text)
    (call,) = (call for call in route.tool_calls if call.tool == "facts")
    result = asyncio.run(FactsTool().run(call))
    brief = Brief(
        Question(text=text, asked_by="U1", asked_at=SUNDAY), route, Evidence(tool_results=(result,)), ("En bref",)
    )
    draft = asyncio.run(ExtractiveWriter().write(brief))
    first = draft.text.splitlines()[1]
    assert first == "Le dépôt de garantie est de 2\u00a0mois de loyer hors charges au plus en meublé [1]."


@pytest.mark.parametrize("text", ["trêve hivernale dates", "espèces max chez un pro", "eco ptz montant max"])
def test_a_message_that_the_reader_is_unsure_of_is_a_question_of_rules_where_a_record_answers(text: str) -> None:
    route = ask(text)
    assert ({call.tool for call in route.tool_calls}, route.mode, route.actions) == ({"facts"}, "rag", ())


@pytest.mark.parametrize("text", ["tâches en retard", "où en est le dossier Martin", "note : rappeler Dupont"])
def test_a_message_that_the_reader_is_sure_of_stays_what_it_is(text: str) -> None:
    assert "facts" not in {call.tool for call in ask(text).tool_calls}


def test_a_calculation_without_an_amount_gets_what_is_on_record_beside_what_it_asks_for() -> None:
    route = ask("la tmi d'un couple c'est combien")
    assert [call.tool for call in route.tool_calls] == ["calculator", "facts"]
    with_amount = ask("frais de notaire pour 182 000 € dans l'ancien ?")
    assert [call.tool for call in with_amount.tool_calls] == ["calculator"]


def test_a_section_that_a_fact_answers_is_not_said_to_be_missing() -> None:
    route = ask("surprime catnat combien ?")
    assert "risques" in route.aspects
    assert "Risques et obligations" in required_sections(route, Evidence())
    assert "Risques et obligations" not in required_sections(route, asyncio.run(found("pinel.fin")))
