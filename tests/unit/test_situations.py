"""What is asked of a told case, and what of the case that leans on."""

import pytest

from bench.training.entries.apart import SITUATIONS, situations_told
from pipeline.understanding.situations import situation_of

CASE = (
    "Je sors de chez les Morvan, lui 61 ans, TMI 30, elle encore salariée. Ils ont un T2 meublé à Vannes loué 590 à un "
    "étudiant, acheté 118 k en 2020, DPE D, reste 52 k de crédit. Leur fils rentre de Lyon en juin et cherche un toit. "
)
MAIL = (
    "je te transfère\n« Bonjour Monsieur, nous louons notre maison de Loos depuis 2019, 830 € par mois, DPE F, et la "
    "taxe foncière a encore augmenté cette année. Pouvons-nous envoyer la révision du loyer au locataire en mars ? "
    "Nous avons 59 et 62 ans et un second logement à Ronchin.\nBien à vous, J. Ricquier »"
)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (CASE + "Le congé pour reprise, c'est combien de mois avant la fin du bail ?", "Le congé pour reprise, c'est"),
        ("Le congé pour reprise, c'est combien de mois avant la fin ? " + CASE, "Le congé pour reprise, c'est combien"),
        (CASE + "Du coup c'est quoi le délai pour leur congé. Je les revois à 14h, merci.", "Du coup c'est quoi le"),
        (MAIL, "Pouvons-nous envoyer la révision du loyer au locataire en mars ?"),
    ],
)
def test_the_sentences_that_ask_are_found_wherever_they_stand(text: str, question: str) -> None:
    """At the end, first, without a question mark, in a forwarded mail."""
    found = situation_of(text)
    assert found is not None
    assert found.question.startswith(question)
    assert "590" not in found.question
    assert "59 et 62 ans" not in found.question


def test_a_question_that_names_no_subject_takes_that_of_the_story() -> None:
    """But not what is told of any client: his tax rate, his loan, the energy class."""
    found = situation_of(CASE + "Combien de temps à l'avance doivent-ils prévenir le locataire pour le récupérer ?")
    assert found is not None
    assert found.asked.startswith("LMNP : Combien de temps")
    assert found.question.startswith("Combien de temps")


def test_a_short_question_takes_the_sentence_before_it() -> None:
    found = situation_of(CASE + "Ils voudraient donner congé au locataire pour le loger. Ont-ils le droit ?")
    assert found is not None
    assert "donner congé au locataire pour le loger. Ont-ils le droit ?" in found.asked
    assert any("donner congé" in sentence for sentence in found.before)


def test_the_end_of_a_message_without_stops_is_what_asks() -> None:
    text = CASE.replace(".", "").replace(",", "") + "et du coup elle a combien de temps pour donner congé au locataire"
    found = situation_of(text)
    assert found is not None
    assert found.question.endswith("elle a combien de temps pour donner congé au locataire")
    assert len(found.question.split()) < len(text.split()) / 2


@pytest.mark.parametrize(
    "text",
    [
        "Mon client a 61 ans, il loue un T2 meublé à Vannes. Quel abattement au micro-BIC ?",
        CASE,
        "",
    ],
)
def test_a_short_message_and_one_that_asks_nothing_are_no_case(text: str) -> None:
    assert situation_of(text) is None


def test_cases_by_other_hands_are_cut_where_they_ask() -> None:
    """Of 500 that eight people wrote, what each marked as its question is in what is read as that."""
    rows = list(situations_told())
    kept = [_letters(row["asked"]) in _letters(found.asked) for row, found in rows]
    total = len(SITUATIONS.read_text(encoding="utf-8").splitlines())
    assert len(rows) >= 0.85 * total
    assert sum(kept) >= 0.94 * len(rows)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
