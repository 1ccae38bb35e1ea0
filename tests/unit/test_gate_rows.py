"""The gate and rows of figures: a figure is published of its own bracket, case, date and place in the list."""

import pytest

from tests.unit.test_gate_meaning import gated, reasons

USUFRUCT = "L'usufruit vaut 40 % de 61 à 70 ans. L'usufruit vaut 30 % de 71 à 80 ans."
SCALE = "Le barème des droits est de 5 % jusqu'à 8 072 €, 10 % jusqu'à 12 109 €, et 45 % au-delà."
LOANS = "Le taux du prêt est de 4,07 % à moins de 10 ans. Le taux du prêt est de 4,57 % de 10 à 20 ans."
QUOTAS = "La quotité du prêt est de 40 % en tranches 2 et 3, et de 20 % en tranche 4."
SALE = "Le prix se partage : le vendeur reçoit 120 000 € et l'usufruitier reçoit 280 000 €."
PREMIUM = "La surprime est passée de 12 % à 20 % de la prime en 2025."
RENTS = "Le loyer médian de la ville est de 15,6 €/m² en 2024. Le loyer médian de la ville est de 15,9 €/m² en 2025."
TAX = "La taxe du bâti est de 892 €/m² hors Île-de-France. La taxe du bâti est de 1 011 €/m² en Île-de-France."
YIELD = "Le rendement du logement est de 4,92 % brut. Les charges sont payées par le bailleur."
CODE = "La règle des plus-values figure au code général des impôts, article 150 U. Le taux des plus-values est de 19 %."

RENFORCE = "La réduction est de 12 % hors qualité renforcée. La réduction dépend de la durée du bail."
LEASE = "Le bail mobilité dure de 1 à 10 mois."
SHARES = "Le prélèvement unique est de 31,4 %. L'impôt sur la fortune va de 0,5 % à 1,5 %."
NOTICE = "Le préavis du bailleur est de six mois en location vide et de trois mois en location meublée."

FLOORS = "On compare un rez-de-chaussée à 150 000 € en zone bleue et un deuxième étage à 165 000 € ailleurs."
ANOTHER, TURNED = "chiffre ", "sens d'évolution contraire"


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("À 68 ans, l'usufruit vaut 30 % [1].", USUFRUCT, ANOTHER),
        ("De 61 à 80 ans, l'usufruit vaut 40 % [1].", USUFRUCT, ANOTHER),
        ("Jusqu'à 12 109 €, le barème des droits est de 5 % [1].", SCALE, ANOTHER),
        ("Entre 8 072 € et 12 109 €, le barème des droits est de 45 % [1].", SCALE, ANOTHER),
        ("À 10 000 €, le barème des droits est de 5 % [1].", SCALE, ANOTHER),
        ("À 10 ans, le taux du prêt est de 4,07 % [1].", LOANS, ANOTHER),
        ("En tranche 4, la quotité du prêt est de 40 % [1].", QUOTAS, ANOTHER),
        ("L'usufruitier reçoit 120 000 € et le vendeur reçoit 280 000 € [1].", SALE, ANOTHER),
        ("La surprime est passée de 20 % à 12 % de la prime en 2025 [1].", PREMIUM, ANOTHER),
        ("Le loyer médian de la ville a baissé entre 2024 et 2025 [1].", RENTS, TURNED),
        ("La taxe du bâti est de 892 €/m² en Île-de-France [1].", TAX, ANOTHER),
        ("En qualité renforcée, la réduction est de 12 % [1].", RENFORCE, ANOTHER),
        ("Le bail mobilité dure au plus 9 mois [1].", LEASE, ANOTHER),
        ("L'impôt sur la fortune est de 31,4 % [1].", SHARES, ANOTHER),
        ("La tranche 5 dépend de la durée du bail [1].", RENFORCE, ANOTHER),
        ("Le rendement net du logement est de 4,92 % [1].", YIELD, ANOTHER),
        ("Le deuxième étage vaut 150 000 € [1].", FLOORS, ANOTHER),
    ],
)
def test_a_figure_of_another_row_falls(claim: str, source: str, reason: str) -> None:
    """Another bracket, a bound that lies outside, a name with a number, places changed, a way turned round."""
    assert [why for why in reasons(claim, source) if why.startswith(reason)] != [], reasons(claim, source)
    assert claim.replace(" [1]", "") not in gated(claim, source).text.replace(" [1]", "")


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("À 68 ans, l'usufruit vaut 40 % [1].", USUFRUCT),
        ("Entre 8 072 € et 12 109 €, le barème des droits est de 10 % [1].", SCALE),
        ("Au-delà de 12 109 €, le barème des droits est de 45 % [1].", SCALE),
        ("À 10 ans, le taux du prêt est de 4,57 % [1].", LOANS),
        ("En tranche 3, la quotité du prêt est de 40 % [1].", QUOTAS),
        ("La surprime a gagné 8 points en 2025 [1].", PREMIUM),
        ("Le loyer médian de la ville a augmenté entre 2024 et 2025 [1].", RENTS),
        ("En Île-de-France, la taxe du bâti est de 1 011 €/m² [1].", TAX),
        ("Le préavis du bailleur est de six mois en vide, de trois en meublé [1].", NOTICE),
        ("Le taux des plus-values du CGI est de 19 % [1].", CODE),
    ],
)
def test_a_figure_of_its_own_row_stands(claim: str, source: str) -> None:
    """In another form of bracket, another order, by the initials of its code."""
    assert reasons(claim, source) == []


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Un ancien logement rénové donne un taux de 3,5 % [1].", "Le taux d'un logement ancien rénové est de 3,5 %."),
        ("Le loyer social dans le neuf ouvre un taux de 4,5 % [1].", "Le taux du loyer social est de 4,5 % en neuf."),
        ("Un écart de surface d'un vingtième ouvre une baisse [1].", "Un écart de surface de 5 % ouvre une baisse."),
    ],
)  # fmt: skip
def test_words_that_only_look_like_figures(claim: str, source: str) -> None:
    """« un ancien » is no 1, « le neuf ouvre » no 9, and a twentieth is 5 %."""
    assert reasons(claim, source) == []
