"""What an answer is worth against the facts written down for its question."""

from dataclasses import replace
from datetime import date

import pytest

from bench.worth.gold_scores import opening_of, plain, report_of, score
from corpus.types import Passage
from pipeline.types import Answer, Citation, Evidence, Route

TEXT = "### En bref\nNon : le Pinel est fermé depuis le 31/12/2024 [1]. Le taux était de 9 % [1]."
PASSAGE = Passage(
    "p#0", "p", 0, "Pinel", (), "Non : le Pinel est fermé depuis le 31/12/2024. Le taux était de 9 %.", "", "regulation"
)
ANSWER = Answer(
    TEXT,
    Route("rag", "ask", "Pinel ?"),
    citations=(Citation(1, "passage", "Pinel", "", "", date(2026, 11, 1)),),
    evidence=Evidence((PASSAGE,)),
)
ROW = {
    "text": "Pinel ?", "needed": [["31/12/2024", "fin 2024"], ["9 %"], ["14 %"]], "forbidden": ["toujours ouvert"],
    "first_needed": ["Non :", "Non,"], "answerable": True,
}  # fmt: skip


def test_facts_count_in_any_of_their_forms_and_the_first_sentence_must_answer() -> None:
    """Two facts of three, one way of writing being enough; the third is named."""
    found = score(ROW, ANSWER, category="schemes")
    assert (found.needed, found.missed, found.first) == ((2, 3), ("14 %",), True)
    late = score({**ROW, "first_needed": ["9 %"]}, ANSWER, category="schemes")
    assert late.first is False


@pytest.mark.parametrize(
    ("answerable", "refused", "cited", "counted"),
    [
        (True, True, False, True),
        (True, False, True, False),
        (False, True, False, True),
        (False, False, False, True),
        (False, False, True, False),
    ],
)
def test_a_refusal_is_what_claims_nothing(answerable: bool, refused: bool, cited: bool, counted: bool) -> None:
    """Of a question that cannot be answered any answer without a source is one."""
    answer = replace(ANSWER, refused=refused, citations=ANSWER.citations if cited else ())
    assert score({**ROW, "answerable": answerable}, answer, category="x").refused is counted


def test_a_figure_that_its_source_does_not_hold_is_wrong() -> None:
    """The gate is asked again about what was published."""
    assert score(ROW, ANSWER, category="x").wrong_figures == 0
    assert score(ROW, replace(ANSWER, text=TEXT.replace("9 %", "8 %")), category="x").wrong_figures == 1


def test_two_ways_of_writing_compare() -> None:
    """Spaces, apostrophes, markers and dashes say nothing."""
    assert plain("L’impôt : 10\u202f700\u00a0€ [2].") == plain("L'impôt : 10 700 €.")
    assert opening_of("### En bref\n**Le Pinel est-il ouvert ?** Non : fermé [1]. Suite [1].").startswith("Non : fermé")


def test_shares_are_told_by_category_and_over_all() -> None:
    """A category without a question of a kind has no share of it."""
    rows = [score(ROW, ANSWER, category="a"), score({**ROW, "answerable": False}, ANSWER, category="b")]
    report = report_of(rows)
    assert report["a"]["needed"] == 66.7
    assert report["a"]["refused"] is None
    assert report["all"]["refused"] == 0.0
