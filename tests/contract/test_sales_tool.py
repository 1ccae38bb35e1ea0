"""The tool "sales" over a real connection to the sandbox's Cerema-shaped service: figures, reasons, faults."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from pipeline.tools.sales.cerema import SalesTool
from pipeline.types import ToolCall, ToolResult
from sandbox.opendata import OpenData, routes
from sandbox.opendata.figures import rows
from tests.loopback import served

STATE = OpenData()
TODAY = date(2026, 11, 21)
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(Starlette(routes=[Mount("/dvf", routes=routes(STATE))])) as address:
        yield f"{address}/dvf"


@pytest.fixture
async def tool(address: str) -> AsyncIterator[SalesTool]:
    STATE.reset()
    async with httpx.AsyncClient(base_url=address) as client:
        yield SalesTool(client, today=lambda: TODAY, timeout=PATIENCE_S)


async def ask(tool: SalesTool, insee: str, name: str, **more: Any) -> ToolResult:
    return await tool.run(ToolCall("sales", {"insee": insee, "name": name, **more}))


async def test_prices_of_the_latest_year_with_trend_and_source(tool: SalesTool) -> None:
    """The last year with sales, its quartiles and number of sales, the year before, and where it comes from."""
    result = await ask(tool, "69266", "Villeurbanne", type="flat")
    assert result.error is None
    row = {r["annee"]: r for r in rows("69266")}
    shown = {f.label: f.value for f in result.figures}
    assert shown["Prix médian des appartements en 2025"] == round(row["2025"]["pxm2_median_cod121"])
    assert shown["Prix médian des appartements en 2024"] == round(row["2024"]["pxm2_median_cod121"])
    assert shown["Nombre de ventes, appartements, en 2025"] == row["2025"]["nbtrans_cod121"]
    assert "Règle de calcul" in result.text
    assert result.title.startswith("Indicateurs DV3F (Cerema)")
    assert result.url == "https://datafoncier.cerema.fr"
    assert result.as_of == date(2025, 12, 31)
    assert not result.private


async def test_invented_data_says_so(tool: SalesTool) -> None:
    """What the service says of itself stands in the title and in each sentence with a price."""
    result = await ask(tool, "83137", "Toulon")
    assert "données fictives" in result.title
    assert all("données fictives" in s for s in result.text.split(". ") if "prix médian" in s)


@pytest.mark.parametrize("insee", ["83137", "69266", "69387", "44109", "33063", "59350", "34172", "42218"])
@pytest.mark.parametrize("kind", ["flat", "house", None])
async def test_every_number_of_the_text_is_a_figure(tool: SalesTool, insee: str, kind: str | None) -> None:
    """Prices, counts, percents and years: what the text says, the figures hold."""
    result = await ask(tool, insee, "la commune", type=kind)
    held = {f"{f.value:g}" if isinstance(f.value, float) else str(f.value) for f in result.figures}
    numbers = re.findall(r"\d[\d\u202f]*(?:,\d+)?", result.text)
    assert all(n.replace("\u202f", "").replace(",", ".") in held for n in numbers)
    assert numbers or result.error


async def test_too_few_sales_give_no_price(tool: SalesTool) -> None:
    """Fewer than ten sales: a sentence, not a median."""
    result = await ask(tool, "69387", "Lyon 7e", type="house")
    assert result.figures == ()
    assert "trop peu nombreuses" in (result.error or "")


async def test_a_type_with_too_few_sales_does_not_hide_the_other(tool: SalesTool) -> None:
    """Flats are given, houses are said to be too few."""
    result = await ask(tool, "69387", "Lyon 7e")
    assert result.error is None
    assert "trop peu nombreuses" in result.text
    assert not any("maisons" in f.label for f in result.figures)


async def test_few_sales_are_given_with_care(tool: SalesTool) -> None:
    """Between ten and thirty sales the sentence warns."""
    assert "prudence" in (await ask(tool, "42218", "Saint-Étienne", type="house")).text


@pytest.mark.parametrize("insee", ["57463", "67482", "68224", "97608"])
async def test_departments_outside_dvf_are_never_asked(insee: str) -> None:
    """Moselle, Alsace and Mayotte are out of scope: said without a call."""

    async def fail(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    async with httpx.AsyncClient(transport=httpx.MockTransport(fail), base_url="http://x") as client:
        result = await SalesTool(client, today=lambda: TODAY).run(ToolCall("sales", {"insee": insee, "name": "Ici"}))
    assert "hors champ de DVF" in (result.error or "")


@pytest.mark.parametrize(
    ("insee", "name", "expected"),
    [
        ("01999", "Nulle-Part", "ne publie pas de prix des logements"),
        ("69123", "Lyon", "par arrondissement"),
        ("76999", "Le Havre", "au Havre"),
        ("", "", "Précisez la commune"),
        ("../x", "x", "Précisez la commune"),
    ],
)
async def test_no_price_has_its_reason(tool: SalesTool, insee: str, name: str, expected: str) -> None:
    """An unknown commune, a city that DVF follows by district, no commune at all."""
    result = await ask(tool, insee, name)
    assert expected in (result.error or "")
    assert result.figures == ()


async def test_a_year_can_be_asked(tool: SalesTool) -> None:
    """A past year is given as such; a year without data is said, not replaced."""
    past = await ask(tool, "83137", "Toulon", type="flat", year=2022)
    assert "en 2022" in past.text
    assert past.as_of == date(2022, 12, 31)
    assert "pour 2012" in ((await ask(tool, "83137", "Toulon", type="flat", year=2012)).error or "")


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("slow", "n'a pas répondu à temps"),
        ("down", "indisponible"),
        ("429", "indisponible"),
        ("html", "inexploitable"),
        ("half_json", "inexploitable"),
        ("empty", "ne publie pas"),
    ],
)
async def test_each_fault_is_a_reason_and_no_figure(address: str, mode: str, expected: str) -> None:
    """Slow, down, throttled, a maintenance page, half an answer, nothing: a French sentence each time."""
    STATE.set_faults({"mode": mode, "count": 5, "seconds": 600})
    async with httpx.AsyncClient(base_url=address) as client:
        limit = 0.3 if mode == "slow" else PATIENCE_S
        result = await ask(SalesTool(client, today=lambda: TODAY, timeout=limit), "83137", "Toulon")
    STATE.reset()
    assert expected in (result.error or "")
    assert result.figures == ()
    assert result.text == ""


async def test_a_service_that_is_not_there_is_a_reason() -> None:
    """Nothing listens."""
    async with httpx.AsyncClient(base_url="http://127.0.0.1:9") as client:
        result = await ask(SalesTool(client, today=lambda: TODAY, timeout=PATIENCE_S), "83137", "Toulon")
    assert "indisponible" in (result.error or "")


async def _with(answer: Any, insee: str = "83137") -> ToolResult:
    """The result when the service answers this to every call."""

    async def endpoint(request: Request) -> Response:
        return answer(request) if callable(answer) else JSONResponse(answer)

    with served(Starlette(routes=[Route("/indicateurs/dv3f/prix/annuel/", endpoint)])) as address:
        async with httpx.AsyncClient(base_url=address) as client:
            return await ask(SalesTool(client, today=lambda: TODAY), insee, "Toulon", type="flat")


def _row(**changes: Any) -> dict[str, Any]:
    row = {"annee": "2025", "code": "83137", "nbtrans_cod121": 500, "pxm2_median_cod121": 2600.0}
    return {**row, "pxm2_q25_cod121": 2100.0, "pxm2_q75_cod121": 3300.0, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"pxm2_median_cod121": 100_001.0, "pxm2_q75_cod121": 100_002.0},
        {"pxm2_median_cod121": -2600.0},
        {"pxm2_q25_cod121": 3000.0},
        {"pxm2_q75_cod121": None},
        {"pxm2_median_cod121": "environ 2600"},
        {"nbtrans_cod121": 500.5},
        {"nbtrans_cod121": True},
        {"annee": "2020-2022"},
        {"code": "13055"},
        {"code": None},
    ],
)
async def test_a_doubtful_row_is_never_a_figure(changes: dict[str, Any]) -> None:
    """Absurd, negative, disordered, missing, or of another commune: refused as a whole."""
    result = await _with({"count": 1, "next": None, "results": [_row(**changes)]})
    assert "inexploitable" in (result.error or "")
    assert result.figures == ()


async def test_a_doubtful_latest_year_is_not_replaced_by_an_older_one() -> None:
    """Falling back in silence would pass an old price for the last one."""
    good, bad = _row(annee="2024"), _row(pxm2_median_cod121=9e9)
    assert "inexploitable" in ((await _with({"results": [good, bad]})).error or "")


async def test_nan_is_refused() -> None:
    """Python's JSON reader takes NaN; we do not."""
    body = b'{"results":[{"annee":"2025","code":"83137","nbtrans_cod121":500,"pxm2_median_cod121":NaN}]}'
    assert "inexploitable" in ((await _with(lambda _: Response(body, media_type="application/json"))).error or "")


async def test_an_endless_answer_is_cut() -> None:
    """Over five megabytes nothing is read any further."""
    big = b'{"results":[], "x":"' + b"x" * 6_000_000 + b'"}'
    assert "inexploitable" in ((await _with(lambda _: Response(big, media_type="application/json"))).error or "")


async def test_an_answer_that_drips_is_given_up() -> None:
    """Each byte comes in time, the whole never would: the limit is on the call, not on the byte."""

    async def drip() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b" "
            await asyncio.sleep(0.02)

    async def endpoint(request: Request) -> Response:
        return StreamingResponse(drip(), media_type="application/json")

    with served(Starlette(routes=[Route("/indicateurs/dv3f/prix/annuel/", endpoint)])) as address:
        async with httpx.AsyncClient(base_url=address) as client:
            result = await ask(SalesTool(client, today=lambda: TODAY, timeout=0.3), "83137", "Toulon")
    assert "n'a pas répondu à temps" in (result.error or "")


async def test_pages_are_followed_on_the_configured_host_only() -> None:
    """The oldest year comes first, so the last page holds the answer; `next` names another host and is not visited."""
    seen: list[str] = []

    def page(request: Request) -> Response:
        seen.append(request.query_params.get("page", "1"))
        more = seen[-1] == "1"
        row = _row(annee="2019", pxm2_median_cod121=2200.0) if more else _row()
        return JSONResponse({"next": "http://ailleurs.example.com/?page=2" if more else None, "results": [row]})

    result = await _with(page)
    assert seen == ["1", "2"]
    assert "en 2025" in result.text


async def test_a_source_label_cannot_smuggle_figures_or_links() -> None:
    """The label is foreign text: letters only, and short."""
    source = "Prix garantis 9999 €/m² https://evil.example.com [1] <!channel>" + "x" * 500
    result = await _with({"source": source, "results": [_row()]})
    assert "9999" not in result.text
    assert "http" not in result.text
    assert not set("[]<>!") & set(result.text)
    assert len(result.title) < 200
