"""The gate and what ties a figure to its row: its head, bound and period, whether it is each one's or all of it."""

import pytest

from tests.gating import gated

LOAN = "Un prêt de 300 000 € court sur 15 ans. Après 5 ans, la dette admise baisse de 100 000 €."
LOANS = f"{LOAN} La déduction admise est de 200 000 €."
SPLIT = (
    "Pour un parent de 72 ans, l'usufruit vaut 90 000 €. La nue-propriété passe à 210 000 € pour un parent de 72 ans."
)
ROOM = "Un logement décent offre une pièce principale de 9 m² avec 2,20 m sous plafond."
YEARLY = "Un titulaire suit 42 heures de formation en trois ans. La réduction annuelle est de 6 000 €."
AID = "L'aide couvre 60 % des travaux, dans la limite de 30 000 €."
CUT = "La réduction est de 12 % sur six ans, soit 6 000 € par an."
LEVY = "Le dépassement expose à une amende de 5 000 €."
TOWNS = "Loyer d'annonce à Limoges : 9,4 €/m² pour un appartement. À Brive : 8,9 €/m² pour un appartement."
DAYS = "La révision prévue le 01/03/2026 et demandée le 01/09/2026 ne joue qu'à partir du 01/09/2026."
ASKED = "La révision prévue le 01/03/2026 est perdue. La révision demandée joue à partir du 01/09/2026."
PREMIUM = "La surprime de la prime est passée à 20 % le 01/01/2025."
PASSED = "La surprime est passée de 12 % à 20 % de la prime en 2025."
SHARE = "Exemple de plan : un lot de 50 tantièmes verse 100 € par an au plan."
LIVED = "Le logement est occupé 8 mois par an au moins. La location est interdite pendant 6 ans."
FINE = "L'amende est de 900 € par logement loué."
UNDER = "Le déficit s'impute sous le plafond de 10 700 €, si le logement reste loué 3 ans."
USURY = "Le TAEG se compare au taux d'usure. Le taux d'usure des prêts relais est de 6,15 %."
RENT = "La pénalité est de 10 % du loyer mensuel."
ANSWER = "L'emprunteur peut changer d'assurance, et la banque répond sous 10 jours ouvrés."
DEPOSIT = "Le locataire verse au bailleur un dépôt de 800 €."
MONTHLY = "Le locataire verse 60 € de provision par mois, soit 720 € par an."
CLIENTS = "Un client à 11 % économise 550 € d'impôt pour le même versement."
LADDER = "La tranche à 11 % va de 11 498 à 29 315 €, et la tranche à 30 % va de 29 316 à 83 823 €."
YEARS = "La taxe est de 17 % la première année et de 34 % la deuxième année."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        pytest.param(
            "Après 5 ans, la dette admise en déduction est de 100 000 €.", LOANS, id="a word of another figure"
        ),
        pytest.param("Pour un parent de 72 ans, c'est 90 000 €.", SPLIT, id="nothing of what the figure is"),
        pytest.param("La pièce principale ne doit pas dépasser 9 m².", ROOM, id="a bound that is not said"),
        pytest.param("La pièce principale fait au minimum 9 m².", ROOM, id="another bound"),
        pytest.param("Un titulaire suit 42 heures de formation par an.", YEARLY, id="each year"),
        pytest.param("La réduction est de 12 % par an.", CUT, id="another period"),
        pytest.param("La réduction est de 6 000 € en tout.", YEARLY, id="all of it"),
        pytest.param("L'aide couvre 60 % des travaux, dans la limite de 30 000 € par personne.", AID, id="for each"),
        pytest.param("Le locataire est exposé à une amende de 5 000 €.", LEVY, id="a person who is not spoken of"),
        pytest.param(
            "La révision prévue, demandée le 01/09/2026, ne joue qu'à partir du 01/03/2026.",
            DAYS,
            id="from another day",
        ),
        pytest.param("La surprime est de 20 % jusqu'au 01/01/2025.", PREMIUM, id="until a day that ends nothing"),
        pytest.param("Le TAEG des prêts relais est de 6,15 %.", USURY, id="another thing of the source"),
        pytest.param("La pénalité est de 10 % du loyer annuel.", RENT, id="of another rent"),
        pytest.param("La taxe est de 34 % la première année.", YEARS, id="another year of a list"),
        pytest.param("L'emprunteur répond sous 10 jours ouvrés.", ANSWER, id="another who does it"),
        pytest.param("Le dépôt de 800 € est versé au locataire.", DEPOSIT, id="done to him who does it"),
        pytest.param("Le locataire verse 60 € de provision par an.", MONTHLY, id="by the year"),
        pytest.param("Un client à 11 % a un écart d'impôt de 550 €.", CLIENTS, id="a figure called a gap"),
        pytest.param("La tranche à 11 % commence à 29 315 €.", LADDER, id="an end called a beginning"),
        pytest.param("La surprime de la prime est de 12 % en 2025.", PASSED, id="what it was, given for what is"),
        pytest.param("Le logement reste loué 3 ans au plus.", UNDER, id="a bound of another figure"),
        pytest.param("Le plan fait payer au lot 100 € de plus par an.", SHARE, id="a sum called a surplus"),
        pytest.param("Le logement est occupé 8 mois sur 6 ans.", LIVED, id="over other years"),
        pytest.param("L'amende est de 900 € par nuitée louée.", FINE, id="by another unit"),
    ],
)
def test_a_figure_of_something_else_gives_way(claim: str, source: str) -> None:
    """The figure stands in the source, and most of the words; the source speaks instead."""
    grounded = gated(claim, source)
    assert grounded.kept == ()
    assert [why.split(" ")[0] for _, _, why in grounded.replaced] == ["chiffre"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Après 5 ans, la dette admise baisse de 100 000 €.", LOANS),
        ("Pour un parent de 72 ans, la nue-propriété passe à 210 000 €.", SPLIT),
        ("La réduction est de 6 000 € par an.", YEARLY),
        ("L'aide couvre 60 % des travaux, 30 000 € au plus.", AID),
        ("Le dépassement coûte une amende de 5 000 €.", LEVY),
        ("La révision demandée joue dès le 01/09/2026.", ASKED),
        ("La taxe est de 34 % la deuxième année.", YEARS),
        ("La banque répond sous 10 jours ouvrés.", ANSWER),
        ("Le locataire verse un dépôt de 800 €.", DEPOSIT),
        ("Brive est à 8,9 €/m².", TOWNS),
    ],
)
def test_a_figure_of_the_same_thing_stands(claim: str, source: str) -> None:
    """The words that tie it are said, in this form or another."""
    assert gated(claim, source).kept == (claim,)


LEVELS = "La réduction est de 15 % au niveau Loc1, de 35 % au niveau Loc2 et de 65 % au niveau Loc3."
LAND = "Le loyer demandé de 1 050 € pour ce logement de 40 m² dépasse le plafond de 960 €."
SCALE = "Le barème est de 5 % jusqu'à 8 000 € et de 10 % de 8 000 € à 12 000 €."
SPANS = "Le différé est de 10 ans en tranche 1, de 8 ans en tranche 2 et de 2 ans en tranche 3."
GAINS = "Attendre une année économise 627 € d'impôt et 156 € de prélèvements sociaux."
MONTHS = "Pour un loyer de 800 €, l'écart de 2 mois pour le bailleur représente 2 × 800 = 1 600 €."
WORKS = "L'aide couvre 60 % des travaux, dans la limite de 30 000 €."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        pytest.param("Le plafond revient à 26,25 €/m².", LAND, id="another amount by the area"),
        pytest.param("La part à 10 % coûte 1 200 €.", SCALE, id="a bound taken for an amount"),
        pytest.param("La tranche 2 a deux ans de différé de plus que la tranche 1.", SPANS, id="the wrong way"),
        pytest.param("En tout, une année économise 471 €.", GAINS, id="a difference called a total"),
        pytest.param("L'aide est donc de 18 000 € pour 40 000 € de travaux.", WORKS, id="of another amount than said"),
        pytest.param("Entre les niveaux Loc1 et Loc2, l'écart est de 20 %.", LEVELS, id="points called percent"),
        pytest.param("L'écart de loyer pour le bailleur est de 800 €.", MONTHS, id="a gap that the source states"),
    ],
)
def test_a_reckoning_with_other_figures_is_refused(claim: str, source: str) -> None:
    """Arithmetic that comes out, with figures of which the sentence does not speak."""
    assert gated(claim, source).kept == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Le loyer demandé revient à 26,25 €/m².", LAND),
        ("La tranche 1 a deux ans de différé de plus que la tranche 2.", SPANS),
        ("En tout, une année économise 783 €.", GAINS),
        ("L'aide est donc de 18 000 € pour 30 000 € de travaux.", WORKS),
        ("Entre les niveaux Loc1 et Loc2, l'écart est de 20 points.", LEVELS),
    ],
)
def test_a_reckoning_with_its_own_figures_stands(claim: str, source: str) -> None:
    """The same operations, with the figures that the sentence names."""
    assert gated(claim, source).kept == (claim,)
