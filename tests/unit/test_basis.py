"""« c'est quel article ? »: the text on which the last answer rests."""

import pytest

from pipeline.extractive.asked import terms_of
from pipeline.extractive.candidates import Excerpt
from pipeline.extractive.selecting import naming_texts
from pipeline.understanding.thread.rules import asks_basis
from tests.asking import ask

NOTICE = "Quel préavis pour un locataire en meublé ?"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Selon quel texte ?", True),
        ("vous avez la référence légale ?", True),
        ("et l'article du code civil ?", True),
        ("sur quel fondement juridique", True),
        ("quel article du bail fixe les charges ?", False),
        ("les textes reçus par SMS comptent-ils ?", False),
        ("et en vide ?", False),
    ],
)
def test_the_text_of_law_is_asked_for_alone(text: str, *, asks: bool) -> None:
    assert asks_basis(text) is asks
    route = ask(text, before=[NOTICE])
    assert (route.query == NOTICE) is asks


def told(source: int, text: str) -> Excerpt:
    return Excerpt(source=source, index=0, sentences=(text,), terms=terms_of(text), score=0.0)


def test_what_the_last_answer_said_names_it_else_the_passages_that_this_is_from() -> None:
    """Never a text that another passage names."""
    said = told(1, "Le préavis est d'un mois en meublé.")
    beside = told(1, "Le bailleur suit l'article 25-8 de la loi de 1989.")
    other = told(2, "La surtaxe suit l'article 1609 nonies G du code général des impôts.")
    named = told(3, "Le préavis court de la réception, selon l'article 15 de la loi de 1989.")
    pool = [other, said, beside, named]
    assert naming_texts(pool, frozenset({said.sentences[0], named.sentences[0]})) == [named]
    assert naming_texts(pool, frozenset({said.sentences[0]})) == [beside]
    assert naming_texts([other, said], frozenset({said.sentences[0]})) == [said]
    assert naming_texts(pool, frozenset({"Rien de tel."})) == []
