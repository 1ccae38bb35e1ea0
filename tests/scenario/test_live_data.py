"""Live sources in a conversation: what they say, and each one switched off in turn."""

import pytest

from tests.scenario.stage import Stage

SLOW = 60
"""Seconds that a slow service takes: longer than a test waits for an answer, so nobody waited for it."""


def asked(on_stage: Stage, text: str) -> str:
    return on_stage.answer(on_stage.say(f"@bot {text}"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Toulon est-elle en zone inondable ?", ["plans de prévention", "Potentiel radon", "fictives"]),
        ("Quel loyer pour un T2 à Nantes ?", ["intervalle de prédiction", "estimation", "fictives"]),
        ("Combien de passoires thermiques (DPE) à Bordeaux ?", ["en classe F ou G", "non tout le parc", "fictives"]),
        ("Villeurbanne est-elle en zone tendue ?", ["décret 2013-392", "22/12/2025"]),
        ("Quel est le taux d'usure actuel ?", ["page fictive du bac à sable"]),
        ("Y a-t-il un jeu de données public sur la vacance ?", ["Jeu de données fictif"]),
        ("Rendement d'un achat à 190 000 € tout compris, loyer 800 € par mois ?", ["5,05", "convention de place"]),
    ],
)
def test_a_live_source_is_told_with_its_name(on_stage: Stage, text: str, expected: list[str]) -> None:
    """Figures with their source; what is invented here says so."""
    answer = asked(on_stage, text)
    for words in expected:
        assert words in answer
    assert "Page hors liste" not in answer


@pytest.mark.parametrize("mode", ["down", "slow", "half_json"])
@pytest.mark.parametrize(
    ("service", "text", "missing"),
    [
        ("georisques", "Toulon est-elle en zone inondable ?", "Géorisques"),
        ("rents", "Quel loyer pour un T2 à Nantes ?", "carte des loyers"),
        ("dpe", "Combien de passoires thermiques (DPE) à Bordeaux ?", "ADEME"),
        ("mcp", "Y a-t-il un jeu de données public sur la vacance ?", "données ouvertes"),
        ("web", "Quel est le taux d'usure actuel ?", "sites officiels"),
        ("dvf", "Prix des appartements à Lille ?", "Cerema"),
    ],
)
def test_each_source_switched_off_is_named_in_time(
    on_stage: Stage, service: str, text: str, missing: str, mode: str
) -> None:
    """The answer comes within the deadline and its footer says what is missing."""
    on_stage.post("faults", opendata={"mode": mode, "count": 60, "seconds": SLOW, "service": service})
    answer = asked(on_stage, text)
    on_stage.post("faults")
    assert missing.casefold() in answer.casefold()
    assert any(words in answer for words in ("temps", "indisponible", "inexploitable", "sans réponse", "répondait"))
    if service == "dvf":
        assert "€/m²" in answer, "another source takes over"


def test_a_calculation_is_completed_in_its_thread(on_stage: Stage) -> None:
    """Asked back for the rate, told, then changed."""
    ts = on_stage.say("@bot mensualité d'un prêt de 200 000 € sur 20 ans ?")
    assert "le taux du prêt" in on_stage.answer(ts)
    on_stage.say("3 %", thread=ts)
    assert "109,20" in on_stage.answer(ts, count=2)
    on_stage.say("et sur 25 ans ?", thread=ts)
    assert "948,42" in on_stage.answer(ts, count=3)
