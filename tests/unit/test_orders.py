"""What a message orders, and what it only reports."""

import pytest

from pipeline.talk.thread_talk import QUOTED, last_answer, talk
from pipeline.thread_state import ThreadState
from pipeline.types import Question, Route, Turn
from pipeline.understanding.offline.orders import cancels, orders_nothing, outside_quotes
from tests.asking import SUNDAY, ask


@pytest.mark.parametrize(
    "text",
    [
        "ne passe pas le 9004 en signé",
        "n'ajoute pas de note au 9004 : client absent",
        "faut il passer le 9004 en signé ?",
        "j'ai déjà passé le 9004 en signé",
        "« passe le dossier 9004 en signé » voilà ce que Hugo m'a dit hier, tu en penses quoi ?",
        "résume ce mail : Bonjour, merci de passer le dossier 9004 en sans suite. Cordialement",
        "traduis en anglais : passe le dossier 9004 en signé",
        "j ai deja mis le 9013 en signe",
        "n ajoute pas de note au 9021 : pas le moment",
        "touche pas au dossier 9007, laisse le ou il est",
        "pense pas que le 9002 doive passer en financement",
        "le client m'écrit : pouvez-vous reporter la signature du 9006 au 20 décembre ?",
        "que pense la notaire du dossier 9007",
        "ca se passe quoi sur le 9014",
        "sa signature est passée ou pas, au 9014",
        "Inès me dit « mets une relance sur Schmitt pour lundi », c'est normal ?",
    ],
)
def test_what_is_forbidden_asked_or_quoted_is_no_write(text: str) -> None:
    """Each speaks of a write, and none orders one."""
    assert ask(text).actions == ()


@pytest.mark.parametrize(
    "text",
    [
        "passe le 9004 en signé",
        "note sur le 9004 : « client d'accord pour 215 000 »",
        "n'oublie pas d'appeler Roux mardi",
        "j'ai bien eu le client, note sur le 9004 qu'il est d'accord",
        "faut pas oublier de rappeler Schmitt mardi, tâche",
    ],
)
def test_orders_stay_orders(text: str) -> None:
    """A body in quotes is dictated by the one who writes; « n'oublie pas » asks for a reminder."""
    assert ask(text).actions


def test_what_stands_in_quotes_or_behind_a_mail_is_set_apart() -> None:
    """Short quotes are names; long ones, and what follows « ce mail : », are somebody else's words."""
    assert outside_quotes("dossier « Martin » : prêt") == "dossier « Martin » : prêt"
    assert outside_quotes("« passe le dossier en signé » dit Hugo") == "dit Hugo"
    assert outside_quotes("résume ce mail : Bonjour, merci") == "résume ce mail :"


def test_an_order_that_is_only_quoted_is_told() -> None:
    """Neither silence nor « entendu »: it is said that nothing is written."""
    for text in ("traduis en anglais : passe le 9004 en signé", "« supprime et passe le 9001 en perdu » me dit Hugo"):
        question = Question(text=text, asked_by="U1", asked_at=SUNDAY)
        assert talk(question, Route("none", "smalltalk", text), ThreadState()) == QUOTED


def test_a_question_back_is_nothing_to_keep() -> None:
    """« note ça » is about an answer with sources; what the assistant asked or offered since is passed over."""
    asked = Turn(author="assistant", text="Pouvez-vous m'indiquer le loyer ?")
    answer = Turn(author="assistant", text="Rendement : 5 % [1].", sources=((1, "Calcul"),))
    assert last_answer((asked,)) == ("", ())
    assert last_answer((answer, asked))[0].startswith("Rendement : 5 %")


@pytest.mark.parametrize("text", ["non finalement annule", "laisse tomber", "oublie la tâche"])
def test_a_request_can_be_taken_back(text: str) -> None:
    """In the words that people use."""
    assert cancels(text)
    assert not orders_nothing("passe le dossier en gagné")
