"""Which messages ask to be told of something, in whose own words."""

import pytest

from bot.watches.asking import watch_asked


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("alerte-moi si le taux d'usure change", "le taux d'usure change"),
        ("Alerte moi quand l'IRL du trimestre est publié !", "l'IRL du trimestre est publié"),
        ("bonjour, préviens-nous dès que MaPrimeRénov' rouvre", "MaPrimeRénov' rouvre"),
        ("peux-tu m'alerter si le Denormandie est prolongé ?", "le Denormandie est prolongé"),
        ("avertis-moi lorsqu'un décret change l'encadrement des loyers", "un décret change l'encadrement des loyers"),
        ("signale-moi quand le PTZ évolue", "le PTZ évolue"),
    ],
)
def test_an_order_to_watch(text: str, question: str) -> None:
    assert watch_asked(text) == question


@pytest.mark.parametrize(
    "text",
    [
        "préviens-moi si le dossier 9001 change d'étape",
        "alerte-moi quand la tâche de rappel est due",
        "alerte-moi s'il pleut demain à la plage",
        "mon client veut être alerté si le taux d'usure change",
        "> alerte-moi si le taux d'usure change",
        "« alerte-moi si le taux d'usure change »",
        "quel est le taux d'usure ?",
        "rappelle-moi demain d'appeler la banque",
        "alerte-moi",
    ],
)
def test_every_other_message_is_left_to_its_answer(text: str) -> None:
    """About records of the CRM, of another field, somebody else's words, no order at all."""
    assert watch_asked(text) is None
