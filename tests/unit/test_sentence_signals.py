"""What is seen of a sentence beside a question: its shape, what it says instead of what was asked, its document."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from corpus.questions.asked import Phrasing
from corpus.questions.bank import QuestionBank, Signs, entries_of
from corpus.questions.prepared import prepare
from corpus.types import Passage
from pipeline.extractive.asked import Asked, read_question, terms_of
from pipeline.extractive.candidates import excerpts
from pipeline.extractive.sentence_shapes import opposed, shapes_of
from pipeline.extractive.signals import entry_signs, signals_of
from pipeline.extractive.weights import Weights
from pipeline.types import Brief, Evidence, Question, Route

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
LEASE = Passage(
    id="bail#0", document_id="bail", position=0, title="Bail", similarity=0.9, score=0.8, url="",
    heading=("Questions fréquentes", "Quel préavis en vide ?"), category="regulation",
    text="Le préavis est de trois mois en location vide. Il est d'un mois en zone tendue.",
)  # fmt: skip


def _asked(query: str, *passages: Passage) -> Asked:
    brief = Brief(Question(query, "U1", NOON), Route("rag", "ask", query), Evidence(passages), ())
    return read_question(brief, query, close={}, elsewhere=lambda _sentence: False)


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("Non : le Pinel est fermé depuis le 31/12/2024.", {"polar", "day", "bounds"}),
        ("La réduction est de 18 % du prix.", {"share"}),
        ("Le préavis est de trois mois.", {"span"}),
        ("L'amende peut atteindre 10 000 €.", {"money", "allows"}),
        ("La taxe reste à la charge du vendeur.", {"bearer"}),
    ],
)
def test_a_sentence_offers_what_its_words_and_figures_say(text: str, shapes: set[str]) -> None:
    """Which of them answers a question is fitted."""
    assert shapes <= shapes_of(text)


@pytest.mark.parametrize(
    ("asked", "told", "count"),
    [
        ("préavis en location vide", "préavis du logement meublé", 1),
        ("préavis en location vide", "préavis vide ou meublé", 0),
        ("don à un petit-fils", "abattement de 100 000 € pour un enfant", 1),
        ("don à un petit-fils", "abattement pour un petit-enfant et un enfant", 0),
        ("bail étudiant", "bail mobilité d'un logement meublé", 0),
    ],
)
def test_words_that_exclude_each_other_are_opposed(asked: str, told: str, count: int) -> None:
    """A longer word is no shorter one: `petit-enfant` is not `enfant`."""
    assert opposed(terms_of(asked), terms_of(told)) == count


def test_a_document_without_vectors_is_as_close_as_its_passage() -> None:
    """What a team adds has no vector a sentence; it would else always be farther than our articles."""
    page = replace(LEASE, id="page:1#0", document_id="page:1", heading=())
    asked = _asked("Quel préavis en location vide ?", page)
    found = signals_of(1, page, 0, (page.text.split(". ")[0],), asked, entry_signs(page, asked))
    assert found["close"] == found["passage"] > 0
    assert found["in:added"] == 1.0


def test_an_entry_is_compared_with_the_question_word_by_word_both_ways() -> None:
    """Its share in the question and the question's share in it; an amount of its own makes it another question."""
    assert _entry(LEASE, "Quel préavis en vide ?")["theirs"] == _entry(LEASE, "Quel préavis en vide ?")["mine"] == 1.0
    dear = replace(LEASE, heading=("Questions fréquentes", "Quel préavis pour un loyer de 3000 € ?"))
    assert _entry(dear, "Quel préavis ?")["other"] == 1.0


def test_the_nearest_way_of_asking_is_compared() -> None:
    """An entry is as near as the way of asking that shares most with the question."""
    also = Phrasing(LEASE.document_id, LEASE.heading[-1], "combien de mois pour partir d'un vide")
    known = prepare(entries_of([LEASE], [also]), asked={}, told={}, version="none")
    bank = QuestionBank(known, weights=Signs(1, 1, 1, 1))
    query = "combien de mois pour partir"
    held = {match.entry.passage.id: match for match in bank.nearest(query, None, limit=1)}
    brief = Brief(Question(query, "U1", NOON), Route("rag", "ask", query), Evidence((LEASE,)), ())
    asked = read_question(brief, query, close={}, entries=held, elsewhere=lambda _sentence: False)
    assert entry_signs(LEASE, asked)["mine"] > _entry(LEASE, query)["mine"]
    assert "bank" in entry_signs(LEASE, asked)
    assert "bank" not in _entry(LEASE, query)


def _entry(passage: Passage, query: str) -> Mapping[str, float]:
    return entry_signs(passage, _asked(query, passage))


def test_the_weights_decide_and_nothing_else() -> None:
    """The same excerpts in another order under other weights."""
    asked = _asked("Quel préavis en zone tendue ?", LEASE)
    by_words = excerpts(Evidence((LEASE,)), asked, Weights({"words": 1.0}, {"": 0.0}, {}))
    by_place = excerpts(Evidence((LEASE,)), asked, Weights({"at:0": 1.0}, {"": 0.0}, {}))
    assert max(by_place, key=lambda e: e.score).index == 0
    assert {e.score for e in by_words} != {e.score for e in by_place}
