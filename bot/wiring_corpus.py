"""The passage index and the embedders: Settings -> adapters."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import structlog

from bot.sealing import Sealing
from bot.settings import Settings
from bot.wiring_embedders import Embedders, open_embedders
from corpus.closeness import SHIPPED_SENTENCES, LocalSense, SentenceCloseness
from corpus.errors import IndexUnavailable, StaleIndex
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.index.ranking import FITTED
from corpus.index.versioned import VersionedIndex, file_of, live_file
from corpus.ingest import ingest
from corpus.ports import Embedder, PassageArchive, StagedIndex
from corpus.questions.bank import QuestionBank, load_bank
from corpus.sources.articles import read_articles
from corpus.types import SHARED_TENANT, is_built_in
from corpus.vectors import StoredVectors

log = structlog.get_logger()

RETRY_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True)
class Corpus:
    """The passage index and its embedder; `own`: the local embedder, which reads messages and goes with the bank;
    `local`: see `Deps`."""

    index: PassageArchive
    embedder: Embedder
    own: Embedder
    closeness: SentenceCloseness
    bank: QuestionBank
    local: LocalSense | None = None


@asynccontextmanager
async def open_corpus(settings: Settings) -> AsyncIterator[Corpus]:
    """The index as it is; closed at the end of the block. Raises `WrongSetting` where no embedder is to be had."""
    async with AsyncExitStack() as connections:
        known = StoredVectors()
        embedders = await open_embedders(settings, connections, known)
        index = _index(settings, embedders)
        connections.push_async_callback(index.aclose)
        own = embedders.local
        closeness = SentenceCloseness(own, StoredVectors(SHIPPED_SENTENCES))
        bank = await asyncio.to_thread(load_bank, own.version)
        local = LocalSense(own, known) if embedders.is_remote else None
        yield Corpus(index, embedders.search, own, closeness, bank, local)


@asynccontextmanager
async def staged_index(settings: Settings) -> AsyncIterator[StagedIndex | None]:
    """The version of today's analyser and embedder, whatever is live; None where the index renews itself in place."""
    async with AsyncExitStack() as connections:
        embedders = await open_embedders(settings, connections, {})
        if settings.weaviate_url is None and live_file(settings.var_dir) in (None, _file(embedders)):
            yield None
            return
        index = _index(settings, embedders, staged=True)
        connections.push_async_callback(index.aclose)
        yield index


def _index(settings: Settings, embedders: Embedders, *, staged: bool = False) -> StagedIndex:
    """The second look's weights and the mean vector are the local embedder's; another's order is the plain hybrid's."""
    mean = load_mean_vector(embedders.search.version)
    weights = None if embedders.is_remote else FITTED
    if settings.weaviate_url is None:
        seal = Sealing(settings.text_keys)

        def opened(path: Path) -> EmbeddedIndex:
            return EmbeddedIndex(path, mean_vector=mean, weights=weights, seal=seal)

        return VersionedIndex(settings.var_dir, own=_file(embedders), opened=opened, staged=staged)
    from corpus.index.weaviate import WeaviateIndex  # a second of imports that only its users pay

    return WeaviateIndex(
        settings.weaviate_url,
        grpc_port=settings.weaviate_grpc_port,
        version=embedders.search.version,
        dimensions=embedders.search.dimensions,
        api_key=settings.weaviate_api_key.get_secret_value() if settings.weaviate_api_key else None,
        mean_vector=mean,
        weights=weights,
        staged=staged,
    )


def _file(embedders: Embedders) -> str:
    return file_of(embedders.search.version, local=not embedders.is_remote)


@asynccontextmanager
async def build_corpus(settings: Settings) -> AsyncIterator[Corpus]:
    """The index with the built-in articles up to date. An index that is down does not keep the bot from starting:
    answers say so, and the articles follow when it is back."""
    async with open_corpus(settings) as corpus:
        held = await _built_in(corpus)
        keeping = asyncio.create_task(_keep_built_in(corpus, held=held))
        try:
            yield corpus
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def _keep_built_in(corpus: Corpus, *, held: bool) -> None:
    """Put in again what a damaged index lost, and put in what one that was down could not take."""
    while True:
        await asyncio.sleep(RETRY_SECONDS)
        with contextlib.suppress(IndexUnavailable, StaleIndex):
            names = await corpus.index.digests(tenant=SHARED_TENANT)
            held = held and any(map(is_built_in, names))
        held = held or await _built_in(corpus)


async def _built_in(corpus: Corpus) -> bool:
    """Whether the built-in articles are in the index, after putting in what was missing."""
    articles = await asyncio.to_thread(lambda: list(read_articles()))
    try:
        await corpus.index.ping()  # its time limit is a search's: a silent server must not hold up the start
        report = await ingest(
            articles, index=corpus.index, embedder=corpus.embedder, tenant=SHARED_TENANT, retire=is_built_in
        )
    except (IndexUnavailable, StaleIndex) as error:
        log.warning("corpus_late", reason=str(error), retry_in_s=RETRY_SECONDS)
        return False
    log.info("corpus_ready", **asdict(report))
    return True
