"""Places, years and amounts that nothing can be said of: a plain sentence in the thread, and no figure."""

import re

import pytest

from tests.scenario.stage import Stage

FIGURE = re.compile(r"€/m²|\d €|\d %|\d ventes")


def asked(on_stage: Stage, text: str) -> str:
    return re.sub(r"[\u00a0\u202f]", " ", on_stage.answer(on_stage.say(f"@bot {text}")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Prix à Trifouillis-les-Oies ?", "Je ne connais pas de commune française nommée « Trifouillis-les-Oies »"),
        ("Prix des appartements à Barcelone ?", "l'étranger n'est pas couvert"),
        ("Loyers à Londres ?", "l'étranger n'est pas couvert"),
        ("Prix au m² à 1004 ?", "est-ce 01004, Ambérieu-en-Bugey"),
        ("Prix à 99999 ?", "Aucune commune ne porte le code 99999"),
        ("Prix à Mamoudzou ?", "Mamoudzou est hors champ de DVF"),
        ("Prix à Nouméa ?", "Nouméa est hors champ de DVF"),
        ("Prix à Toulon en 2027 ?", "cette année n'est pas commencée"),
        ("Prix à Toulon en 1985 ?", "ne remontent pas à 1985"),
        ("Prix à Toulon en 2019 ?", "pas de prix des logements à Toulon pour 2019"),
        ("Mensualité d'un prêt de 200 000 € sur 20 ans à -1 % ?", "Valeur négative pour le taux du prêt"),
        ("Mensualité d'un prêt de 200 000 € sur 0 an à 3 % ?", "hors des bornes vraisemblables pour la durée du prêt"),
        ("Mensualité d'un prêt de -200 000 € sur 20 ans à 3 % ?", "Valeur négative pour le montant emprunté"),
        ("Plus-value achat 100 000 €, vente 200 000 €, détenu -5 ans ?", "Valeur négative pour la durée de détention"),
        ("Rendement d'un achat à 190 000 € tout compris, loyer -800 € par mois ?", "Valeur négative pour le loyer"),
    ],
)
def test_what_cannot_be_told_is_a_sentence_without_a_figure(on_stage: Stage, text: str, said: str) -> None:
    """Neither another commune's price, nor another year's, nor a calculation on nonsense."""
    answer = asked(on_stage, text)
    assert said in answer
    assert not FIGURE.search(answer)
    assert "QS-" not in answer


def test_outside_dvf_other_sources_are_told_under_their_own_name(on_stage: Stage) -> None:
    """Strasbourg has no price, and the answer says why; rents and labels come from the sources that have them."""
    answer = asked(on_stage, "Prix à Strasbourg ?")
    assert "Strasbourg est hors champ de DVF" in answer
    assert "prix médian" not in answer
    assert "Carte des loyers" in answer
    assert "ADEME" in answer


def test_a_merged_commune_is_told_under_the_name_of_today(on_stage: Stage) -> None:
    """Pierre-Bénite leads to the commune that it has become."""
    assert "Oullins-Pierre-Bénite" in asked(on_stage, "Prix des maisons à Pierre-Bénite ?")
