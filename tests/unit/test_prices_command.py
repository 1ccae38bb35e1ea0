"""python -m bot prices: the JSON that scripts read, the sentences that people read, and every reason."""

import argparse
import json
import os
from pathlib import Path
from typing import Any

import pytest

from bot.commands.prices import add_arguments, prices
from bot.settings import Settings
from pipeline.tools.dvf.local import LocalSales
from pipeline.types import ToolCall
from tests.dvf_lines import sale, write

SHARED = Path(os.environ.get("QS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TOULON = SHARED / "dvf" / "83137_2024.csv"


async def run(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    code = await prices(parser.parse_args(arguments), Settings(_env_file=None, var_dir=folder))
    return code, capsys.readouterr().out


async def as_json(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> dict[str, Any]:
    found = json.loads((await run(capsys, folder, *arguments, "--json"))[1])
    assert isinstance(found, dict)
    return found


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder as dvf-sync leaves it: 2023 and 2024 of department 01."""
    for year, shift in (("2023", 0), ("2024", 40)):
        path = tmp_path / "dvf" / year / "01.csv.gz"
        path.parent.mkdir(parents=True)
        lines = [sale(n + shift) for n in range(36)]
        houses = [sale(n + 500, code_type_local="1", type_local="Maison") for n in range(4)]
        dated = [{**line, "date_mutation": year + line["date_mutation"][4:]} for line in (*lines, *houses)]
        write(path, dated)
    return tmp_path


@pytest.mark.shared
@pytest.mark.skipif(not TOULON.exists(), reason=f"{TOULON} is absent")
async def test_toulon_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The documented keys, the reference figures."""
    found = await as_json(capsys, tmp_path, "Toulon", "--type", "house", "--file", str(TOULON))
    expected = {"insee": "83137", "year": 2024, "type": "house", "n": 377, "median": 4624, "q1": 3703, "q3": 5402}
    assert expected.items() <= found.items()
    assert found["as_of"] == "2024-12-30"
    assert "règle stricte" in found["rule"]
    assert "DGFiP" in found["source"]


async def test_files_of_dvf_sync_are_found_and_make_a_trend(capsys: pytest.CaptureFixture[str], kept: Path) -> None:
    """Without --file, the folder of dvf-sync; without --year, the last year that has a price."""
    found = await as_json(capsys, kept, "1004")
    assert (found["year"], found["type"], found["n"]) == (2024, "flat", 36)
    assert [year["year"] for year in found["years"]] == [2023, 2024]
    assert "zéro initial" in found["remark"]
    assert "4 ventes de maisons" in found["other"]["reason"]
    assert found["by_rooms"]["T3"]["n"] == 36
    assert "reason" in found["by_rooms"]["T1"]
    _, said = await run(capsys, kept, "Ambérieu-en-Bugey")
    assert "De 2023 à 2024, la médiane d'appartements progresse de" in said
    assert "trop peu pour donner un prix" in said


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("Genève",), "pas de commune française"),
        (("Metz",), "hors champ"),
        (("97608",), "Mayotte"),
        (("Lyon",), "arrondissement"),
        (("Toulon",), "dvf-sync --departement 83"),
        (("01004", "--year", "2019"), "ne couvrent pas 2019"),
        (("01004", "--type", "house"), "trop peu"),
        (("01001",), "aucune vente de logement"),
    ],
)
async def test_a_reason_is_json_too_and_holds_no_price(
    capsys: pytest.CaptureFixture[str], kept: Path, arguments: tuple[str, ...], reason: str
) -> None:
    """No median, no quartile, exit code 0: a reason is an answer."""
    code, out = await run(capsys, kept, *arguments, "--json")
    found = json.loads(out)
    assert code == 0
    assert reason in found["reason"]
    assert not {"median", "q1", "q3"} & found.keys()


async def test_a_broken_file_is_a_reason_and_a_failure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Exit code 1, so that a script notices."""
    (tmp_path / "x.csv").write_text("<html>")
    code, out = await run(capsys, tmp_path, "Toulon", "--file", str(tmp_path / "x.csv"), "--json")
    assert code == 1
    assert "geo-dvf" in json.loads(out)["reason"]


async def test_the_tool_over_local_files_tells_the_same(kept: Path) -> None:
    """Same figures as the command line, in sentences; every failure is an error of the result."""
    tool = LocalSales(kept / "dvf")
    result = await tool.run(ToolCall("sales", {"insee": "01004", "name": "Ambérieu-en-Bugey", "type": None}))
    assert result.error is None
    assert "sur 36 ventes retenues" in result.text
    assert {figure.value for figure in result.figures if figure.unit == "ventes"} == {36}
    assert result.as_of is not None
    assert result.as_of.year == 2024
    for insee in ("", "83137", "57463", "75056", "../..", "01001", "*" * 5):
        assert (await tool.run(ToolCall("sales", {"insee": insee, "name": "X"}))).error
    rooms = await tool.run(ToolCall("sales", {"insee": "01004", "name": "A", "rooms": 3, "year": 2023}))
    assert "appartements T3" in rooms.text
