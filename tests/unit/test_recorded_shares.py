"""A share on record of the amount of a case: which records it is taken of, and of which amount."""

import asyncio
from datetime import date

import pytest

from corpus.facts.cases import cases_asked
from corpus.facts.loading import load_facts
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.planning.standing import task_of
from pipeline.thread_state import ThreadState
from pipeline.tools.calculation.values import Nonsense
from pipeline.tools.calculator import calculate
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import remembered
from tests.asking import SUNDAY, places, reader

PTZ = "ptz appart neuf, tranche 1 : quotité ?"
TAX = "majoration de taxe d'habitation sur une résidence secondaire, jusqu'à combien ?"
CALLS = "appels de fonds d'une VEFA, quel pourcentage à chaque étape pour un lot à 310 000 ?"


def asked(*messages: str) -> dict[str, object]:
    """The arguments of the share that the last message is answered with, none where it has none."""
    state = ThreadState()
    route = None
    for text in messages:
        question = Question(text=text, asked_by="U1", asked_at=SUNDAY)
        task = task_of(asyncio.run(reader().read(question, state)), state)
        route = plan(task, Setting(question, state, places(), crm_available=False))
        state = remembered(state, task)
    assert route is not None
    calls = [call.arguments for call in route.tool_calls if call.arguments.get("kind") == "recorded"]
    return dict(calls[0]) if calls else {}


def worked(**arguments: object) -> tuple[dict[str, float], str]:
    found = calculate({"kind": "recorded", **arguments}, today=date(2026, 11, 22))
    said = " ".join(found.sentences).replace("\u202f", " ").replace("\xa0", " ")
    return {entry.figure.label: entry.figure.value for entry in found.results}, said


@pytest.mark.parametrize(
    ("messages", "facts", "amount"),
    [
        ((PTZ, "cout retenu 150 000, tranche 2, appart. montant ?"), "ptz.2.2", 150_000),
        ((PTZ, "cout retenu 150 000, tranche 2, appart", "même chose mais maison"), "ptz.2.4,ptz.2.5,ptz.2.6", 150_000),
        ((TAX, "part communale 620 €, quelle majoration ?"), "taxes-locales.14.1", 620),
        ((CALLS, "et à l'achèvement des fondations ?"), "vefa.foundations", 310_000),
    ],
)
def test_the_share_of_the_case_is_taken_of_the_amount_that_was_told(
    messages: tuple[str, ...], facts: str, amount: float
) -> None:
    found = asked(*messages)
    assert (found["facts"], found["amount"]) == (facts, amount)


@pytest.mark.parametrize(
    "messages",
    [
        (PTZ,),  # no amount at all
        (PTZ, "cout retenu 150 000, tranche 2, montant ?", "comment est fixée la quotité du ptz ?"),  # asks for none
        (TAX, "part communale 620 €, part du syndicat 900 €, quelle majoration ?"),  # two amounts
        (TAX, "taxe de 12 €, ça fait combien ?"),  # no such amount
    ],
)
def test_no_share_is_taken_where_the_amount_is_not_surely_the_one(messages: tuple[str, ...]) -> None:
    assert not asked(*messages)


def test_a_rate_that_is_told_within_what_is_on_record_is_applied() -> None:
    assert asked(TAX, "part communale 620 €, majoration de 60 %, surcoût ?")["rate"] == 60
    assert "rate" not in asked(TAX, "part communale 620 €, majoration de 90 %, surcoût ?")
    values, said = worked(facts="taxes-locales.14.1", amount=620, rate=60)
    assert list(values.values()) == [372]
    assert "soit 60 % de la part communale de 620 €" in said


def test_a_range_has_two_results_and_several_cases_are_told_in_one_sentence() -> None:
    values, _ = worked(facts="taxes-locales.14.1", amount=620)
    assert list(values.values()) == [31, 372]
    values, said = worked(facts="vefa.foundations,vefa.roof", amount=310_000)
    assert list(values.values()) == [108_500, 217_000]
    first = said.split(". ")[0]
    assert "108 500 €" in first
    assert "217 000 €" in first


def test_a_rate_is_told_with_all_its_digits() -> None:
    """6.3185 % of 320 000 are 20 219.20; 6.319 % would not be."""
    values, said = worked(facts="dmto.haut", amount=320_000)
    assert list(values.values()) == [20_219.20]
    assert "6,3185 % du prix" in said


def test_what_is_no_share_is_not_applied() -> None:
    with pytest.raises(Nonsense):
        worked(facts="vefa.3.1", amount=100_000)
    with pytest.raises(Nonsense):
        worked(facts="vefa.roof,ptz.2.1", amount=100_000)  # of a price and of a cost
    assert all(fact.unit == "%" for fact in load_facts() if fact.of)


def test_out_of_the_water_is_a_stage_and_no_exception() -> None:
    """« hors d'eau » names a case of its own, and denies none; « hors » before another denies it."""
    stages = [fact for fact in load_facts() if fact.id.startswith("vefa.") and fact.of][:3]
    assert [fact.id for fact in cases_asked(stages, "il aura payé combien hors d'eau ?")] == ["vefa.roof"]
    assert len(cases_asked(stages, "hors achèvement des fondations ?")) == len(stages)
