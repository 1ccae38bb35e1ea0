"""A calculation that the reader hardly believes in, and that has none of its inputs, is asked of the articles."""

from dataclasses import replace

import pytest

from pipeline.planning.fact_calls import as_rules
from pipeline.planning.setting import Setting
from pipeline.reading import Quantity, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import Task
from tests.asking import SUNDAY, places

TEXT = "immeuble de 6 lots, 12 k€ de budget annuel, quel régime de copropriété ?"
RENT = Quantity(12_000, "€", "12 k€", 20, role="rent", confidence=0.7)
READING = Reading(TEXT, (("calc_yield", 0.12),), "new", quantities=(RENT,))
TASK = Task(READING, Frame("calc_yield", query=TEXT, slots={"rent": (RENT,)}))


def after(task: Task) -> str:
    question = Question(text=TEXT, asked_by="U1", asked_at=SUNDAY)
    read = as_rules(task, Setting(question, ThreadState(), places(), crm_available=False))
    assert read.frame is not None
    return read.frame.kind


def test_it_is_asked_of_the_articles() -> None:
    assert after(TASK) == "rules"


@pytest.mark.parametrize(
    "task",
    [
        replace(TASK, reading=replace(READING, intents=(("calc_yield", 0.7),))),  # surely a yield
        replace(TASK, inherited=True),  # the thread's own
        replace(TASK, frame=Frame("calc_yield", slots={"rent": (RENT,), "purchase_price": (RENT,)})),  # has its inputs
        replace(TASK, frame=Frame("calc_yield", slots={"rent": (RENT,)}, options=frozenset(("rent_area",)))),  # named
    ],
)
def test_what_is_a_calculation_stays_one(task: Task) -> None:
    assert after(task) == "calc_yield"


@pytest.mark.parametrize(
    ("text", "kind"), [("vente par une SCI à l'IS", "rules"), ("vente par une SCI à l'IR", "calc_gain")]
)
def test_a_company_s_tax_is_no_household_s(text: str, kind: str) -> None:
    reading = replace(READING, text=text, intents=(("calc_gain", 0.98),))
    assert after(Task(reading, Frame("calc_gain", query=text))) == kind
    assert after(Task(reading, Frame("calc_gain", query=text, options=frozenset(("usufruct",))))) == "calc_gain"
