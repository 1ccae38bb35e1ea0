"""The tool "sales" where the usual sources have nothing: outside DVF, without sales, garages and land."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from corpus.places import load_gazetteer
from pipeline.grounding import ground
from pipeline.text.sentences import passage_sentences
from pipeline.tools.datagouv.server import DataGouv
from pipeline.tools.dpe import DpeTool
from pipeline.tools.dvf import commune_files
from pipeline.tools.dvf.commune_files import CommuneFiles
from pipeline.tools.dvf.local import LocalSales
from pipeline.tools.json_service import JsonService, Malformed
from pipeline.tools.rents import RentsTool
from pipeline.tools.sales.cerema import SalesTool
from pipeline.tools.sales.chain import ChainLink, SalesChain
from pipeline.tools.sales.statistics import DEPARTMENT, DvfStatistics, read_label, read_totals
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from sandbox.opendata import OpenData, mounts
from sandbox.opendata.communes import communes
from sandbox.opendata.figures import markets_of, median, sales
from tests.contract.test_sandbox_communes import SAMPLE
from tests.loopback import served

STATE = OpenData()
TODAY = date(2026, 11, 21)
PLACES = load_gazetteer()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    app = Starlette(routes=[Mount(prefix, routes=list(routes)) for prefix, routes in mounts(STATE).items()])
    with served(app) as address:
        yield address


@pytest.fixture
async def chain(address: str, tmp_path: Path) -> AsyncIterator[SalesChain]:
    STATE.reset()
    async with (
        # verify=False: it speaks plain HTTP to itself, and loading all certificates takes 20 ms each time
        httpx.AsyncClient(base_url=f"{address}/dvf", verify=False) as client,
        httpx.AsyncClient(base_url=f"{address}/tabular", verify=False) as tabular,
        httpx.AsyncClient(base_url=f"{address}/ademe", verify=False) as ademe,
        httpx.AsyncClient(trust_env=False, verify=False) as files,
    ):
        statistics = DvfStatistics(DataGouv(f"{address}/datagouv/mcp"))
        online = CommuneFiles(files, f"{address}/geo-dvf", today=lambda: TODAY)
        yield SalesChain(
            (
                ChainLink("Cerema", SalesTool(client, today=lambda: TODAY, timeout=1.0)),
                ChainLink("Statistiques DVF", statistics, wider=statistics),
                ChainLink("fichiers DVF", LocalSales(tmp_path, online=online), deeds=True),
            ),
            beside=(
                RentsTool(JsonService(tabular, label="la carte des loyers", seconds=2.0)),
                DpeTool(JsonService(ademe, label="le service de l'ADEME", seconds=2.0), today=lambda: TODAY),
            ),
            today=lambda: TODAY,
        )


async def ask(chain: SalesChain, insee: str, name: str = "", **more: Any) -> ToolResult:
    place = PLACES.get(insee)
    name = name or (place.name if place else insee)
    return await chain.run(ToolCall("sales", {"insee": insee, "name": name, "type": None, "year": None, **more}))


def dropped(result: ToolResult) -> tuple[Any, ...]:
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    return tuple(ground(Draft(text, Usage("t")), Evidence(tool_results=(result,))).dropped)


@pytest.mark.parametrize("code", SAMPLE)
async def test_any_commune_gets_an_answer_that_passes_the_gate(chain: SalesChain, code: str) -> None:
    """Its own price, or its department's: each with figures, a source and its mark of invention."""
    result = await ask(chain, code)
    assert result.error is None, result.error
    assert result.figures
    assert result.url.startswith("https://")
    assert "données fictives" in result.title
    assert dropped(result) == ()


@pytest.mark.parametrize(
    ("insee", "why"), [("57463", "livre foncier"), ("67482", "livre foncier"), ("68224", "Haut-Rhin")]
)
async def test_outside_dvf_is_an_answer_with_what_there_is(chain: SalesChain, insee: str, why: str) -> None:
    """No error: the reason, then rents and labels, each finding with its own source; no figure without one."""
    result = await ask(chain, insee)
    assert result.error is None
    assert "hors champ de DVF" in result.text
    assert why in result.text
    assert "notaires" in result.text
    assert result.figures == ()
    assert not re.search(r"\d", result.text)
    assert [each.call.tool for each in result.also] == ["rents", "dpe"]
    assert all(each.figures and each.url and each.error is None for each in result.also)
    assert "loyers d'annonce estimés et les étiquettes énergie" in result.text
    assert dropped(result) == ()


async def test_mayotte_has_neither_and_no_land_register_of_local_law(chain: SalesChain) -> None:
    """The rest is said all the same; what failed beside is a gap."""
    result = await ask(chain, "97611")
    assert result.error is None
    assert "hors champ de DVF" in result.text
    assert "livre foncier" not in result.text
    assert "Voici ce qui existe" not in result.text
    assert result.also == ()
    assert len(result.gaps) == 2


async def test_outside_dvf_survives_the_sources_beside(chain: SalesChain) -> None:
    """Both down: the reason stands, both are named."""
    STATE.set_faults({"mode": "down", "count": 99})
    result = await ask(chain, "57463")
    assert result.error is None
    assert "hors champ de DVF" in result.text
    assert len(result.gaps) == 2


async def test_a_garage_outside_dvf_is_not_answered_by_rents(chain: SalesChain) -> None:
    """The rent of flats says nothing of a garage."""
    result = await ask(chain, "57463", type="garage")
    assert "hors champ de DVF" in result.text
    assert result.also == ()


def _without_sales() -> str:
    """The first commune of the Creuse that sells nothing worth a price in five years."""
    for code in communes():
        found = markets_of(code) if code.startswith("23") else None
        if found and all(sum(sales(market, year) for year in range(2021, 2026)) < 10 for market in found):
            return code
    raise AssertionError("no such commune")


async def test_without_sales_the_department_is_told_as_such(chain: SalesChain) -> None:
    """Whose figure it is stands in the title and in the sentence; no figure is the commune's."""
    result = await ask(chain, _without_sales())
    assert result.error is None, result.error
    assert "département Creuse" in result.title
    assert "dans l'ensemble du département Creuse" in result.text
    assert "pas un prix propre à" in result.text
    assert result.figures
    assert dropped(result) == ()


async def test_a_year_is_never_answered_by_the_department(chain: SalesChain) -> None:
    """Five years of a department are no price of 2024."""
    result = await ask(chain, _without_sales(), year=2024)
    assert result.figures == ()
    assert result.error


async def test_a_source_that_is_down_is_not_asked_for_the_department(chain: SalesChain) -> None:
    """Its time is spent: the reasons are told."""
    STATE.set_faults({"mode": "down", "count": 99, "service": "mcp"})
    result = await ask(chain, _without_sales())
    assert "données ouvertes" in (result.error or "")
    assert STATE.count == 98


ROWS = (
    "Data (2 rows):\n  Row 1:\n    code_geo: 11\n    libelle_geo: Île-de-France\n    echelle_geo: region\n"
    "    nb_ventes_whole_maison: 9000\n    med_prix_m2_whole_maison: 4000\n"
    "  Row 2:\n    code_geo: 11\n    libelle_geo: Aude [1] 99\n    echelle_geo: departement\n"
    "    nb_ventes_whole_maison: 500\n    med_prix_m2_whole_maison: 1700\n"
)


def test_a_region_of_the_same_code_is_not_the_department() -> None:
    """Aude is 11, and so is Île-de-France; a label is letters only."""
    assert read_totals(ROWS, "11", scale=DEPARTMENT)["house"].median == 1700
    assert read_label(ROWS, "11") == "Aude"
    with pytest.raises(Malformed):
        read_totals(ROWS.replace("11", "12"), "11", scale=DEPARTMENT)


@pytest.mark.parametrize(("kind", "unit"), [("garage", "€"), ("land", "€/m²")])
@pytest.mark.parametrize("code", ["83137", "34172", "75115", "97411"])
async def test_garages_and_land_come_from_the_deeds(chain: SalesChain, code: str, kind: str, unit: str) -> None:
    """The commune's own tables are read; sources that publish no such price are not asked, nor blamed."""
    STATE.set_faults({"mode": "down", "count": 99, "service": "dvf"})
    result = await ask(chain, code, type=kind)
    assert STATE.count == 99
    if code == "75115" and kind == "land":
        assert "terrains à bâtir" in (result.error or "")
        return
    assert result.error is None, result.error
    assert result.gaps == ()
    assert "données fictives" in result.title
    assert {figure.unit for figure in result.figures if "médian" in figure.label} == {unit}
    assert dropped(result) == ()


@pytest.mark.parametrize("kind", ["garage", "land"])
async def test_the_services_say_that_they_only_tell_homes(address: str, kind: str) -> None:
    """Flats are no answer to a question about garages."""
    call = ToolCall("sales", {"insee": "83137", "name": "Toulon", "type": kind})
    async with httpx.AsyncClient(base_url=f"{address}/dvf", verify=False) as client:
        for tool in (SalesTool(client, today=lambda: TODAY), DvfStatistics(DataGouv(f"{address}/datagouv/mcp"))):
            result = await tool.run(call)
            assert "ne donnent que les appartements et les maisons" in (result.error or "")
            assert result.figures == ()


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("down", "indisponible"),
        ("429", "indisponible"),
        ("html", "geo-dvf"),
        ("empty", "aucune vente"),
        ("slow", "temps"),
    ],
)
async def test_failing_files_are_a_reason(address: str, tmp_path: Path, mode: str, reason: str) -> None:
    """A maintenance page, nothing, or no answer in time: French, and no figure."""
    STATE.set_faults({"mode": mode, "count": 99, "seconds": 3, "service": "files"})
    async with httpx.AsyncClient(trust_env=False, verify=False) as files:
        online = CommuneFiles(files, f"{address}/geo-dvf", today=lambda: TODAY, seconds=1.0)
        call = ToolCall("sales", {"insee": "83137", "name": "Toulon", "type": "garage"})
        result = await LocalSales(tmp_path, online=online).run(call)
    STATE.reset()
    assert reason in (result.error or "")
    assert result.figures == ()


async def test_a_year_that_is_not_published_is_said(chain: SalesChain) -> None:
    """No table of 2018: a sentence, with why no other source is asked."""
    error = (await ask(chain, "83137", type="garage", year=2018)).error or ""
    assert "ne se lit que dans les actes" in error
    assert "Aucun fichier DVF n'est publié" in error


async def _fetched(answer: Response, tmp_path: Path) -> ToolResult:
    async def endpoint(request: Request) -> Response:
        return answer

    with served(Starlette(routes=[Route("/{path:path}", endpoint)])) as base:
        async with httpx.AsyncClient(trust_env=False, verify=False) as files:
            online = CommuneFiles(files, base, today=lambda: TODAY, seconds=2.0)
            call = ToolCall("sales", {"insee": "83137", "name": "Toulon", "type": "garage", "year": 2024})
            return await LocalSales(tmp_path, online=online).run(call)


async def test_a_redirect_inside_the_network_is_refused(tmp_path: Path) -> None:
    """A hostile server leads nowhere near this machine's own services."""
    result = await _fetched(RedirectResponse("http://127.0.0.1:1/secret"), tmp_path)
    assert "pas publique" in (result.error or "")


async def test_a_table_past_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is read."""
    monkeypatch.setattr(commune_files, "BIGGEST", 1_000_000)

    assert "taille" in ((await _fetched(Response(b"7" * 2_000_000), tmp_path)).error or "")


@pytest.mark.parametrize("code", ["83137", "33063", "69382"])
async def test_the_deeds_agree_with_the_indicators(address: str, code: str) -> None:
    """The invented deeds of a year lead back to the invented median of that year."""
    async with httpx.AsyncClient(trust_env=False, verify=False) as files:
        market = await CommuneFiles(files, f"{address}/geo-dvf", today=lambda: TODAY).market(code, year=2024)
    found = markets_of(code)
    assert market is not None
    assert found is not None
    for series, kind in zip(found, ("flat", "house"), strict=True):
        price = market.price(kind, year=2024)  # type: ignore[arg-type]
        expected = sales(series, 2024)
        assert abs(price.n - expected) <= max(5, 0.06 * expected)
        if expected >= 100:
            assert abs(price.median / median(series, 2024) - 1) < 0.12  # type: ignore[union-attr]
