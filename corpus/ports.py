"""The seams of the corpus: an embedder and a passage index."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from corpus.types import SHARED_TENANT, Filters, Passage

Vector = NDArray[np.float32]


class TextSeal(Protocol):
    """How a team's texts are kept in a file, and read again."""

    def sealed(self, text: str) -> str: ...

    def opened(self, stored: str) -> str: ...


class Embedder(Protocol):
    """Turns text into unit-norm float32 vectors."""

    @property
    def version(self) -> str:
        """Name and version; part of every cache key and of a collection's name."""

    @property
    def dimensions(self) -> int: ...

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions). Raises `EmbedderUnavailable`."""

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions). Raises `EmbedderUnavailable`."""


def is_public_only(embedder: Embedder) -> bool:
    """Whether what a team added stays away from it: it is on another machine, and nobody said that this may be."""
    return bool(getattr(embedder, "public_only", False))


def taken_at_once(embedder: Embedder) -> int:
    """Passages that it embeds best in one call, where somebody is told of every call."""
    return int(getattr(embedder, "at_once", 4))


def embedder_for(tenant: str, embedder: Embedder | None) -> Embedder | None:
    """None where the tenant's texts may not go to it: they are found by words alone."""
    return None if embedder is None or (tenant != SHARED_TENANT and is_public_only(embedder)) else embedder


class Reranker(Protocol):
    """Reads a question and a text together, which says more than two vectors do."""

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One a text, in the order given; higher is better, comparable within one call only. Raises
        `RerankerUnavailable`."""


class PassageIndex(Protocol):
    """Hybrid search over passages, one tenant per Slack team plus `SHARED_TENANT`. Raises `IndexUnavailable`."""

    async def upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        *,
        tenant: str,
        digest: str,
    ) -> None:
        """Replace the document's passages in one transaction; `digest` identifies its content."""

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        """Best first, fused by relative score (alpha 0.5); lexical leg alone when `vector` is None."""

    async def delete(self, document_ids: Sequence[str], *, tenant: str) -> int:
        """How many documents were removed."""

    async def digests(self, *, tenant: str) -> Mapping[str, str]:
        """document id -> content digest of everything indexed for the tenant."""

    async def ping(self) -> None:
        """Returns when the index answers; raises `IndexUnavailable` otherwise."""

    async def aclose(self) -> None: ...


def is_stale(index: PassageIndex) -> bool:
    """Whether it holds another embedder's or analyser's version: it would refuse what is written, once embedded."""
    return bool(getattr(index, "stale", False))


class PassageArchive(PassageIndex, Protocol):
    """An index that also tells what it holds, so that it can be indexed again. Raises `IndexUnavailable`."""

    async def tenants(self) -> list[str]:
        """Who has documents, by name."""

    async def passages(self, document_id: str, *, tenant: str) -> list[Passage]:
        """The document's passages in reading order; empty for an unknown one."""


class StagedIndex(PassageArchive, Protocol):
    """A version of the corpus that is filled beside the one being read."""

    async def go_live(self) -> None:
        """Readers that connect from now on read this version."""

    async def prune(self) -> list[str]:
        """Remove the versions that are neither live nor this one; their names."""
