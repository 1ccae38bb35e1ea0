"""What a message orders, and what it only reports."""

import pytest

from pipeline.understanding.offline.orders import cancels, orders_nothing, outside_quotes
from tests.asking import ask


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


@pytest.mark.parametrize("text", ["non finalement annule", "laisse tomber", "oublie la tâche"])
def test_a_request_can_be_taken_back(text: str) -> None:
    """In the words that people use."""
    assert cancels(text)
    assert not orders_nothing("passe le dossier en gagné")
