"""What a message asks of the last answer itself is told from that answer, with its sources."""

from datetime import UTC, datetime

import pytest

from pipeline.talk.restating import CHECKED, IN_SHORT, OF_THREAD, asked_of_answer, told_again
from pipeline.types import Question, Turn

NOW = datetime(2026, 11, 28, tzinfo=UTC)
ANSWER = Turn(
    "assistant",
    "### En bref\nL'abattement du micro-BIC est de 50 % en longue durée [1]. Il n'est jamais inférieur à 305 € [1]. "
    "Ce régime figure à l'article 50-0 du code général des impôts [2].\n\n### À savoir\n"
    "- **Et le tourisme ?** Oui : 30 % en tourisme non classé [2].\n- Exemple : 10 000 € de recettes [3].\n\n"
    "Textes relus le 21/11/2026 [1].",
    sources=((1, "Micro-BIC - https://www.impots.gouv.fr/bic"), (2, "Le code - https://www.legifrance.gouv.fr")),
)
TALK = Turn("assistant", "Avec plaisir.")


def after(text: str, *turns: Turn) -> Question:
    asked = (Turn("user", "abattement micro-BIC ?"), *turns)
    return Question(text, "U1", NOW, history=asked)


@pytest.mark.parametrize(
    "text",
    [
        "trop long, plus court stp",
        "Tu peux me le reformuler pour le client, sans jargon ?",
        "j'ai pas tout compris, tu peux répéter ?",
        "En une phrase ?",
    ],
)
def test_the_same_in_short_is_its_first_sentences_and_their_sources(text: str) -> None:
    told = told_again(after(text, ANSWER, TALK))
    assert told is not None
    assert told.text.startswith(IN_SHORT)
    assert "50 % en longue durée [1]" in told.text
    assert "30 %" not in told.text
    assert [(c.id, c.title, c.url) for c in told.citations] == [(1, "Micro-BIC", "https://www.impots.gouv.fr/bic")]


def test_a_doubt_gets_the_words_of_the_sources_and_a_way_on() -> None:
    told = told_again(after("t'es sûr ? moi j'avais 40", ANSWER))
    assert told is not None
    assert told.text.startswith(CHECKED)
    assert "50 %" in told.text
    assert "donnez-moi le texte" in told.text


@pytest.mark.parametrize("text", ["source ?", "Merci ! C'est écrit où ?", "et c'est où dans la loi tout ça"])
def test_where_it_stands_is_the_law_and_every_source_with_its_address(text: str) -> None:
    told = told_again(after(text, ANSWER))
    assert told is not None
    assert "article 50-0" in told.text
    assert "- Le code [2]" in told.text
    assert [c.url for c in told.citations] == ["https://www.impots.gouv.fr/bic", "https://www.legifrance.gouv.fr"]


def test_a_list_has_a_line_a_sentence() -> None:
    told = told_again(after("Mets-moi ça en tableau", ANSWER))
    assert told is not None
    assert "- L'abattement du micro-BIC est de 50 % en longue durée [1]." in told.text
    assert "- Oui : 30 % en tourisme non classé [2]." in told.text


def test_of_several_answers_each_is_told_by_its_opening() -> None:
    other = Turn(
        "assistant", "### En bref\nLe LMP dépasse 23 000 € [1].", sources=((1, "LMP - https://bofip.gouv.fr"),)
    )
    told = told_again(after("redonne les deux sur une ligne", ANSWER, other))
    assert told is not None
    assert told.text.splitlines()[0] == OF_THREAD
    assert "50 % en longue durée [1]." in told.text
    assert told.text.splitlines()[2] == "- Le LMP dépasse 23 000 € [2]."
    assert [(c.id, c.title) for c in told.citations] == [(1, "Micro-BIC"), (2, "LMP")]


@pytest.mark.parametrize(
    ("text", "history"),
    [
        ("trop long, plus court", ()),
        ("trop long, plus court", (TALK,)),
        ("et le Pinel, en plus court ?", (ANSWER,)),
        ("quel abattement en tourisme ?", (ANSWER,)),
        ("la durée la plus courte d'un bail mobilité, et la plus longue ?", (ANSWER,)),
    ],
)
def test_anything_else_is_asked_of_the_sources(text: str, history: tuple[Turn, ...]) -> None:
    """No answer to tell again, another subject, a question of its own."""
    assert asked_of_answer(after(text, *history)) is None


def test_what_is_told_again_can_be_told_again() -> None:
    """Its sources go with it: a thread remembers three exchanges, and the first answer may not be among them."""
    told = ANSWER
    for text in ("t'es sûr ?", "plus court", "en liste stp, mets ça en liste"):
        again = told_again(Question(text, "U1", NOW, history=(told,)))
        assert again is not None
        told = Turn("assistant", again.text, sources=tuple((c.id, f"{c.title} - {c.url}") for c in again.citations))
    assert "50 % en longue durée [1]" in told.text
    assert told.sources == ANSWER.sources[:1]


def test_a_hostile_word_is_read_at_once() -> None:
    """« ca » is also « c » and « a »: without an end of each word the pattern would try every way to cut it."""
    assert asked_of_answer(after("ca" * 2_000 + " !", ANSWER)) is None
