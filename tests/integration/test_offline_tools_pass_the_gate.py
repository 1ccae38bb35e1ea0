"""What the offline tools say of themselves passes the gate: a sentence that it dropped would never be read."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from corpus.places import load_gazetteer
from corpus.status import load_status
from pipeline.grounding import ground
from pipeline.text.sentences import passage_sentences
from pipeline.tools.calculator import CalculatorTool
from pipeline.tools.dvf.local import LocalSales
from pipeline.tools.status import StatusTool
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from tests.calculations import EXAMPLES
from tests.dvf_lines import sale, write


def dropped(result: ToolResult) -> tuple[tuple[str, str], ...]:
    """The tool's own sentences, each citing it, through the gate."""
    assert result.error is None, result.error
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    return ground(Draft(text, Usage("test")), Evidence(tool_results=(result,))).dropped


@pytest.mark.parametrize("arguments", EXAMPLES, ids=lambda arguments: arguments["kind"])
async def test_calculations_stand(arguments: dict[str, Any]) -> None:
    """Inputs, formula, result and rule."""
    assert dropped(await CalculatorTool().run(ToolCall("calculator", arguments))) == ()


@pytest.mark.parametrize("insee", ["83137", "69266", "28134", "27438", "38485", "75111"])
@pytest.mark.parametrize("today", [date(2026, 11, 21), date(2026, 11, 25), date(2028, 1, 1)])
async def test_statuses_stand(insee: str, today: date) -> None:
    """Dates of the lists and of their ends."""
    tool = StatusTool(load_status(), load_gazetteer(), today=lambda: today)
    assert dropped(await tool.run(ToolCall("status", {"insee": insee, "name": ""}))) == ()


async def test_local_prices_stand(tmp_path: Path) -> None:
    """Medians, quartiles, counts, trend, last deed, rule and source."""
    for year in ("2023", "2024"):
        path = tmp_path / year / "01.csv.gz"
        path.parent.mkdir()
        lines = [sale(n + int(year)) for n in range(40)]
        write(path, [{**line, "date_mutation": year + line["date_mutation"][4:]} for line in lines])
    call = ToolCall("sales", {"insee": "01004", "name": "Ambérieu-en-Bugey", "type": "flat"})
    assert dropped(await LocalSales(tmp_path).run(call)) == ()
