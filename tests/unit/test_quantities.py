"""Numbers as advisors type them -> quantities with units."""

from datetime import date

import pytest

from pipeline.understanding.offline.quantities import MOST, quantities
from pipeline.understanding.offline.spoken import spoken_value

TYPED = [
    ("jpeux emprunter 230k a 3,6 sur 22 ans", [(230_000, "€"), (3.6, ""), (22, "years")]),
    ("t2 a 132 000, loue 610 hc, tf 780", [(132_000, ""), (610, ""), (780, "")]),
    ("15a 3,10 / 20a 3,30", [(15, "years"), (3.1, ""), (20, "years"), (3.3, "")]),
    ("95 000 à 3 %", [(95_000, ""), (3, "%")]),
    ("240 000 300 000", [(240_000, ""), (300_000, "")]),
    ("1M2 et 2,3 millions et 0,23M", [(1_200_000, "€"), (2_300_000, "€"), (230_000, "€")]),
    ("180-200k", [(180_000, "€"), (200_000, "€")]),
    ("de 3,2 à 3,4 %", [(3.2, "%"), (3.4, "%")]),
    ("T2 41m2 à 12m2", [(41, "m²"), (12, "m²")]),
    ("TF1100, 680cc", [(1100, ""), (680, "")]),
    ("3.55", [(3.55, "")]),
    ("4 semaines, 240 mois, 20y", [(4, "weeks"), (240, "months"), (20, "years")]),
    ("deux cent mille euros sur vingt ans", [(200_000, "€"), (20, "years")]),
    ("trois quarante-cinq pour cent", [(3.45, "%")]),
    ("frais de dossier 900", [(900, "")]),
    ("2 milliards sur 3 ans", [(2e9, "€"), (3, "years")]),
]


@pytest.mark.parametrize(("text", "wanted"), TYPED, ids=[text for text, _ in TYPED])
def test_a_number_is_read_as_it_is_meant(text: str, wanted: list[tuple[float, str]]) -> None:
    """`200k` is 200,000 and « 25a » a duration."""
    assert [(q.value, q.unit) for q in quantities(text)] == wanted


NOT_TYPED = [
    "article 150 U",
    "formulaire 2044",
    "dossier 1234",
    "T3",
    "deal n° 9001",
    "deux clients",
    "le bien est neuf",
]


@pytest.mark.parametrize("text", NOT_TYPED, ids=NOT_TYPED)
def test_names_that_hold_a_number_are_no_quantities(text: str) -> None:
    """Articles, forms, deals and rooms are names; « deux clients » counts nothing that is computed."""
    assert quantities(text) == ()


def test_periods_stand_beside_their_amount() -> None:
    """« 690/mois » and « 8 280/an » say what they are per."""
    assert [(q.value, q.period) for q in quantities("690/mois, 8 280/an, 1 200 € par mois, 90/m")] == [
        (690, "month"), (8280, "year"), (1200, "month"), (90, "month"),
    ]  # fmt: skip


def test_a_difference_is_no_value() -> None:
    """« 20 000 de moins » lowers, « un demi-point de plus » raises."""
    assert [(q.value, q.change) for q in quantities("20 000 de moins")] == [(20_000, -1)]
    assert [(q.value, q.unit, q.change) for q in quantities("un demi-point de plus")] == [(0.5, "points", 1)]


def test_years_and_days_are_dates() -> None:
    """A year is no amount; a day keeps its date; « cette année » is said on a day."""
    found = quantities("acheté en 2011, vendu le 15/03/2026 ou cette année", today=date(2026, 11, 22))
    assert [(q.value, q.unit) for q in found] == [(2011, "year"), (2026, "date"), (2026, "year")]
    assert found[1].day == date(2026, 3, 15)


def test_an_impossible_day_is_no_date() -> None:
    """31 February is nobody's date."""
    assert all(q.unit != "date" for q in quantities("vendu le 31/02/2025"))


def test_spans_point_into_the_text() -> None:
    """What is shown back is what was typed."""
    text = "Mensualité pour 1 200 000 € à 3,60 % ?"
    assert [text[q.start : q.end] for q in quantities(text)] == ["1 200 000 €", "3,60 %"]


def test_places_are_left_out() -> None:
    """A postcode that was read as a place is no amount."""
    assert quantities("prix 83000 Toulon", apart=[(5, 10)]) == ()


def test_a_pasted_table_is_bounded() -> None:
    """Nobody types so many numbers by hand."""
    assert len(quantities(" ".join(f"{n} €" for n in range(500)))) == MOST


@pytest.mark.parametrize(
    ("words", "value"),
    [("trois virgule six", 3.6), ("zero virgule zero neuf", 0.09), ("trois et demi", 3.5), ("mille", 1000)],
)
def test_dictated_numbers_are_read(words: str, value: float) -> None:
    """As a telephone writes them down."""
    assert spoken_value(words, rate=False) == value


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("après la 84e échéance", 84),
        ("la quatre-vingt-quatrième échéance est payée", 84),
        ("à la cinquième mensualité", 5),
        ("la soixante et onzième mensualité", 71),
        ("la neuvième échéance", 9),
    ],
)
def test_the_rank_of_an_instalment_is_a_number_of_months(text: str, months: int) -> None:
    """« quatre-vingt-quatrième » was read as 80."""
    assert [(q.value, q.unit) for q in quantities(text)] == [(months, "months")]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("ravalement 46 000, lot de 84/1000e", 8.4),
        ("62 tantièmes sur 1 000", 6.2),
        ("118 tantièmes sur 2000", 5.9),
        ("quote-part 143/10000", 1.43),
    ],
)
def test_parts_of_all_are_a_share(text: str, share: float) -> None:
    found = quantities(text)[-1]
    assert (found.value, found.unit) == (pytest.approx(share), "%")


@pytest.mark.parametrize("text", ["le 12/10/2026", "lot 84/1000b", "1000/1000e", "bail 3/6/9"])
def test_what_only_looks_like_parts_is_no_share(text: str) -> None:
    assert not [quantity for quantity in quantities(text) if quantity.unit == "%"]
