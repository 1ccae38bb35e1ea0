"""A message that asks two things is answered as two questions."""

import pytest

from pipeline.extractive.double_questions import halves


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Qu'est-ce que le dispositif Denormandie et quelles sont ses conditions ?",
            (
                "Qu'est-ce que le dispositif Denormandie",
                "quelles sont ses conditions (le dispositif Denormandie) ?",
            ),
        ),
        (
            "Comment est calculé le déficit foncier et quel est son plafond ?",
            ("Comment est calculé le déficit foncier", "quel est son plafond (le déficit foncier) ?"),
        ),
        (
            "Qu’est-ce que le LMNP ? Quels sont ses avantages ?",
            ("Qu’est-ce que le LMNP", "Quels sont ses avantages (le LMNP) ?"),
        ),
        (
            "Quels risques pour un bien à Nîmes et quelles obligations d'information ?",
            ("Quels risques pour un bien à Nîmes", "quelles obligations d'information ?"),
        ),
    ],
)
def test_two_questions_come_apart(text: str, expected: tuple[str, str]) -> None:
    """The second keeps the subject that its pronoun stands for."""
    assert halves(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Quelle différence entre le LMNP et le LMP ?",
        "Denormandie et Jeanbrun sont-ils cumulables ?",
        "Quel est le plafond du déficit foncier ?",
        "Lyon et quoi ?",
        "",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    """A joined subject is no second question."""
    assert halves(text) == (text,)
