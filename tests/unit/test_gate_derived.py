"""Derived figures: worked out again where a word says how, refused where only arithmetic would fit."""

import pytest

from pipeline.grounding import formulas, ground
from pipeline.types import Claim, Draft, Evidence, Grounded, ToolCall, ToolResult, Usage

TOULON = "Le prix médian des appartements à Toulon est de 3 333 €/m² en 2024."
HYERES = "Le prix médian des appartements à Hyères est de 3 098 €/m² en 2024."
RULES = (
    "Le taux de la réduction est de 12 % pour 6 ans et de 18 % pour 9 ans. Le loyer est de 720 € par mois. "
    "Le lot mesure 42 m² et coûte 189 000 €. Le loyer était de 15,6 €/m² en 2024 et de 15,9 €/m² en 2025."
)


def gated(text: str, *, question: str = "", claims: tuple[Claim, ...] = ()) -> Grounded:
    results = tuple(ToolResult(ToolCall("sales", {}), "", said) for said in (TOULON, HYERES, RULES))
    draft = Draft(text, Usage("x"), claims=claims)
    return ground(draft, Evidence(tool_results=results), question=question)


@pytest.mark.parametrize(
    ("claim", "formula"),
    [
        (
            "L'écart de prix médian entre Toulon et Hyères est de 235 €/m² [1][2].",
            "3\u202f333\u00a0€/m² − 3\u202f098\u00a0€/m²",
        ),
        ("À Hyères, le prix médian est de 235 €/m² moins élevé qu'à Toulon [1][2].", "−"),
        ("Sur un an, le loyer représente 8 640 € [3].", "720\u00a0€ × 12"),
        ("Sur un prix de 200 000 €, la réduction atteint 36 000 € pour 9 ans [3].", "200\u202f000\u00a0€ × 18\u00a0%"),
        ("Le lot coûte donc 4 500 €/m² [3].", "189\u202f000\u00a0€ / 42\u00a0m²"),
        (
            "Le loyer a augmenté d'environ 2 % entre 2024 et 2025 [3].",
            "(15,9\u00a0€/m² − 15,6\u00a0€/m²) / 15,6\u00a0€/m²",
        ),
        ("Il reste 82 % à payer pour 9 ans [3].", "100\u00a0% − 18\u00a0%"),
        ("Sur trois ans, le loyer représente au total 25 920 € [3].", "720\u00a0€ × 12 × 3"),
        ("Le mètre carré coûte 235 € de plus à Toulon qu'à Hyères [1][2].", "−"),
    ],
)
def test_a_derived_figure_is_worked_out_again(claim: str, formula: str) -> None:
    """Published as written, with its formula."""
    grounded = gated(claim)
    assert grounded.text == claim, (grounded.dropped, grounded.replaced)
    assert formula in grounded.computed[0].formula
    assert formulas(grounded.computed)[0].startswith("Calculé d'après les sources : ")


@pytest.mark.parametrize(
    "claim",
    [
        "L'écart de prix médian entre Toulon et Hyères est de 245 €/m² [1][2].",
        "Le prix médian à Toulon est de 235 €/m² [1][2].",
        "À Toulon, le prix médian est de 235 €/m² moins élevé qu'à Hyères [1][2].",
        "Sur un prix de 200 000 €, la réduction atteint 24 000 € pour 9 ans [3].",
        "Le loyer a diminué d'environ 2 % entre 2024 et 2025 [3].",
        "Le plafond de 200 000 € donne une réduction de 36 000 € pour 9 ans [3].",
        "Sur un an, le loyer représente 8 600 € [3].",
        "La réduction gagne 7 points entre 6 et 9 ans [3].",
        "Le loyer a augmenté de 2 % exactement entre 2024 et 2025 [3].",
    ],
)
def test_arithmetic_that_only_fits_is_refused(claim: str) -> None:
    """A wrong result, no word of the operation, the wrong way, another tranche, a rule's figure as an example."""
    assert claim not in gated(claim).text


def test_operands_that_the_writer_declared_come_first() -> None:
    """The declared operation is done, and nothing else is tried."""
    said = "L'écart de prix médian entre Toulon et Hyères est de 235 €/m² [1][2]."
    right = Claim(said, operation="difference", operands=("3 333 €/m²", "3 098 €/m²"))
    wrong = Claim(said, operation="sum", operands=("3 333 €/m²", "3 098 €/m²"))
    assert gated(said, claims=(right,)).text == said
    assert gated(said, claims=(wrong,)).text != said


def test_the_askers_own_figures_may_be_restated() -> None:
    """As his, never as the figure of a rule."""
    asked = "Avec 650 € de loyer par mois ?"
    his = "Votre loyer est de 650 € par mois [3]."
    assert gated(his, question=asked).text == his
    assert "650" not in gated("Le loyer est plafonné à 650 € [3].", question=asked).text


@pytest.mark.parametrize(
    "claim",
    [
        "Le prix médian des appartements à Toulon est de 3\u20093\u200b33 €/m² en 2024 [1].",
        "Le prix médian des appartements à Toulon est de ３ ３３３ €/m² en 2024 [1].",
        "Le prix médian des appartements à Toulon est de 3\n333 €/m² en 2024 [1].",
        "Le prix médian des appartements à T\u043eulon est de 3 333 €/m² en 2024 [1].",
        "Le prix médian des appartements à Toulon est de trois mille trois cent trente-trois euros par m² en 2024 [1].",
    ],
)
def test_a_figure_is_read_however_it_is_written(claim: str) -> None:
    """Odd and invisible spaces, wide digits, a broken line, letters of another script, words."""
    grounded = gated(claim)
    assert grounded.kept, (grounded.dropped, grounded.replaced)
    assert "\u200b" not in grounded.text


def test_ways_of_speaking_are_no_figures() -> None:
    """« sur un an » asks for no figure 1."""
    said = "Sur un an, le loyer est de 720 € par mois [3]."
    assert gated(said).text == said
