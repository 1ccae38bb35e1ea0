"""The language models of the composition root: who writes, and who reads."""

from contextlib import AsyncExitStack
from typing import Final

from bot.settings import Settings
from corpus.places import Gazetteer
from pipeline.llm.cascade import Cascade
from pipeline.llm.openai import OpenAIChatModel
from pipeline.understanding.model.reader import ModelReader

OTHER_PROVIDERS: Final = (
    ("mistral_api_key", "https://api.mistral.ai/v1", "mistral-small-latest"),
    ("groq_api_key", "https://api.groq.com/openai/v1", "llama-3.3-70b-versatile"),
    ("gemini_api_key", "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash"),
)
OLLAMA_MODEL: Final = "mistral-small"


def models_of(settings: Settings, *, reading: bool = False) -> list[OpenAIChatModel]:
    """The configured providers, in the order in which they are tried; `reading`: the first with its reader's model."""
    found: list[OpenAIChatModel] = []
    if settings.openai_api_key or settings.openai_base_url:
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
        name = (settings.openai_reader_model if reading else "") or settings.openai_model
        found.append(OpenAIChatModel(name, api_key=key, base_url=settings.openai_base_url))
    for setting, base_url, model in OTHER_PROVIDERS:
        if secret := getattr(settings, setting):
            found.append(OpenAIChatModel(model, api_key=secret.get_secret_value(), base_url=base_url))
    if settings.ollama_url:
        found.append(OpenAIChatModel(OLLAMA_MODEL, api_key="none", base_url=f"{settings.ollama_url}/v1"))
    return found


def build_model_reader(settings: Settings, connections: AsyncExitStack, *, places: Gazetteer) -> ModelReader | None:
    """Over connections and a cascade of its own: what the writer meets with must not open the reader's breakers."""
    models = models_of(settings, reading=True)
    if not models:
        return None
    for one in models:
        connections.push_async_callback(one.aclose)
    share = settings.reader_seconds / min(len(models), 2)  # time for the next provider after one that hangs
    return ModelReader(Cascade(models, seconds=share), places=places, seconds=settings.reader_seconds)
