"""Documents -> passages -> index, idempotent by content."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace

import numpy as np
import structlog
from numpy.typing import NDArray

from corpus.chunking import CHUNKING_VERSION, chunk, indexed_text
from corpus.errors import EmbedderUnavailable, MalformedArticle, StaleIndex
from corpus.french import ANALYSER_VERSION
from corpus.ports import Embedder, PassageIndex, embedder_for, is_stale
from corpus.types import Document, Passage

log = structlog.get_logger()

Report = Callable[[str], None]
NO_VECTORS = "no-vectors"


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did, in documents; `passages` counts those written. `failed` pairs a document with a reason.

    `without_vectors`: documents indexed by words alone because the embedder failed; the next ingest tries again.
    """

    added: int = 0
    unchanged: int = 0
    replaced: int = 0
    retired: int = 0
    passages: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    without_vectors: int = 0


async def ingest(
    documents: Iterable[Document | MalformedArticle],
    *,
    index: PassageIndex,
    embedder: Embedder | None,
    tenant: str,
    report: Report = lambda line: None,
    retire: Callable[[str], bool] = lambda _id: False,
) -> IngestReport:
    """Index what is new or changed. What the tenant has and `documents` no longer holds goes where `retire` says so.

    A malformed document is reported and leaves its earlier version in place. A team's texts never reach an embedder
    that is for public ones only. Raises `IndexUnavailable`, `StaleIndex`.
    """
    embedder = embedder_for(tenant, embedder)
    known = await index.digests(tenant=tenant)
    if is_stale(index):
        raise StaleIndex  # before anything is embedded for nothing
    seen: set[str] = set()
    done = IngestReport()
    for document in documents:
        if isinstance(document, MalformedArticle):
            seen.add(document.document_id)
            done = replace(done, failed=(*done.failed, (document.document_id, str(document))))
            report(str(document))
            continue
        seen.add(document.id)
        before = done.unchanged
        done = await _one(document, known.get(document.id), done, index=index, embedder=embedder, tenant=tenant)
        report(f"{document.title} : {'inchangé' if done.unchanged > before else 'indexé'}")
    gone = sorted(name for name in set(known) - seen if retire(name))
    if gone:
        done = replace(done, retired=await index.delete(gone, tenant=tenant))
        report(f"Retirés : {', '.join(gone)}")
    return done


def digest(document: Document, *, embedder: str) -> str:
    """`<hash of content and metadata>/<chunking>/<analyser>/<embedder>`: what it says, and what turned it into rows.

    One hash of all would not tell an index which of its documents another analyser or embedder has made.
    """
    content = json.dumps(asdict(document), default=str, sort_keys=True, ensure_ascii=False)
    hashed = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:40]
    return f"{hashed}/{CHUNKING_VERSION}/{ANALYSER_VERSION}/{embedder}"


def renewed(known: str, *, embedder: str) -> str:
    """The digest of the same passages under today's analyser and this embedder; the chunking stays what it was."""
    content, chunking = [*known.split("/"), ""][:2]
    return f"{content}/{chunking}/{ANALYSER_VERSION}/{embedder}"


async def _one(
    document: Document,
    known: str | None,
    done: IngestReport,
    *,
    index: PassageIndex,
    embedder: Embedder | None,
    tenant: str,
) -> IngestReport:
    if known == digest(document, embedder=embedder.version if embedder else NO_VECTORS):
        return replace(done, unchanged=done.unchanged + 1)
    passages = await asyncio.to_thread(chunk, document)  # half a second for three million characters
    vectors = await _vectors(passages, embedder)
    version = embedder.version if embedder and vectors is not None else NO_VECTORS
    current = digest(document, embedder=version)
    lost = int(embedder is not None and vectors is None)
    if known == current:  # the embedder failed last time and does so again: the words are already there
        return replace(done, unchanged=done.unchanged + 1, without_vectors=done.without_vectors + lost)
    await index.upsert(document.id, passages, vectors, tenant=tenant, digest=current)
    return replace(
        done,
        added=done.added + (known is None),
        replaced=done.replaced + (known is not None),
        passages=done.passages + len(passages),
        without_vectors=done.without_vectors + lost,
    )


async def _vectors(passages: list[Passage], embedder: Embedder | None) -> NDArray[np.float32] | None:
    if embedder is None:
        return None
    try:
        return await embedder.passages([indexed_text(passage) for passage in passages])
    except EmbedderUnavailable as error:
        log.warning("embedder_failed", reason=str(error), passages=len(passages))
        return None
