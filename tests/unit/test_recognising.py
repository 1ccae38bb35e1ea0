"""A question of our articles that was read as a wish for deals, for figures of a place or for a calculation."""

import asyncio
from dataclasses import replace
from functools import cache

import pytest

from corpus.questions.bank import QuestionBank, load_bank
from pipeline.asked.recognising import recognised
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Question, Route
from pipeline.understanding.thread.dialogue import resolve
from tests.asking import SUNDAY, places, reader
from tests.kept_vectors import kept_vectors

RULE = "prescription loyers"
NEAR = "IAS : volume annuel de formation DDA"
CALCULATED = "rendement brut calcul"


@cache
def _bank() -> QuestionBank:
    return load_bank(kept_vectors().version)


def _read(text: str, state: ThreadState | None = None) -> tuple[bool, Route]:
    state = state or ThreadState()
    setting = Setting(Question(text, "U1", SUNDAY), state, places())
    reading = asyncio.run(reader().read(setting.question, state))
    known = asyncio.run(recognised(reading, setting, embedder=kept_vectors(), bank=_bank()))
    return known, plan(resolve(reading, state), replace(setting, recognised=known))


def test_a_rule_in_two_words_asks_for_no_commune() -> None:
    """« prescription loyers » is one of our own questions, whatever its words remind a reader of."""
    known, route = _read(RULE)
    assert known
    assert (route.mode, route.clarification) == ("rag", None)


def test_a_calculation_is_told_beside_the_rule() -> None:
    """What can be computed is, and the entry that answers is searched as well."""
    known, route = _read(CALCULATED)
    assert known
    assert (route.mode, [call.tool for call in route.tool_calls]) == ("rag+tools", ["calculator"])


@pytest.mark.parametrize(
    "text", ["mes dossiers à signer ce mois-ci", "renta brute : 143 000, loyer 675", "loyers T2 à Reims"]
)
def test_what_asks_for_deals_places_and_sums_stays_what_it_is(text: str) -> None:
    """Nothing of ours is near enough."""
    assert not _read(text)[0]


def test_a_thread_keeps_its_subject() -> None:
    """Only the head of a thread is held against our questions: what follows leans on it."""
    assert not _read(RULE, ThreadState(frames=(Frame("rents", query="loyers à Reims"),)))[0]


@pytest.mark.parametrize(("confidence", "known"), [(1.0, False), (0.1, True)])
def test_the_less_the_reader_sees_the_less_is_needed(confidence: float, known: bool) -> None:
    """One of our questions is near, not beyond doubt; a complaint that is hardly one gives way to it."""
    setting = Setting(Question(NEAR, "U1", SUNDAY), ThreadState(), places())
    reading = asyncio.run(reader().read(setting.question, ThreadState()))
    reading = replace(reading, intents=(("complaint", confidence),), writes=())
    assert asyncio.run(recognised(reading, setting, embedder=kept_vectors(), bank=_bank())) is known


def test_what_is_unlawful_beyond_doubt_is_no_question_of_ours() -> None:
    """However near: it is refused."""
    setting = Setting(Question(RULE, "U1", SUNDAY), ThreadState(), places())
    reading = asyncio.run(reader().read(setting.question, ThreadState()))
    reading = replace(reading, intents=(("unsafe", 0.9),), writes=())
    assert not asyncio.run(recognised(reading, setting, embedder=kept_vectors(), bank=_bank()))
