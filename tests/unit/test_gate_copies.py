"""The gate and sentences copied from their source but for a word or a figure."""

import pytest

from tests.gating import gated

WORKS = (
    "Le syndic convoque les copropriétaires 21 jours avant l'assemblée, et le procès-verbal leur est notifié sous un "
    "mois. Le fonds de travaux reçoit au moins 5 % du budget prévisionnel chaque année."
)
STEPS = "La remise est de 5 % pour 3 places de parking, de 8 % pour 6 places et de 11 % pour 9 places."
GRANT = (
    "La dotation de la collectivité, versée chaque trimestre pour l'entretien des voies et des réseaux, atteint 12 % "
    "du budget annuel."
)
LEASE = "L'emphytéose est un droit réel immobilier, transmissible, cessible avec une redevance modique."
CONSENT = "L'accord du syndic n'est pas exigé pour des travaux qui ne touchent pas aux parties communes."
VISITS = "La première visite du lot est gratuite, et la suivante coûte 40 € au candidat."
NOTICE = "Le garage loué avec le logement suit le préavis du logement. Le terrain nu ne relève pas de cette règle."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        pytest.param(
            "La remise est de 5 % pour 3 places de parking, de 8 % pour 9 places et de 11 % pour 9 places.",
            STEPS,
            id="a figure in the place of another",
        ),
        pytest.param(
            "Le syndic convoque les copropriétaires 21 jours après l'assemblée, et le procès-verbal leur est notifié.",
            WORKS,
            id="a small word in the place of its opposite",
        ),
        pytest.param(
            "L'accord du syndic est exigé pour des travaux qui ne touchent pas aux parties communes.",
            CONSENT,
            id="without its « ne … pas »",
        ),
        pytest.param(
            "La deuxième visite du lot est gratuite, et la suivante coûte 40 € au candidat.",
            VISITS,
            id="a rank in the place of another",
        ),
        pytest.param(
            "Le garage loué sans le logement suit le préavis du logement.", NOTICE, id="with where it says without"
        ),
        pytest.param(
            "Le fonds de travaux reçoit au moins 5 % du patrimoine prévisionnel chaque année.",
            WORKS,
            id="a thing in the place of another",
        ),
    ],
)
def test_a_copy_that_says_another_thing_gives_way(claim: str, source: str) -> None:
    """All else of it stands in the source, in this order."""
    grounded = gated(claim, source)
    assert grounded.kept == ()
    assert grounded.replaced


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        pytest.param("Le syndic convoque les copropriétaires 21 jours avant l'assemblée.", WORKS, id="a part of it"),
        pytest.param(
            "Le fonds de travaux doit recevoir au moins 5 % du budget prévisionnel chaque année.",
            WORKS,
            id="another form of a word",
        ),
        pytest.param(
            "Il convoque les copropriétaires 21 jours avant l'assemblée.",
            WORKS,
            id="from its middle",
        ),
        pytest.param(
            "Le garage qui est loué avec le logement suit le préavis de ce logement.", NOTICE, id="a word for another"
        ),
        pytest.param("La dotation de la collectivité approche 12 % du budget annuel.", GRANT, id="a word for many"),
        pytest.param("Le droit est cessible, avec une redevance modique.", LEASE, id="scattered words"),
    ],
)
def test_a_copy_that_says_the_same_stands(claim: str, source: str) -> None:
    """What is left out or said in another form changes nothing."""
    assert gated(claim, source).kept == (claim,)
