"""Greetings, lead-ins and thanks around a question are not what it asks."""

import pytest

from pipeline.understanding.own_words import without_politeness


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Hello, c'est combien le dépôt de garantie ?", "c'est combien le dépôt de garantie ?"),
        ("Bonjour Mehdi, le Pinel est-il ouvert ?", "le Pinel est-il ouvert ?"),
        ("Salut l'équipe ! prix au m2 à Toulon", "prix au m2 à Toulon"),
        ("Dis-moi, combien coûte un acte ?", "combien coûte un acte ?"),
        ("Petite question : le Pinel est ouvert ?", "le Pinel est ouvert ?"),
        ("C'est combien le dépôt ? Merci d'avance !", "C'est combien le dépôt ?"),
        ("Coucou !", "Coucou !"),
        ("bonjour prix toulon", "bonjour prix toulon"),
        ("Ok merci", "Ok merci"),
        ("merci beaucoup", "merci beaucoup"),
    ],
)
def test_what_is_asked_is_read_without_politeness(text: str, asked: str) -> None:
    """And what is nothing but that stays."""
    assert without_politeness(text) == asked
