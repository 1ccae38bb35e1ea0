"""What is said without a search: from the thread, from the route, and never nothing."""

from datetime import UTC, datetime

import pytest

from corpus.places import load_gazetteer
from pipeline.router import route
from pipeline.thread_talk import ABOUT, talk
from pipeline.types import Question, Turn

PLACES = load_gazetteer()


def reply(text: str, history: tuple[Turn, ...] = ()) -> str:
    question = Question(text=text, asked_by="U1", asked_at=datetime(2026, 11, 21, 14, tzinfo=UTC), history=history)
    return talk(question, route(question, places=PLACES))


def test_recall_lists_what_the_user_asked_in_order() -> None:
    """Numbered, the user's words only: no answer, no politeness, no quoted text, no earlier recall."""
    history = (
        Turn("user", "Bonjour"),
        Turn("assistant", "Bonjour !"),
        Turn("user", "Prix à Toulon ?\n> ancien message cité"),
        Turn("assistant", "2 583 €/m² [1]", ("83137",), (), "Prix à Toulon"),
        Turn("user", "qu'ai-je demandé ?"),
        Turn("user", "Et le Pinel ?"),
    )
    said = reply("qu'ai-je demandé ?", history)
    assert "1. Prix à Toulon ?\n2. Et le Pinel ?" in said
    assert "3." not in said
    assert "2 583" not in said
    assert "cité" not in said


def test_recall_of_an_empty_thread_is_honest() -> None:
    """Nothing asked before: that is what is said."""
    assert "encore rien demandé" in reply("qu'ai-je demandé ?")


def test_recall_says_that_only_the_last_turns_are_kept() -> None:
    """With six turns there may have been more before."""
    history = tuple(Turn("user", f"Question {n} sur le Pinel") for n in range(6))
    assert "derniers échanges" in reply("résume notre conversation", history)
    assert "derniers échanges" not in reply("résume notre conversation", history[:2])


def test_a_long_message_is_cut_at_a_word() -> None:
    """The list stays readable."""
    said = reply("mes questions ? rappelle-moi mes questions", (Turn("user", "LMNP " * 100),))
    assert "LMNP…" in said
    assert len(said) < 400


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bonjour", "Bonjour"),
        ("merci beaucoup", "Avec plaisir"),
        ("Que sais-tu faire ?", "QuartierScope"),
        ("au revoir", "bientôt"),
        ("ok", "Entendu"),
        ("Prix à Saint-Denis ?", "Seine-Saint-Denis, 93"),
        ("Prix à Lyon ?", "du 1er au 9e"),
        ("combien coûte un T3 ?", "Pour quelle commune"),
        ("", "vide"),
        ("Quel est le cours du bitcoin ?", "sort de mon domaine"),
        ("note ça sur le dossier 9001", "une note. Rien n'est écrit"),
        ("crée une tâche demain : appeler, dossier 9001", "une tâche. Rien n'est écrit"),
        ("x" * 9_000, "8 000 caractères"),
    ],
)
def test_reply_to(text: str, expected: str) -> None:
    """One plain French sentence for each kind of message that needs no search."""
    assert expected in reply(text)


def test_the_presentation_promises_no_write_without_a_click() -> None:
    """What the bot says of itself holds the product's promises."""
    assert "rien n'est écrit sans votre clic" in ABOUT
    assert "pas de conseil personnalisé" in ABOUT
