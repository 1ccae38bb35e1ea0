"""Pictures of an answer's own figures: what is drawn is what the tool said, in words and as a table too."""

import asyncio
import json
import math
import struct
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from bot.pictures import look
from bot.pictures.choosing import charts_of, charts_of_result, stored
from bot.pictures.drawing import ALT_LIMIT, KINDS, alt_text, drawable, heading, picture, rows
from bot.slack.blocks.tables import figures_message, holds_table
from pipeline.series import Series
from pipeline.side_by_side import side_by_side
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import Answer, Evidence, Figure, Route, ToolCall, ToolResult
from sandbox.slack.block_check import problems
from tests.calculations import EXAMPLES, LOAN, PURCHASE, SALE

NARROW = "\u202f"


def prices(years: int, *, quartiles: bool = True, **more: Any) -> dict[str, Any]:
    points = [[2025 - years + n + 1, 3000.0 + 100 * n, 50, 2500.0 + 90 * n, 3600.0 + 120 * n] for n in range(years)]
    points = points if quartiles else [point[:3] for point in points]
    series = [{"label": "Appartements", "unit": "€/m²", "points": points}]
    return {"title": "Indicateurs DV3F (Cerema) : prix à Nantes", "place": "Nantes", "series": series, **more}


def stepped(steps: int, values: list[Any]) -> dict[str, Any]:
    column = {"label": "Intérêts", "unit": "€", "values": values}
    return {"kind": "loan", "steps": [str(n) for n in range(steps)], "columns": [column]}


def worked(arguments: dict[str, Any]) -> ToolResult:
    tool = CalculatorTool(today=lambda: date(2026, 11, 22))
    return asyncio.run(tool.run(ToolCall("calculator", arguments)))


def charts(arguments: dict[str, Any]) -> list[Any]:
    """As a record gives them back."""
    return list(stored(json.loads(json.dumps(charts_of_result(worked(arguments))))))


def axes_of(chart: dict[str, Any]) -> Any:
    _figure, axes = look.blank()
    KINDS[chart.get("kind", "prices")].draw(axes, chart)
    return axes


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


def sold(name: str, median: float, *bounds: float) -> ToolResult:
    labels = ("Prix médian des ", "Premier quartile des ", "Troisième quartile des ")
    told = zip(labels, (median, *bounds), strict=False)
    figures = tuple(Figure(f"{label}appartements en 2025", value, "€/m²") for label, value in told)
    series = (Series("Appartements", "€/m²", tuple((2021.0 + n, median, 50.0) for n in range(5))),)
    return ToolResult(ToolCall("sales", {"name": name}), f"Prix {name}", figures=figures, series=series)


def let(name: str) -> ToolResult:
    """A flat of all sizes, and a house without its bounds."""
    told = {
        "Loyer d'annonce estimé, un appartement": 13.2,
        "Borne basse du loyer estimé, un appartement": 11.0,
        "Borne haute du loyer estimé, un appartement": 15.0,
        "Loyer d'annonce estimé, une maison": 10.9,
    }
    figures = tuple(Figure(label, value, "€/m²") for label, value in told.items())
    return ToolResult(ToolCall("rents", {"name": name}), f"Loyers {name}", figures=figures)


def answered(*results: ToolResult, intent: str = "ask", refused: bool = False) -> list[dict[str, Any]]:
    """What its record holds, with the comparison that the flow adds."""
    evidence = Evidence(tool_results=(*results, *side_by_side(results)))
    route = Route(mode="tools", intent=intent, query="")  # type: ignore[arg-type]
    given = charts_of(Answer("", route, evidence=evidence, refused=refused))
    found: list[dict[str, Any]] = json.loads(json.dumps(given))
    return found


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
    "chart",
    [
        prices(2),
        {},
        {"kind": "unheard of"},
        {"kind": "loan"},
        {"kind": "prices", "series": None},
        {"kind": "prices", "series": [{"label": "x", "unit": "€/m²", "points": [[2023, None, 3]] * 5}]},
        stepped(2, [1.0]),
        stepped(1, [1.0]),
        stepped(2, [1.0, math.nan]),
        stepped(2, [0.0, 0.0]),
        stepped(2, [1.0, None]),
        {**stepped(2, [1.0, 2.0]), "kind": "gain"},
        {**stepped(2, [1.0, 2.0]), "kind": "yield"},
        {"kind": "communes", "rows": [{"label": "Lyon", "value": 3}, {"label": "Nice", "value": None}]},
        {"kind": "communes", "rows": [{"label": str(n), "value": 3} for n in range(9)]},
        {"kind": "rents", "rows": "none"},
        {
            "kind": "loan",
            "steps": ["1", "2"],
            "columns": [{"label": "Intérêts", "unit": "€", "values": [1.0, math.nan]}],
        },
    ],
)
def test_what_is_too_little_or_malformed_makes_no_picture(chart: dict[str, Any]) -> None:
    """Two years would pass for a trend; nulls, holes and strange kinds are nobody's values."""
    assert not drawable(chart)


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


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (3420.4, "€/m²", f"3{NARROW}420\u00a0€/m²"), (5.0, "%", "5,00\u00a0%"), (-0.004, "%", "0,00\u00a0%"),
        (-1234.5, "€", f"−1{NARROW}234\u00a0€"), (979.92, "€/mois", "979,92\u00a0€/mois"), (12, "", "12"),
    ],
)  # fmt: skip
def test_amounts_are_french(value: float, unit: str, said: str) -> None:
    assert look.amount(value, unit) == said


def test_an_axis_speaks_of_thousands_from_ten_on() -> None:
    assert look.tick("€", most=200_000)(50_000, 0) == "50\u00a0k€"
    assert look.tick("€", most=9_000)(2_500, 0) == f"2{NARROW}500\u00a0€"
    assert look.tick("€/m²", most=20_000)(12_500, 0) == f"12{NARROW}500\u00a0€/m²"
    assert look.tick("%")(2.5, 0) == "2,5\u00a0%"


def test_a_long_axis_names_few_steps() -> None:
    assert look.sparse(8) == list(range(8))
    assert look.sparse(25) == [0, 4, 9, 14, 19, 24]
    assert len(look.sparse(100)) <= 12
