"""Which messages are the same words, courtesy aside, and which only look it."""

import pytest

from pipeline.text.sameness import words_said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Le Pinel est-il fermé ?", "bonjour, le pinel est-il ferme svp"),
        ("Peux-tu me dire quel est le plafond du PTZ ?", "Quel est le plafond du PTZ ? Merci beaucoup !"),
        ("Prêt de 200 000 € sur 20 ans", "prêt de 200\u202f000 euros sur 20 ans"),
        ("Qu'est-ce que le Denormandie ?", "C’est quoi le Denormandie"),
        ("Est-ce que la SCI est à l'IS ?", "la SCI est à l'IS"),
    ],
)
def test_courtesy_case_and_spelling_of_numbers_change_nothing(one: str, other: str) -> None:
    assert words_said(one) == words_said(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("taux à 3,5 %", "taux à 35 %"),
        ("hausse de 5 %", "hausse de -5 %"),
        ("loyer de 800 €", "loyer de 800 €/m²"),
        ("plus de 3 ans", "moins de 3 ans"),
        ("passer de nu à meublé", "passer à nu de meublé"),
        ("on peut vendre", "on ne peut pas vendre"),
        ("peut-il la louer", "peut-il louer"),
        ("l'acheteur paie le vendeur", "le vendeur paie l'acheteur"),
        ("taux 6 9 12", "taux 6;9 12"),
        ("prêt de 200 000 €", "prêt de 20 000 €"),
        ("2024-2025", "2024 2025"),
    ],
)
def test_every_other_word_and_sign_counts(one: str, other: str) -> None:
    assert words_said(one) != words_said(other)
