"""Garages and building land from geo-dvf files: the rules' guards, what they say, and what a file may lack."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.grounding import ground
from pipeline.text.sentences import passage_sentences
from pipeline.tools.dvf.local import LocalSales
from pipeline.tools.dvf.market import read_market
from pipeline.tools.dvf.values import Kind, NoPrice, Price
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from tests.dvf_lines import COLUMNS, sale, write
from tests.unit.test_dvf_market import SHARED

WITH_GROUND = [*COLUMNS, "code_nature_culture", "surface_terrain"]
TOULON = SHARED / "dvf" / "83137_2024.csv"


def garage(number: int, **said: object) -> dict[str, str]:
    """A dependency sold alone for 20,000 + 100 x number euros."""
    about = {
        "code_type_local": 3,
        "type_local": "Dépendance",
        "surface_reelle_bati": "",
        "nombre_pieces_principales": 0,
    }
    return sale(number, **{**about, "valeur_fonciere": 20_000 + 100 * number, **said})


def plot(number: int, **said: object) -> dict[str, str]:
    """500 m² of building land sold 100,000 + 500 x number euros."""
    about = {"code_type_local": "", "type_local": "", "surface_reelle_bati": "", "nombre_pieces_principales": ""}
    ground = {"code_nature_culture": "AB", "surface_terrain": 500, "valeur_fonciere": 100_000 + 500 * number}
    return sale(number, **{**about, **ground, **said})


def found(path: Path, lines: list[dict[str, str]], kind: Kind) -> Price | NoPrice:
    return read_market([write(path / "01.csv", lines, columns=WITH_GROUND)], insee="01004").price(kind, year=2024)


def median(path: Path, lines: list[dict[str, str]], kind: Kind) -> tuple[int, float]:
    price = found(path, lines, kind)
    assert isinstance(price, Price), price
    return price.n, price.median


@pytest.mark.shared
@pytest.mark.skipif(not TOULON.exists(), reason=f"{TOULON} is absent")
def test_toulon_has_garages_and_few_plots() -> None:
    """On the real file: 299 dependencies sold alone on one line, of which the trimmed ones count."""
    market = read_market([TOULON], insee="83137")
    garages, land = market.price("garage", year=2024), market.price("land", year=2024)
    assert isinstance(garages, Price)
    assert (garages.n, garages.median, garages.unit) == (275, 23_000, "€")
    assert isinstance(land, Price)
    assert land.n == 10


def test_a_garage_has_a_whole_price_and_land_one_by_its_ground(tmp_path: Path) -> None:
    """21 of each: every value can be checked by hand."""
    assert median(tmp_path, [garage(n) for n in range(21)], "garage") == (21, 21_000)
    assert median(tmp_path, [plot(n) for n in range(21)], "land") == (21, 210)


@pytest.mark.parametrize(
    "extra",
    [
        [garage(50, id_parcelle="A"), garage(50, id_parcelle="B")],
        [garage(51), garage(51)],
        [garage(52), sale(52, valeur_fonciere=25_000)],
        [garage(53, code_nature_culture="S", surface_terrain=300)],
        [garage(54, nature_mutation="Vente en l'état futur d'achèvement")],
        [garage(55, nature_mutation="Echange")],
        [garage(56, valeur_fonciere=499)],
        [garage(57, valeur_fonciere=200_001)],
        [garage(58, valeur_fonciere=90_000)],
        [garage(59, valeur_fonciere="")],
        [garage(60, code_commune="01005")],
    ],
    ids=["two", "two lines", "with a flat", "with land", "off plan", "exchange", "gift", "a hall", "outlier",
         "no price", "next town"],
)  # fmt: skip
def test_the_garage_rule_leaves_out(tmp_path: Path, extra: list[dict[str, str]]) -> None:
    """Neither the count nor the median moves."""
    assert median(tmp_path, [*(garage(n) for n in range(21)), *extra], "garage") == (21, 21_000)


@pytest.mark.parametrize(
    "extra",
    [
        [plot(50, code_nature_culture="T")],
        [plot(51), plot(51, code_nature_culture="P", surface_terrain=9_000)],
        [plot(52), sale(52, valeur_fonciere=126_000)],
        [plot(53, surface_terrain="")],
        [plot(54, surface_terrain=49)],
        [plot(55, surface_terrain=10_001)],
        [plot(56, valeur_fonciere=999)],
        [plot(57, valeur_fonciere=900_000)],
        [plot(58, id_parcelle="A"), plot(58, id_parcelle="B", code_commune="01005")],
        [plot(59, numero_disposition="000001"), plot(59, numero_disposition="000002", valeur_fonciere=50_000)],
        [plot(60, nature_mutation="Echange")],
    ],
    ids=["a field", "with a meadow", "with a flat", "no area", "tiny", "huge", "a gift", "outlier", "two towns",
         "two prices", "exchange"],
)  # fmt: skip
def test_the_land_rule_leaves_out(tmp_path: Path, extra: list[dict[str, str]]) -> None:
    """Fields, land with a building, what has no area, what lies in two communes."""
    assert median(tmp_path, [*(plot(n) for n in range(21)), *extra], "land") == (21, 210)


def test_two_parcels_of_one_deed_are_one_plot_and_a_repeated_line_counts_once(tmp_path: Path) -> None:
    """300 and 200 m² for one price, one of them told twice; a sale named as building land counts by its name."""
    first = {"valeur_fonciere": 105_000, "surface_terrain": 300, "id_parcelle": "A"}
    split = [plot(90, **first), plot(90, **first), plot(90, **{**first, "surface_terrain": 200, "id_parcelle": "B"})]
    named = [plot(91, nature_mutation="Vente terrain à bâtir", code_nature_culture="T", valeur_fonciere=105_000)]
    assert median(tmp_path, [*(plot(n) for n in range(21)), *split, *named], "land") == (23, 210)


def test_homes_are_not_moved_by_garages_and_land(tmp_path: Path) -> None:
    """Three markets in one file."""
    lines = [f(n + k) for k, f in ((0, sale), (100, garage), (200, plot)) for n in range(21)]
    assert median(tmp_path, lines, "flat") == (21, 3100.0)


def test_a_file_without_ground_has_no_land_and_keeps_its_garages(tmp_path: Path) -> None:
    """A spreadsheet that dropped the columns: nothing is made up."""
    market = read_market([write(tmp_path / "01.csv", [garage(n) for n in range(21)])], insee="01004")
    assert isinstance(market.price("garage"), Price)
    assert isinstance(market.price("land"), NoPrice)


@pytest.fixture
def kept(tmp_path: Path) -> LocalSales:
    (tmp_path / "2024").mkdir()
    lines = [f(n + k) for k, f in ((0, sale), (100, garage), (200, plot)) for n in range(40)]
    write(tmp_path / "2024" / "01.csv.gz", lines, columns=WITH_GROUND)
    return LocalSales(tmp_path)


async def ask(tool: LocalSales, **more: Any) -> ToolResult:
    return await tool.run(ToolCall("sales", {"insee": "01004", "name": "Ambérieu-en-Bugey", **more}))


@pytest.mark.parametrize(
    ("kind", "unit", "rule"), [("garage", "€", "dépendance"), ("land", "€/m²", "terrains à bâtir")]
)
async def test_the_answer_names_its_rule_and_passes_the_gate(kept: LocalSales, kind: str, unit: str, rule: str) -> None:
    """Each sentence stands on its figures; DVF's word for a garage is said, with what it covers."""
    result = await ask(kept, type=kind, rooms=3)
    assert result.error is None, result.error
    assert {figure.unit for figure in result.figures if "médian" in figure.label} == {unit}
    assert rule in result.text
    assert "caves" in result.text or kind == "land"
    assert "appartements" not in result.text
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    assert ground(Draft(text, Usage("t")), Evidence(tool_results=(result,))).dropped == ()


async def test_without_a_type_only_homes_are_told(kept: LocalSales) -> None:
    """A garage is no home."""
    assert "dépendances" not in (await ask(kept)).text
