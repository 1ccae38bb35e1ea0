"""Markdown read line by line, markers where they belong, and what a question asks for."""

import pytest

from pipeline.extractive.question_forms import form_of
from pipeline.text.sentences import lines, markers_inside, passage_sentences


def test_lines_have_kinds_and_paragraphs_are_joined() -> None:
    """Headings, text, bullets, numbered items, a table's header and rows; the ruling row is only a mark."""
    text = "## Titre\nUn.\nDeux.\n\n- a\n1. b\n\n| x | y |\n|---|---|\n| 1 | 2 |"
    assert [(line.kind, line.lead, line.text) for line in lines(text)] == [
        ("heading", "### ", "Titre"),
        ("text", "", "Un. Deux."),
        ("bullet", "- ", "a"),
        ("bullet", "1. ", "b"),
        ("header", "", "| x | y |"),
        ("row", "", "| 1 | 2 |"),
    ]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("Vrai. [1]", "Vrai [1]."),
        ("Vrai. [1][2] Faux. [3]", "Vrai [1][2]. Faux [3]."),
        ("Déjà [1].", "Déjà [1]."),
        ("Quoi ? [1, 2]", "Quoi [1, 2] ?"),
    ],
)
def test_a_marker_after_the_full_stop_belongs_to_its_sentence(text: str, moved: str) -> None:
    """Models write it on either side."""
    assert markers_inside(text) == moved


def test_a_table_row_of_a_passage_carries_its_header() -> None:
    """A cell means nothing without its column; list items are sentences of their own."""
    text = "Les taux.\n- six ans\n| Durée | Taux |\n|---|---|\n| 6 ans | 9 % |"
    assert passage_sentences(text) == ("Les taux.", "six ans", "| Durée | Taux | | 6 ans | 9 % |")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Mon client peut-il encore acheter en Pinel ?", "yes_no"),
        ("C'est quoi le LMNP ?", "definition"),
        ("Denormandie jusqu'à quand ?", "date"),
        ("Quand l'encadrement s'achève ?", "date"),
        ("Quels sont les taux du Pinel ?", "rate"),
        ("Comment calculer le rendement net ?", "how"),
        ("Quelle différence entre LMNP et LMP ?", "difference"),
        ("Pourquoi aucune vente à Metz ?", "why"),
        ("Fiscalité des meublés", "what"),
    ],
)
def test_the_sort_of_answer_is_read_from_the_question(question: str, form: str) -> None:
    """A yes or no, a definition, a date, a figure, a method, a contrast, a reason."""
    assert form_of(question) == form
