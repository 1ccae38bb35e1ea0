"""The index in Weaviate: one tenant per team, our analysed text and our vectors, in collections per version.

Weaviate has no transaction over several objects. A replacement overwrites passages under deterministic ids, then
deletes what is left over, and records the digest last: an ingest that died in between is simply done again.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weaviate.classes.data import DataObject
from weaviate.classes.query import Filter, HybridFusion, MetadataQuery
from weaviate.exceptions import WeaviateBaseError
from weaviate.util import generate_uuid5

from corpus.errors import IndexUnavailable, OldSchema, StaleIndex, VectorMismatch
from corpus.french import distinct
from corpus.index import objects, ranking
from corpus.index.centering import Centering
from corpus.index.fusion import ALPHA, DEPTH
from corpus.index.objects import Candidate, Legs
from corpus.index.ranking import FITTED, SecondLook
from corpus.index.weaviate_frequencies import Frequencies
from corpus.index.weaviate_schema import CARRIED, where
from corpus.index.weaviate_versions import Versions
from corpus.ports import Vector
from corpus.types import Filters, Passage

FOREIGN_SCHEMA: Final = (
    "Weaviate contient une collection d'une autre forme, qui ne peut pas être reprise : la supprimer, puis relancer"
    " `python -m bot ingest`."
)
BATCH: Final = 200
PAGE: Final = 1_000
SEARCH_SECONDS: Final = 3.0
WRITE_SECONDS: Final = 30.0
"""A lost gRPC connection is retried for 63 s inside the client, whatever its own time limits say."""


class WeaviateIndex:
    """`PassageArchive` on a server. `version` and `dimensions`: the embedder's; vectors of another size are refused
    before they are sent. Connects at the first call and again after an outage. `alpha`, `mean_vector` and `weights`: as
    for the embedded index; vectors are stored centred. `staged`: see `Versions`."""

    def __init__(
        self,
        url: str,
        *,
        grpc_port: int,
        version: str,
        dimensions: int,
        api_key: str | None = None,
        prefix: str = "Quartier",
        alpha: float = ALPHA,
        mean_vector: Vector | None = None,
        weights: SecondLook | None = FITTED,
        staged: bool = False,
    ) -> None:
        vectors = (
            version if mean_vector is None else f"{version}c{hashlib.sha256(mean_vector.tobytes()).hexdigest()[:6]}"
        )
        self._versions = Versions(
            url, grpc_port=grpc_port, vectors=vectors, api_key=api_key, prefix=prefix, staged=staged
        )
        self._frequencies = Frequencies(self._versions)
        self._dimensions = dimensions
        self._alpha = alpha
        self._centering = Centering(mean_vector)
        self._weights = weights

    @property
    def stale(self) -> bool:
        """Whether what is read comes from another analyser or embedder; as of the last connection."""
        return self._versions.stale and not self._versions.staged

    async def upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        *,
        tenant: str,
        digest: str,
    ) -> None:
        """Raises `IndexUnavailable`, `VectorMismatch`, and `StaleIndex` when another version is live."""
        if vectors is not None and vectors.shape != (len(passages), self._dimensions):
            raise VectorMismatch
        terms = await asyncio.to_thread(lambda: [objects.lexical(passage) for passage in passages])
        stored, lengths = (None, [1.0] * len(passages)) if vectors is None else self._centering.split(vectors)
        rows = [
            DataObject(
                properties=objects.properties(passage, terms[index], digest=digest, length=float(lengths[index])),
                uuid=generate_uuid5(passage.id),
                vector=None if stored is None else stored[index].tolist(),
            )
            for index, passage in enumerate(passages)
        ]
        async with self._versions.reached(WRITE_SECONDS):
            if await self._moved():
                raise StaleIndex
            if self._versions.lacking:
                raise OldSchema
            texts = await self._versions.written("Passages", tenant)
            documents = await self._versions.written("Documents", tenant)
            await documents.data.delete_many(where=Filter.by_property("document").equal(document_id))
            for start in range(0, len(rows), BATCH):
                await _insert(texts, rows[start : start + BATCH])
            earlier = Filter.by_property("document").equal(document_id) & Filter.by_property("digest").not_equal(digest)
            await texts.data.delete_many(where=earlier)
            entry = {"document": document_id, "digest": digest}
            await _insert(documents, [DataObject(properties=entry, uuid=generate_uuid5(document_id), vector=[0.0])])

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        """Raises `IndexUnavailable`, and `VectorMismatch` for a vector of another embedder.

        What the legs of all tenants found is fused here, by cosine and by BM25 under the frequencies of those tenants
        that found something: the second look needs each leg's own scores, and those of two tenants do not compare.
        One tenant without the second look is fused by the server.
        """
        if vector is not None and vector.shape != (self._dimensions,):
            raise VectorMismatch
        terms, asked = distinct(text), ranking.asked(text, weights=self._weights)
        names = list(dict.fromkeys(tenants))
        centred = None if vector is None else self._centering.centred(vector)
        if not names or not filters.audiences or (vector is None and not terms):
            return []
        async with self._versions.reached(SEARCH_SECONDS):
            if self._versions.lacking:
                raise OldSchema
            if vector is not None and self._versions.stale:
                raise StaleIndex
            if self._weights is None and len(names) == 1:
                hits = await self._fused(terms, centred, names[0], filters, limit)
            else:
                hits = (await self._merged(asked, centred, names, filters))[: max(limit, DEPTH)]
        ordered = await asyncio.to_thread(
            lambda: objects.ranked(hits, text, vector, centering=self._centering, weights=self._weights)
        )
        return [objects.found(hit, terms, vector, centering=self._centering) for hit in ordered[:limit]]

    async def delete(self, document_ids: Sequence[str], *, tenant: str) -> int:
        """From what is read, and from what is live where that has moved on."""
        if not document_ids:
            return 0
        where_from = Filter.by_property("document").contains_any(list(document_ids))
        removed = 0
        async with self._versions.reached(WRITE_SECONDS):
            for version in dict.fromkeys((self._versions.followed, await self._versions.live())):
                for kind in ("Documents", "Passages"):
                    collection = self._versions.client.collections.use(self._versions.name(kind, version=version))
                    done = await _known(collection.with_tenant(tenant).data.delete_many(where=where_from))
                    if kind == "Documents" and done is not None:
                        removed = max(removed, done.successful)
        return removed

    async def digests(self, *, tenant: str) -> Mapping[str, str]:
        async with self._versions.reached(WRITE_SECONDS):
            return {
                str(row["document"]): str(row["digest"])
                for row in await _known(_all(self._versions.read("Documents", tenant))) or ()
            }

    async def tenants(self) -> list[str]:
        """Who has documents here, by name."""
        async with self._versions.reached(WRITE_SECONDS):
            collection = self._versions.client.collections.use(self._versions.name("Documents"))
            return sorted(await collection.tenants.get())

    async def passages(self, document_id: str, *, tenant: str) -> list[Passage]:
        """The document as stored, in reading order."""
        wanted = Filter.by_property("document").equal(document_id)
        async with self._versions.reached(WRITE_SECONDS):
            if self._versions.lacking & CARRIED:
                raise IndexUnavailable(FOREIGN_SCHEMA)
            query = self._versions.read("Passages", tenant).query
            reply = await _known(query.fetch_objects(filters=wanted, limit=PAGE * 10))
        rows = [] if reply is None else reply.objects
        return sorted((objects.passage(row.properties) for row in rows), key=lambda found: found.position)

    async def ping(self) -> None:
        async with self._versions.reached(SEARCH_SECONDS):
            await self._versions.live()

    async def go_live(self) -> None:
        """Let every reader that connects from now on read this version."""
        async with self._versions.reached(WRITE_SECONDS):
            await self._versions.go_live()

    async def prune(self) -> list[str]:
        """Remove the versions that are neither live nor this one; their names."""
        async with self._versions.reached(WRITE_SECONDS):
            others = await self._versions.others()
            for version in others:
                await self._versions.remove(version)
        return others

    async def drop(self) -> None:
        """Remove this version's collections with all they hold."""
        async with self._versions.reached(WRITE_SECONDS):
            await self._versions.remove(self._versions.own)

    async def aclose(self) -> None:
        await self._versions.aclose()

    async def _moved(self) -> bool:
        """Whether a write would go to a version that is not, or no longer, the live one's."""
        if self._versions.staged:
            return False
        return self._versions.stale or await self._versions.live() != self._versions.own

    async def _fused(
        self, terms: Sequence[str], centred: Vector | None, tenant: str, filters: Filters, limit: int
    ) -> list[Candidate]:
        """Of one tenant, by the server."""
        if centred is None or not terms:
            legs = await self._legs(dict.fromkeys(terms, 1.0), centred, tenant, filters, limit)
            return objects.scaled([*legs.said, *legs.near])
        asked = self._versions.read("Passages", tenant).query.hybrid(
            query=" ".join(terms),
            vector=centred.tolist(),
            query_properties=["lexical"],
            alpha=self._alpha,
            fusion_type=HybridFusion.RELATIVE_SCORE,
            **_wanted(filters, limit),
        )
        return objects.candidates(await _rows(asked), tenant)

    async def _merged(
        self, asked: Mapping[str, float], centred: Vector | None, names: Sequence[str], filters: Filters
    ) -> list[Candidate]:
        """Of several tenants, as if they were one index."""
        found = await asyncio.gather(*(self._legs(asked, centred, name, filters, DEPTH) for name in names))
        finders = [name for name, legs in zip(names, found, strict=True) if legs.said or legs.near]
        over = await self._frequencies.of(list(asked), tenants=finders) if len(finders) > 1 else None
        return objects.merged(found, asked, centred, over=over, alpha=self._alpha)

    async def _legs(
        self, asked: Mapping[str, float], centred: Vector | None, tenant: str, filters: Filters, limit: int
    ) -> Legs:
        query = self._versions.read("Passages", tenant).query
        wanted = _wanted(filters, limit)
        said = query.bm25(query=objects.weighted(asked), query_properties=["lexical"], **wanted) if asked else None
        near = None if centred is None else query.near_vector(near_vector=centred.tolist(), **wanted)
        rows = await asyncio.gather(_rows(said), _rows(near))
        return Legs(objects.candidates(rows[0], tenant), objects.candidates(rows[1], tenant))


def _wanted(filters: Filters, limit: int) -> dict[str, Any]:
    """What every query has in common."""
    return {
        "filters": where(filters),
        "limit": limit,
        "include_vector": True,
        "return_metadata": MetadataQuery(score=True, distance=True),
    }


async def _rows(asked: Any) -> Sequence[Any]:
    """The objects found; none where nothing was asked or the tenant has nothing yet."""
    reply = None if asked is None else await _known(asked)
    return () if reply is None else reply.objects


async def _insert(collection: Any, rows: Sequence[Any]) -> None:
    """In a batch, which overwrites: two processes that index the same document do not stop each other."""
    done = await collection.data.insert_many(rows)
    if done.has_errors:
        raise IndexUnavailable("Weaviate a refusé une partie du document : rien n'en est retenu.")


async def _all(collection: Any) -> list[Mapping[str, Any]]:
    return [row.properties async for row in collection.iterator(cache_size=PAGE)]


async def _known(asked: Any) -> Any:
    """The reply, or None for a tenant that has nothing yet."""
    try:
        return await asked
    except WeaviateBaseError as error:
        if "tenant not found" in str(error):
            return None
        raise
