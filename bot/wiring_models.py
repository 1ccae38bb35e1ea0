"""The language models of the composition root: who writes, who reads, who judges; each over connections and a cascade
of its own, so that what one meets with does not open another's breakers. And the reranking service."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final, Literal

import httpx

from bot.conversations.budgets import Budgets
from bot.errors import WrongSetting
from bot.settings import Settings
from corpus.places import Gazetteer
from corpus.ports import Reranker
from corpus.reranking import HttpReranker
from pipeline.llm.cascade import Cascade
from pipeline.llm.judging import ModelJudge
from pipeline.llm.measured import Measured
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.llm.pseudonymous import Pseudonymous
from pipeline.llm.writing import ModelWriter
from pipeline.metering.costs import Price, price_of
from pipeline.metering.telemetry import SILENT, Telemetry
from pipeline.ports import ChatModel, Judge, Writer
from pipeline.understanding.model.reader import ModelReader

Job = Literal["write", "read", "judge"]
OTHER_PROVIDERS: Final = (
    ("mistral_api_key", "mistral_model", "https://api.mistral.ai/v1"),
    ("groq_api_key", "groq_model", "https://api.groq.com/openai/v1"),
    ("gemini_api_key", "gemini_model", "https://generativelanguage.googleapis.com/v1beta/openai"),
)
SILENCE: Final = 4 / 9
"""Share of a draft's time that a provider may be silent, before or between its pieces: 20 s of 45."""
RERANKER_SECONDS: Final = 5.0
FREE: Final = Price(0.0, 0.0)
"""On a machine of the firm's own."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One model at one address, and what it costs, if that is known."""

    model: str
    base_url: str | None
    key: str
    price: Price | None


def providers_of(settings: Settings, job: Job = "write") -> list[Provider]:
    """The configured ones, in the order in which they are tried; the first may have a model of its own for a job."""
    found: list[Provider] = []
    own = {"write": "", "read": settings.openai_reader_model, "judge": settings.openai_judge_model}[job]
    if settings.openai_api_key or settings.openai_base_url:
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
        name = own or settings.openai_model
        found.append(Provider(name, settings.openai_base_url, key, price_of(name, settings.prices)))
    for secret, model, base_url in OTHER_PROVIDERS:
        if key_of := getattr(settings, secret):
            name = getattr(settings, model)
            found.append(Provider(name, base_url, key_of.get_secret_value(), price_of(name, settings.prices)))
    if settings.ollama_url:
        price = settings.prices.get(settings.ollama_model, FREE)
        found.append(Provider(settings.ollama_model, f"{settings.ollama_url}/v1", "none", price))
    return found


def models_told(settings: Settings) -> str:
    """The writing models in one line, with the day of their prices."""
    return ", ".join(f"{one.model} ({_priced(one.price)})" for one in providers_of(settings))


def _priced(price: Price | None) -> str:
    if price is None:
        return "prix inconnu : coût non calculé, voir MODEL_PRICES"
    if price == FREE:
        return "sans coût"
    return f"prix lu le {price.as_of:%d/%m/%Y}" if price.as_of else "prix de MODEL_PRICES"


def budgets_of(settings: Settings) -> Budgets:
    """Raises `WrongSetting` where a budget is set and a model has no price: it could not be held."""
    budgets = Budgets(settings.budget_per_answer, settings.budget_per_person, settings.budget_per_day)
    jobs: tuple[Job, ...] = ("write", "read", "judge")
    unpriced = dict.fromkeys(p.model for job in jobs for p in providers_of(settings, job) if p.price is None)
    if budgets.any and unpriced:
        raise WrongSetting(f"MODEL_PRICES : un budget demande le prix de {', '.join(unpriced)}, comme nom=0,4/1,6.")
    return budgets


def build_writer(settings: Settings, connections: AsyncExitStack, telemetry: Telemetry = SILENT) -> Writer | None:
    """None without any provider. One that is silent for SILENCE of the time gives way to the next."""
    silence = SILENCE * settings.writer_seconds
    models = _models(settings, "write", connections, settings.writer_seconds, telemetry)
    if not models:
        return None
    return ModelWriter(Pseudonymous(Cascade(models, seconds=silence)), first=3 * silence, stall=silence)


def build_model_reader(
    settings: Settings, connections: AsyncExitStack, telemetry: Telemetry = SILENT, *, places: Gazetteer
) -> ModelReader | None:
    models = _models(settings, "read", connections, settings.reader_seconds, telemetry)
    if not models:
        return None
    share = settings.reader_seconds / min(len(models), 2)  # time for the next provider after one that hangs
    return ModelReader(Pseudonymous(Cascade(models, seconds=share)), places=places, seconds=settings.reader_seconds)


def build_judge(settings: Settings, connections: AsyncExitStack, telemetry: Telemetry = SILENT) -> Judge | None:
    """None without any provider, or where MODEL_JUDGE is off."""
    if not settings.model_judge:
        return None
    models = _models(settings, "judge", connections, settings.judge_seconds, telemetry)
    if not models:
        return None
    return ModelJudge(Pseudonymous(Cascade(models, seconds=settings.judge_seconds / min(len(models), 2))))


def _models(
    settings: Settings, job: Job, connections: AsyncExitStack, seconds: float, telemetry: Telemetry
) -> list[ChatModel]:
    limits = Limits(read=SILENCE * seconds if job == "write" else seconds, total=seconds)
    effort = settings.openai_reasoning_effort
    found: list[ChatModel] = []
    for one in providers_of(settings, job):
        model = OpenAIChatModel(
            one.model, api_key=one.key, base_url=one.base_url, limits=limits, price=one.price, effort=effort
        )
        connections.push_async_callback(model.aclose)
        found.append(model if telemetry is SILENT else Measured(model, telemetry, job, one.base_url))
    return found


async def build_reranker(settings: Settings, connections: AsyncExitStack) -> Reranker | None:
    """None without RERANKER_URL."""
    if settings.reranker_url is None:
        return None
    client = await connections.enter_async_context(httpx.AsyncClient(timeout=RERANKER_SECONDS))
    key = settings.reranker_api_key.get_secret_value() if settings.reranker_api_key else None
    return HttpReranker(client, settings.reranker_url, api_key=key, model=settings.reranker_model)
