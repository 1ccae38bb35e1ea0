"""The gate and which of its source's figures a sentence may state: subject, condition, date, person, event."""

import pytest

from tests.gating import gated

BUILDING = "Le coût total des travaux de cet immeuble de 400 000 € atteint 90 000 € sur 10 ans."
STALLS = "40 places à 70 € donnent 2 800 € de redevances."
LAWS = "La servitude est définie par la loi n° 85-30 du 09/01/1985 et par le décret du 14/10/1977."
REFORM = "Le régime est issu de la loi du 06/07/2020. Une circulaire de 2022 en précise les deux étapes."
AGES = "Il va aux moins de 26 ans sans apport et aux salariés de plus de 26 ans qui gagnent au plus 1 500 € par mois."
FULL = "La redevance de 100 m² est de 600 €, ou de 300 € avec le rabais de la commune."
UNPAID = "La caution n'est pas due si le bail dure moins de 12 mois."
EVENT = "L'assureur verse l'indemnité trente jours après la remise du devis signé."
PHASE = "La période d'exploitation après la livraison est de 18 ans."
REPAID = "L'emprunteur qui renonce avant la date prévue reste libre, et l'acompte lui est versé sous 40 jours."
BILLS = "L'abonné a versé 360 € d'acomptes, soit 30 € par mois. La consommation réelle est de 410 €."
DELAY = "Le report d'un an évite 410 € de taxe et 95 € de frais de garde. La valeur du lot est de 38 000 €."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        pytest.param(
            "Le coût total des travaux est de 400 000 € sur 10 ans.", BUILDING, id="a noun tied to the figure"
        ),
        pytest.param("Les redevances sont de 70 € pour 40 places.", STALLS, id="a noun tied to another figure"),
        pytest.param(
            "La servitude est définie par le décret de 1985 et la loi de 1977.", LAWS, id="the date of another text"
        ),
        pytest.param("Les moins de 26 ans doivent gagner au plus 1 500 € par mois.", AGES, id="another half's bound"),
        pytest.param(
            "Avec le rabais de la commune, la redevance de 100 m² est de 600 €.", FULL, id="what it opens with"
        ),
        pytest.param("La caution n'est due que si le bail dure moins de 12 mois.", UNPAID, id="only if for not if"),
        pytest.param("L'assureur verse l'indemnité trente jours après le sinistre.", EVENT, id="another event"),
        pytest.param("La livraison est de 18 ans.", PHASE, id="what only dates the figure"),
        pytest.param("L'emprunteur verse l'acompte sous 40 jours.", REPAID, id="who is paid, not who pays"),
    ],
)
def test_a_figure_bound_to_another_thing_gives_way(claim: str, source: str) -> None:
    """The figure and nearly all the words stand in the source."""
    grounded = gated(claim, source)
    assert grounded.kept == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Le coût total des travaux de cet immeuble de 400 000 € est de 90 000 € sur 10 ans.", BUILDING),
        ("40 places à 70 € rapportent 2 800 € de redevances.", STALLS),
        ("La servitude est définie par la loi de 1985 et le décret de 1977.", LAWS),
        ("Avec le rabais de la commune, la redevance de 100 m² est de 300 €.", FULL),
        ("L'assureur verse l'indemnité trente jours après la remise de son devis.", EVENT),
    ],
)
def test_a_figure_bound_to_its_own_thing_stands(claim: str, source: str) -> None:
    """The same figures, of what the source says them of."""
    assert gated(claim, source).kept == (claim,)


def test_a_date_of_another_thing_is_no_sum_and_not_the_askers() -> None:
    """« Les deux » says that something was added up, and the question names the year: of a date neither counts."""
    claim = "La circulaire de 2020 précise les deux étapes."
    assert gated(claim, REFORM, question="Que dit la loi de 2020 ?").kept == ()


def test_a_loi_is_no_loyer() -> None:
    """Two words of one stem."""
    assert gated("La loi est de 700 €.", "Le loyer est de 700 €. La loi fixe un délai.").kept == ()


def test_a_reckoning_that_fits_another_figure_better_is_refused() -> None:
    """Of 360 € and 30 €, more is said of the first."""
    assert gated("L'abonné a versé 380 € de moins que la consommation réelle.", BILLS).kept == ()
    right = "En tout, le report d'un an évite 505 €."
    assert gated(right, DELAY).kept == (right,)
