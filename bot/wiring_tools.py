"""The tools of an answer: Settings -> adapters, each with its own connections. The wiring's part that grew most."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import httpx

from bot.settings import Settings
from corpus.places import Gazetteer
from corpus.ports import Embedder
from corpus.status import load_status
from corpus.zones import load_zones
from pipeline.ports import CrmReader, Tool
from pipeline.tools.cache import CachedTool
from pipeline.tools.calculator import CalculatorTool
from pipeline.tools.comparison import ComparisonTool
from pipeline.tools.crm.tool import CrmTool
from pipeline.tools.datagouv.server import DataGouv
from pipeline.tools.datagouv.tool import OpenDataTool
from pipeline.tools.dpe import DpeTool
from pipeline.tools.dvf.commune_files import CommuneFiles
from pipeline.tools.dvf.local import LocalSales
from pipeline.tools.facts import FactsTool
from pipeline.tools.geocoding import Geocoder
from pipeline.tools.json_service import SECONDS, JsonService
from pipeline.tools.rents import RentsTool
from pipeline.tools.risks.address import AddressRisks
from pipeline.tools.risks.tool import RisksTool
from pipeline.tools.sales.cerema import SalesTool
from pipeline.tools.sales.chain import ChainLink, SalesChain
from pipeline.tools.sales.statistics import DvfStatistics
from pipeline.tools.status import StatusTool
from pipeline.tools.web import DOMAINS, WebTool
from pipeline.tools.zones import Zoning

PARIS = ZoneInfo("Europe/Paris")
CEREMA_SECONDS, FALLBACK_SECONDS = 3.0, 2.5
GEOCODING_SECONDS, POINT_SECONDS = 3.5, 3.5
"""Each pair together under the toolbox's limit of one call, so that a slow first source leaves time for the next."""


async def build_tools(
    settings: Settings, connections: AsyncExitStack, *, crm: CrmReader | None, places: Gazetteer, embedder: Embedder
) -> dict[str, Tool]:
    """By name; `connections` closes what they opened. Without a key there is no web search, without a CRM no `crm`."""

    certificates = await asyncio.to_thread(httpx.create_ssl_context)  # once: reading them takes longer than a request

    async def client(url: str) -> httpx.AsyncClient:
        made = httpx.AsyncClient(base_url=url, follow_redirects=False, verify=certificates)
        return await connections.enter_async_context(made)

    async def source(url: str, label: str, *, seconds: float = SECONDS) -> JsonService:
        return JsonService(await client(url), label=label, keep=settings.tool_cache_seconds, seconds=within(seconds))

    def within(seconds: float) -> float:
        return min(seconds, settings.tool_seconds)

    zones = await source(settings.tabular_api_url, "la liste du zonage A, B, C")
    at_address = AddressRisks(
        Geocoder(await source(settings.geocoding_url, "le géocodage national", seconds=GEOCODING_SECONDS)),
        await source(settings.georisques_url, "Géorisques", seconds=POINT_SECONDS),
    )
    portal = DataGouv(settings.datagouv_mcp_url, seconds=within(FALLBACK_SECONDS))
    connections.push_async_callback(portal.aclose)
    cerema = SalesTool(await client(settings.dvf_api_url), today=_today, timeout=within(CEREMA_SECONDS))
    rents = RentsTool(await source(settings.tabular_api_url, "la carte des loyers"))
    dpe = DpeTool(await source(settings.ademe_url, "le service de données de l'ADEME"), today=_today)
    files = httpx.AsyncClient(follow_redirects=False, verify=certificates, trust_env=False)
    deeds = CommuneFiles(await connections.enter_async_context(files), settings.dvf_files_url, today=_today)
    local = LocalSales(settings.var_dir / "dvf", online=deeds)
    sales = _sales(cerema, portal, local, beside=(rents, dpe))
    tools: list[Tool] = [
        CachedTool(sales, seconds=settings.tool_cache_seconds),
        *_on_record(),
        StatusTool(load_status(), places, today=_today, zoning=Zoning(load_zones(), places, live=zones)),
        RisksTool(await source(settings.georisques_url, "Géorisques"), places, today=_today, at_address=at_address),
        rents,
        dpe,
        CachedTool(OpenDataTool(portal, today=_today), seconds=settings.tool_cache_seconds),
    ]
    if settings.tavily_api_key is not None:
        web = await source(settings.tavily_api_url, "la recherche sur les sites officiels")
        key = settings.tavily_api_key.get_secret_value()
        domains, reach = settings.official_domains or DOMAINS, settings.reach
        keep = settings.tool_cache_seconds
        tools.append(WebTool(web, key=key, today=_today, domains=domains, reach=reach, keep=keep))
    if crm is not None:
        tools.append(CrmTool(crm, embedder=embedder))
    return {tool.name: tool for tool in tools}


def _on_record() -> tuple[Tool, ...]:
    """Those that ask nobody."""
    return CalculatorTool(), ComparisonTool(), FactsTool()


def _sales(cerema: SalesTool, portal: DataGouv, local: LocalSales, *, beside: Sequence[Tool]) -> SalesChain:
    statistics = DvfStatistics(portal)
    steps = (
        ChainLink("Cerema", cerema),
        ChainLink("Statistiques DVF", statistics, wider=statistics),
        ChainLink("fichiers DVF", local, deeds=True),
    )
    return SalesChain(steps, beside=beside, today=_today)


def _today() -> date:
    return datetime.now(UTC).astimezone(PARIS).date()


def texts_told(settings: Settings) -> str:
    """What of the texts at rest is encrypted."""
    if not settings.text_keys:
        return ""
    others = len(settings.text_keys) - 1
    plural = "s" if others > 1 else ""
    old = f", {others} ancienne{plural} clé{plural} encore admise{plural}" if others else ""
    return f", textes chiffrés{old}{' (pas dans Weaviate)' if settings.weaviate_url else ''}"


def readers_told(settings: Settings) -> str:
    """Who else than its adviser reads a deal, where that is limited."""
    if settings.deal_readers is None:
        return ""
    others = len(settings.deal_readers)
    return ", dossiers lus par leur conseiller" + (
        f" et par {others} autre{'s' if others > 1 else ''}" if others else ""
    )
