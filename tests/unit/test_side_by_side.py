"""Live figures of several towns set side by side."""

import pytest

from pipeline.side_by_side import side_by_side
from pipeline.types import Figure, ToolCall, ToolResult


def told(name: str, *figures: Figure, tool: str = "sales", error: str | None = None) -> ToolResult:
    return ToolResult(ToolCall(tool, {"name": name}), name, figures=figures, error=error)


def median(value: float, year: int = 2025, what: str = "appartements") -> Figure:
    return Figure(f"Prix médian des {what} en {year}", value, "€/m²")


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\xa0", " ")


def test_the_difference_is_worked_out_with_its_formula() -> None:
    """In the unit, and in percent of the lowest; the latest year only."""
    (found,) = side_by_side(
        [
            told("Brest", median(2_000), median(1_900, 2024)),
            told("Lyon 3e Arrondissement", median(5_000), median(4_000, 2024)),
        ]
    )
    assert plain(found.text).startswith(
        "Écart de prix médian des appartements en 2025 : 3 000 €/m² entre 2 000 €/m² à Brest et 5 000 €/m² à Lyon 3e, "
        "soit 150 % de plus à Lyon 3e."
    )
    assert [(entry.figure.value, plain(entry.formula)) for entry in found.computed] == [
        (3_000, "5 000 €/m² − 2 000 €/m² = 3 000 €/m²"),
        (150, "3 000 €/m² / 2 000 €/m² = 150 %"),
    ]


@pytest.mark.parametrize(
    "results",
    [
        [told("Brest", median(2_000))],
        [told("Brest", median(2_000)), told("Vannes", error="rien")],
        [told("Brest", median(2_000)), told("Vannes", median(3_000, 2024))],
        [told("Brest", median(2_000)), told("Vannes", median(3_000, what="maisons"))],
        [told("Brest", median(2_000)), told("Vannes", median(2_000))],
        [
            told("Brest", Figure("Nombre de ventes", 9, "ventes")),
            told("Vannes", Figure("Nombre de ventes", 4, "ventes")),
        ],
        [told("Brest", median(2_000)), told("Brest", median(2_100))],
    ],
    ids=["one town", "one failed", "other year", "other kind", "equal", "counts", "same town"],
)
def test_what_does_not_compare_is_not_compared(results: list[ToolResult]) -> None:
    assert side_by_side(results) == ()


def test_three_towns_give_the_ends() -> None:
    (found,) = side_by_side([told("Brest", median(2_000)), told("Vannes", median(3_000)), told("Caen", median(2_500))])
    assert "entre 2 000 €/m² à Brest et 3 000 €/m² à Vannes" in plain(found.text)


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("Caen est-elle plus chère que Tours ?", "Non : écart"),
        ("c'est moins cher à Caen qu'à Tours", "Oui : écart"),
        ("les loyers sont plus hauts à Caen que dans Tours ?", "Non : écart"),
        ("laquelle est plus chère ?", "Écart"),
        ("combien Caen est plus chère que Tours", "Écart"),
        ("Caen et Tours", "Écart"),
    ],
)
def test_which_is_dearer_is_answered_by_oui_or_non(asked: str, word: str) -> None:
    """The town said first is held against the other, by their figures."""
    (found,) = side_by_side([told("Caen", median(2_000)), told("Tours", median(3_000))], asked)
    assert found.text.startswith(f"{word} de prix médian")


def test_of_three_towns_no_word_is_said() -> None:
    """« plus chère que » holds two against each other."""
    three = [told("Caen", median(2_000)), told("Tours", median(3_000)), told("Vannes", median(2_500))]
    assert side_by_side(three, "Caen est plus chère que Tours et Vannes ?")[0].text.startswith("Écart")
