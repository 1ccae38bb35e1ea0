"""Pictures of an answer's own figures: what is drawn is what the tool said, in words and as a table too."""

import math
import struct
from dataclasses import replace
from typing import Any

import pytest

from bot.pictures.drawing import ALT_LIMIT, alt_text, heading, picture, rows
from bot.slack.blocks.tables import figures_message, holds_table
from sandbox.slack.block_check import problems
from tests.calculations import EXAMPLES, LOAN, PURCHASE, SALE
from tests.picturing import NARROW, answered, axes_of, charts, let, prices, sold, worked


@pytest.mark.parametrize("chart", [prices(3), prices(8, quartiles=False), *charts(LOAN)], ids=["few", "many", "loan"])
def test_a_picture_is_large_enough_for_a_phone(chart: dict[str, Any]) -> None:
    """A PNG of 1200 x 1020 pixels, on an opaque light sheet."""
    drawn = picture(chart)
    assert drawn.startswith(b"\x89PNG")
    assert struct.unpack(">II", drawn[16:24]) == (1200, 1020)


def test_what_is_drawn_of_prices_is_what_was_told() -> None:
    """Each median a point of the line, the quartiles the edges of its band; the axis begins at zero."""
    axes = axes_of(prices(4))
    (line,) = axes.get_lines()
    assert [tuple(point) for point in line.get_xydata()] == [(2022 + n, 3000.0 + 100 * n) for n in range(4)]
    edges = {tuple(point) for path in axes.collections[0].get_paths() for point in path.vertices}
    assert {(2022.0 + n, 2500.0 + 90 * n) for n in range(4)} | {
        (2022.0 + n, 3600.0 + 120 * n) for n in range(4)
    } <= edges
    assert axes.get_ylim()[0] == 0
    assert not axes_of(prices(4, quartiles=False)).collections


def test_what_is_drawn_of_a_loan_is_its_schedule_and_adds_up_to_its_results() -> None:
    """Each bar is the schedule's value, and the bars of one colour are the ledger's capital, interest and insurance."""
    arguments = {**LOAN, "insurance_rate": 0.34}
    (chart,) = charts(arguments)
    axes = axes_of(chart)
    drawn = [[bar.get_height() for bar in bars] for bars in axes.containers]
    for bars, column in zip(drawn, chart["columns"], strict=True):
        assert bars == pytest.approx(column["values"])
    ledger = {entry.figure.label: entry.figure.value for entry in worked(arguments).computed}
    told = [200_000.0, ledger["Intérêts"], ledger["Coût de l'assurance"]]
    assert [math.fsum(values) for values in drawn] == pytest.approx(told, abs=0.005)


def test_what_is_drawn_of_several_loans_is_in_the_ledger() -> None:
    """Every bar is a result of its case, the dearest below."""
    arguments = {**LOAN, "rate": [3.0, 3.4], "months": [240, 300], "insurance_rate": 0.3}
    (chart,) = charts(arguments)
    drawn = [bar.get_width() for bars in axes_of(chart).containers for bar in bars]
    ledger = {entry.figure.value for entry in worked(arguments).computed}
    assert len(drawn) == 8
    assert set(drawn) <= ledger
    assert drawn[0] == max(drawn)


def test_what_is_drawn_of_a_gain_is_in_the_ledger() -> None:
    """The first year's bars are the answer's taxes, and every whole is told in the table."""
    (chart,) = charts({**SALE, "holding_years": 10})
    drawn = [[bar.get_height() for bar in bars] for bars in axes_of(chart).containers]
    ledger = {entry.figure.label: entry.figure.value for entry in worked({**SALE, "holding_years": 10}).computed}
    assert [bars[0] for bars in drawn] == [ledger["Impôt sur la plus-value"], ledger["Prélèvements sociaux"]]
    wholes = next(column["values"] for column in chart["columns"] if column["label"] == "Impôt et prélèvements")
    assert [sum(bars) for bars in zip(*drawn, strict=True)] == pytest.approx(wholes)


@pytest.mark.parametrize("rent", [800, 180])
def test_what_is_drawn_of_yields_is_in_the_ledger(rent: float) -> None:
    """The middle bars are the answer's own yields, also below zero; a monthly amount is no bar among percents."""
    told = {**PURCHASE, "rent_monthly": rent, "purchase_price": 190_000, "rate": 3.4, "months": 240}
    (chart,) = charts(told)
    axes = axes_of(chart)
    central = [bar.get_height() for bar in axes.containers[1]]
    ledger = {entry.figure.label: entry.figure.value for entry in worked(told).computed}
    assert central == [ledger[f"Rendement {level}"] for level in ("brut", "net", "net-net")]
    drawn = [bar.get_height() for bars in axes.containers for bar in bars]
    assert axes.get_ylim()[0] <= min(drawn)
    assert axes.get_ylim()[1] > max(drawn)


def test_communes_are_drawn_beside_each_other_and_not_one_by_one() -> None:
    """Dots are the medians told, lines their quartiles, the note the difference of the ledger; the highest is above."""
    (chart,) = answered(sold("Villeurbanne", 3_577, 3_000, 4_200), sold("Lyon 7e Arrondissement", 4_800))
    axes = axes_of(chart)
    line, dots = axes.get_lines()
    assert list(dots.get_xdata()) == [3_577, 4_800]
    assert list(line.get_xdata()) == [3_000, 4_200]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Villeurbanne", "Lyon 7e"]
    assert f"1{NARROW}223\u00a0€/m², soit 34,2\u00a0%" in chart["notes"][0]
    assert axes.get_xlim()[0] == 0
    assert rows(chart)[2] == ["Lyon 7e", f"4{NARROW}800\u00a0€/m²", "–", "–"]
    assert "Villeurbanne 3" in alt_text(chart)


def test_rents_of_one_commune_are_drawn_with_their_bounds() -> None:
    (chart,) = answered(let("Le Havre"))
    assert heading(chart) == "Loyer mensuel d'annonce estimé au Havre"
    line, dots = axes_of(chart).get_lines()
    assert list(line.get_xdata()) == [11.0, 15.0]
    assert list(dots.get_xdata()) == [10.9, 13.2]
    assert rows(chart)[1] == ["Appartement", "13,2\u00a0€/m²", "11,0\u00a0€/m²", "15,0\u00a0€/m²"]


def test_an_answer_gets_two_pictures_at_most_and_none_when_it_has_no_need() -> None:
    """Each figure of a place once; nothing for a refusal, for a deeper answer, for a tool that failed."""
    both = (sold("Lyon", 4_800), sold("Nice", 5_100), let("Lyon"), let("Nice"))
    assert [chart["kind"] for chart in answered(*both)] == ["communes"]
    assert [chart["kind"] for chart in answered(sold("Lyon", 4_800), let("Lyon"), worked(LOAN))] == ["prices", "rents"]
    assert [chart["kind"] for chart in answered(sold("Lyon", 4_800), worked(LOAN))] == ["prices", "loan"]
    assert answered(sold("Lyon", 4_800), refused=True) == []
    assert answered(sold("Lyon", 4_800), intent="deepen") == []
    assert answered(replace(sold("Lyon", 4_800), error="Panne.")) == []


@pytest.mark.parametrize(
    "more",
    [{"rate": 0}, {"months": 1}, {"months": 12}, {"in_fine": True}, {"rate": [1, 2, 3, 4], "months": [60, 90, 120]}],
)
def test_a_loan_that_a_picture_would_not_explain_has_none(more: dict[str, Any]) -> None:
    """Nothing to pay for, within a year, years that are all alike, or a dozen cases."""
    assert charts({**LOAN, **more}) == []


def test_a_year_without_its_value_is_left_out_and_a_hole_in_the_quartiles_draws_no_band() -> None:
    holed = prices(5)
    holed["series"][0]["points"][1][1] = None
    holed["series"][0]["points"][2][3] = None
    axes = axes_of(holed)
    assert [point[0] for point in axes.get_lines()[0].get_xydata()] == [2021, 2023, 2024, 2025]
    assert not axes.collections


def test_the_words_say_what_the_picture_shows() -> None:
    """Place, kind, each year with its median; never longer than Slack takes."""
    told = alt_text(prices(3))
    for words in ("Nantes", "appartements", f"3{NARROW}000 en 2023", f"3{NARROW}200 en 2025"):
        assert words in told
    assert len(alt_text(prices(3, place="x" * 3_000))) <= ALT_LIMIT


@pytest.mark.parametrize("arguments", EXAMPLES, ids=lambda arguments: arguments["kind"])
def test_each_picture_of_a_calculation_is_drawn_told_and_tabled(arguments: dict[str, Any]) -> None:
    """Whatever the calculators' examples are: a table that Slack takes, a row a step, and words within its limit."""
    for chart in charts(arguments):
        axes_of(chart)
        table = rows(chart)
        assert {len(row) for row in table} == {len(table[0])}
        assert len(table) - 1 in (len(chart["steps"]), len(chart["steps"]) + 1)
        text, blocks = figures_message(heading(chart), table)
        assert heading(chart) in text
        assert blocks is not None
        assert problems(blocks, surface="message", pointer="/blocks") == []
        assert 0 < len(alt_text(chart)) <= ALT_LIMIT


def test_a_table_says_medians_quartiles_and_sales_newest_first() -> None:
    head, first, *_others = rows(prices(3))
    assert head == ["Année", "Appartements : médiane", "Quartiles", "Ventes"]
    assert first == ["2025", f"3{NARROW}200\u00a0€/m²", f"2{NARROW}680 à 3{NARROW}840", "50"]
    assert rows(prices(3, quartiles=False))[1][2] == "–"


def test_a_table_that_slack_would_refuse_is_told_as_text() -> None:
    text, blocks = figures_message("Prêt <x>", [["a", "b"], *([str(n), "1"] for n in range(200))])
    assert blocks is None
    assert "&lt;x&gt;" in text
    assert "199 · 1" in text


def test_an_answer_with_a_table_needs_no_second_one() -> None:
    assert holds_table("Avant\n\n| a | b |\n|---|---|\n| c | d |\n")
    assert not holds_table("Sans tableau | avec une barre.")
