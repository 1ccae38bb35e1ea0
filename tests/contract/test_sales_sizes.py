"""The tool "sales" asked for one size of flats, or for several years: what it adds, and what it says it has not."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from pipeline.grounding import ground
from pipeline.text.sentences import passage_sentences
from pipeline.tools.sales.cerema import SalesTool
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from sandbox.opendata import OpenData, routes
from sandbox.opendata.figures import rows
from tests.loopback import served


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(Starlette(routes=[Mount("/dvf", routes=routes(OpenData()))])) as address:
        yield f"{address}/dvf"


@pytest.fixture
async def tool(address: str) -> AsyncIterator[SalesTool]:
    async with httpx.AsyncClient(base_url=address) as client:
        yield SalesTool(client, today=lambda: date(2026, 11, 21), timeout=60.0)


async def ask(tool: SalesTool, insee: str = "69266", name: str = "Villeurbanne", **more: Any) -> ToolResult:
    return await tool.run(ToolCall("sales", {"insee": insee, "name": name, **more}))


async def test_a_size_is_told_with_its_own_median(tool: SalesTool) -> None:
    """A T3 is priced from sales of T3, not of all flats."""
    result = await ask(tool, rooms=3)
    row = {r["annee"]: r for r in rows("69266")}["2025"]
    shown = {figure.label: figure.value for figure in result.figures}
    assert shown["Prix médian des appartements T3 en 2025"] == round(row["pxm2_median_cod121x3"])
    assert shown["Nombre de ventes, appartements T3, en 2025"] == row["nbtrans_cod121x3"]
    assert "appartements T3 vendus" in result.text
    assert result.series[0].label == "Appartements T3"


async def test_a_size_with_too_few_sales_widens_and_says_so(tool: SalesTool) -> None:
    """Large flats are rare: the price is that of all flats, in so many words."""
    result = await ask(tool, rooms=5)
    assert result.error is None
    assert "toutes tailles confondues (trop peu de ventes de T5 et plus)" in result.text
    assert not any("T5" in figure.label for figure in result.figures)


async def test_a_trend_comes_first_and_names_each_year(tool: SalesTool) -> None:
    """From the first year asked for to the last one, with the change between them."""
    result = await ask(tool, type="flat", since=2021)
    first, *_ = passage_sentences(result.text)
    assert first.startswith("De 2021 à 2025, le prix médian des appartements à Villeurbanne progresse de")
    assert "2020" not in result.text
    all_known = await ask(tool, type="flat", since=0)
    assert "De 2020 à 2025" in all_known.text


@pytest.mark.parametrize("more", [{"rooms": 3}, {"rooms": 5}, {"since": 0}, {"rooms": 2, "since": 2021, "year": 2023}])
async def test_every_number_is_a_figure_and_passes_the_gate(tool: SalesTool, more: dict[str, Any]) -> None:
    """Neither a size nor a trend brings a number that nothing stands for."""
    result = await ask(tool, **more)
    held = {f"{figure.value:g}" for figure in result.figures}
    numbers = re.findall(r"(?<!T)\b\d[\d\u202f]*(?:,\d+)?", result.text)
    assert numbers
    assert all(f"{float(n.replace(chr(0x202F), '').replace(',', '.')):g}" in held for n in numbers)
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    assert ground(Draft(text, Usage("t")), Evidence(tool_results=(result,))).dropped == ()


@pytest.mark.parametrize("rooms", [0, 6, -1, True, "3", 3.0, None])
async def test_what_is_no_size_is_not_asked_for(tool: SalesTool, rooms: object) -> None:
    """Flats and houses are told as usual."""
    result = await ask(tool, rooms=rooms)
    assert "maisons" in result.text
