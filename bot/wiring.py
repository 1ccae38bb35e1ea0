"""The composition root: Settings -> adapters. The only file that names them, with those beside it."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog

from bot.conversations.reading_deals import NO_CRM
from bot.crm.reader import HubspotReader
from bot.crm.transport import connect
from bot.crm.writer import HubspotWriter
from bot.digests.deals import OpenDeals
from bot.digests.gathering import Sources
from bot.documents.web_sources import WebIngestion
from bot.installation.portals import OpenPortal
from bot.jobs import Services
from bot.logs import hide_names
from bot.ports import Crm, Portals
from bot.printing.sheet import Letterhead
from bot.proposals.lifecycle import Terms
from bot.rights import DealReaders
from bot.settings import Settings
from bot.store.database import Database
from bot.store.opening import open_database
from bot.wiring_cache import build_cache
from bot.wiring_corpus import Corpus, build_corpus
from bot.wiring_embedders import embedder_told
from bot.wiring_models import budgets_of, build_judge, build_model_reader, build_reranker, build_writer, models_told
from bot.wiring_news import news_ingestion_of, news_told
from bot.wiring_slack import workspaces_connected
from bot.wiring_telemetry import telemetry_told
from bot.wiring_tools import PARIS, build_tools, readers_told, texts_told
from corpus.places import load_gazetteer
from corpus.sources.files.walls import standing as walls
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.metering.telemetry import SILENT, Telemetry
from pipeline.ports import Deps
from pipeline.understanding.offline.reader import OfflineReader

log = structlog.get_logger()

OWN_CRM = "HubSpot : chaque espace connecte le sien depuis l'accueil"
NO_WEB = "Recherche web : désactivée (TAVILY_API_KEY manque)"
NO_MODEL = "Sans modèle de langue : phrases extraites des sources"
NO_WALLS = "Fichiers déposés : lus sans les cloisons du noyau (ni Landlock ni seccomp)"


def _crm_told(settings: Settings) -> str:
    if settings.any_workspace and settings.hubspot_client_id:
        return OWN_CRM
    return f"HubSpot : {settings.hubspot_api_url}{readers_told(settings)}" if settings.hubspot_token else NO_CRM


def parts_of(settings: Settings) -> tuple[str, ...]:
    """One sentence a part: what is connected, what is embedded, what is off."""
    models = models_told(settings)
    return (
        f"Base : {'SQLite' if settings.database_url.startswith('sqlite') else 'PostgreSQL'}{texts_told(settings)}",
        f"Corpus : Weaviate {settings.weaviate_url}" if settings.weaviate_url else "Corpus : index embarqué",
        *embedder_told(settings),
        f"Modèle : {models}" if models else NO_MODEL,
        _crm_told(settings),
        f"Prix : {settings.dvf_api_url}",
        f"Risques : {settings.georisques_url}",
        f"Recherche web : {settings.tavily_api_url}" if settings.tavily_api_key else NO_WEB,
        news_told(settings),
        *telemetry_told(settings),
        *([] if walls() else [NO_WALLS]),
    )


@asynccontextmanager
async def build_deps(
    settings: Settings, *, crm: Crm | None = None, corpus: Corpus | None = None, telemetry: Telemetry = SILENT
) -> AsyncIterator[Deps]:
    """All that an answer needs. A corpus that is given stays its giver's to close."""
    crm = crm or build_crm(settings)
    async with AsyncExitStack() as connections:
        if corpus is None:
            corpus = await connections.enter_async_context(build_corpus(settings))
        writer = build_writer(settings, connections, telemetry)
        places = await asyncio.to_thread(load_gazetteer)
        fallback = ExtractiveWriter(corpus.closeness, bank=corpus.bank, places=places)
        connections.callback(gc.unfreeze)
        gc.freeze()  # a collection that walks all places and vectors again would hold up an answer by 0.1 s
        yield Deps(
            index=corpus.index,
            embedder=corpus.embedder,
            bank=corpus.bank,
            local=corpus.local,
            places=places,
            tools=await build_tools(
                settings, connections, crm=crm.reader if crm else None, places=places, embedder=corpus.own
            ),
            reader=OfflineReader(corpus.own, places=places),
            writer=writer or fallback,
            fallback=fallback,
            now=_now,
            model_reader=build_model_reader(settings, connections, telemetry, places=places),
            crm=crm.reader if crm else None,
            reranker=await build_reranker(settings, connections),
            judge=build_judge(settings, connections, telemetry),
            telemetry=telemetry,
            cache=await build_cache(settings),
            missing=(*(() if writer else (NO_MODEL,)), *(() if crm else (NO_CRM,))),
        )


@asynccontextmanager
async def build_services(settings: Settings, *, telemetry: Telemetry = SILENT) -> AsyncIterator[Services]:
    """What the jobs work with. Raises `WrongSetting` where Slack cannot be reached with what is set."""
    crm, budgets = build_crm(settings), budgets_of(settings)
    async with AsyncExitStack() as opened:
        corpus = await opened.enter_async_context(build_corpus(settings))
        deps = await opened.enter_async_context(build_deps(settings, crm=crm, corpus=corpus, telemetry=telemetry))
        database = open_database(settings.database_url, settings.text_keys)
        opened.callback(database.close)
        connected = workspaces_connected(settings, database, corpus.index, portal_of=partial(portal_of, settings))
        slack, installing = await opened.enter_async_context(connected)
        portals = installing.portals if installing else None
        yield Services(
            database=database,
            slack=slack,
            deps=deps,
            writer=crm.writer if crm else None,
            terms=Terms(approvers=settings.approvers),
            readers=DealReaders(settings.deal_readers),
            letterhead=Letterhead(settings.letterhead_lines, settings.letterhead_logo),
            folder=settings.var_dir,
            web_ingestion=web_ingestion_of(settings, database, corpus),
            news=news_ingestion_of(settings, database, index=corpus.index, embedder=corpus.embedder),
            digests=digest_sources(settings, database, deps, portals),
            budgets=budgets,
            installing=installing,
            portals=portals,
        )


def build_crm(settings: Settings) -> Crm | None:
    """None without HUBSPOT_TOKEN: then no write is ever offered."""
    if settings.hubspot_token is None:
        return None
    return portal_of(settings, settings.hubspot_token.get_secret_value()).crm


def portal_of(settings: Settings, token: str) -> OpenPortal:
    """Reader and writer over one set of connections."""
    transport = connect(token, base_url=settings.hubspot_api_url, told=hide_names)
    reader = HubspotReader(transport)
    return OpenPortal(Crm(reader=reader, writer=HubspotWriter(transport, reader=reader)), transport.renew)


def web_ingestion_of(settings: Settings, database: Database, corpus: Corpus) -> WebIngestion:
    """What pages and feeds are read with, as far as they may be reached."""
    return WebIngestion(
        database=database,
        index=corpus.index,
        embedder=corpus.embedder,
        reach=settings.reach,
        api=settings.mediawiki_url,
        today=lambda: datetime.now(PARIS).date(),
    )


def digest_sources(settings: Settings, database: Database, deps: Deps, portals: Portals | None = None) -> Sources:
    """What digests are made from; CLOCK_OFFSET moves the time that their schedule goes by."""
    offset = timedelta(seconds=settings.clock_offset)
    deals, readers = OpenDeals(deps.crm, deps.places, portals=portals), DealReaders(settings.deal_readers)
    return Sources(database, deps, deals, clock=lambda: _now() + offset, readers=readers)


def _now() -> datetime:
    return datetime.now(UTC)
