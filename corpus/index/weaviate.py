"""The index in Weaviate: one tenant per team, our analysed text and our vectors, in a collection per version.

Weaviate has no transaction over several objects. A replacement overwrites passages under deterministic ids, then
deletes what is left over, and records the digest last: an ingest that died in between is simply done again.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
import weaviate
from numpy.typing import NDArray
from weaviate.classes.config import Configure, DataType, Property, StopwordsPreset, Tokenization, VectorDistances
from weaviate.classes.data import DataObject
from weaviate.classes.init import AdditionalConfig, Auth
from weaviate.classes.query import Filter, HybridFusion, MetadataQuery
from weaviate.client import WeaviateAsyncClient
from weaviate.collections import CollectionAsync
from weaviate.exceptions import WeaviateBaseError, WeaviateQueryError
from weaviate.util import generate_uuid5

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.french import ANALYSER_VERSION, distinct
from corpus.index import bm25, objects
from corpus.index.fusion import ALPHA, DEPTH
from corpus.index.objects import Candidate
from corpus.ports import Vector
from corpus.types import Filters, Passage

_PASSAGE_FIELDS: Final = {
    "lexical": DataType.TEXT,
    "document": DataType.TEXT,
    "digest": DataType.TEXT,
    "name": DataType.TEXT,
    "position": DataType.INT,
    "title": DataType.TEXT,
    "heading": DataType.TEXT_ARRAY,
    "body": DataType.TEXT,
    "url": DataType.TEXT,
    "category": DataType.TEXT,
    "audience": DataType.TEXT,
    "entities": DataType.TEXT_ARRAY,
    "published": DataType.INT,
    "starts": DataType.INT,
    "ends": DataType.INT,
}
_FILTERED: Final = frozenset({"document", "digest", "category", "audience", "entities", "starts", "ends"})

BATCH: Final = 200
SEARCH_SECONDS: Final = 3.0
WRITE_SECONDS: Final = 30.0
"""A lost gRPC connection is retried for 63 s inside the client, whatever its own time limits say."""


class WeaviateIndex:
    """`PassageIndex` on a server. `version`: the embedder's, part of the collections' names; vectors of another size
    are refused before they are sent. Connects at the first call and again after an outage."""

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
    ) -> None:
        address = urlsplit(url)
        secure = address.scheme == "https"
        host = address.hostname or "localhost"
        self._client: WeaviateAsyncClient = weaviate.use_async_with_custom(
            http_host=host,
            http_port=address.port or (443 if secure else 80),
            http_secure=secure,
            grpc_host=host,
            grpc_port=grpc_port,
            grpc_secure=secure,
            auth_credentials=Auth.api_key(api_key) if api_key else None,
            additional_config=AdditionalConfig(trust_env=False),
            skip_init_checks=True,
        )
        suffix = re.sub(r"[^0-9A-Za-z]", "", f"{ANALYSER_VERSION}{version}")
        self._names = {kind: f"{prefix}{kind}_{suffix}" for kind in ("Passages", "Documents")}
        self._dimensions = dimensions
        self._alpha = alpha
        self._connecting = asyncio.Lock()
        self._ready = False
        self._closed = False

    async def upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        *,
        tenant: str,
        digest: str,
    ) -> None:
        """Raises `IndexUnavailable`, `VectorMismatch`."""
        if vectors is not None and vectors.shape != (len(passages), self._dimensions):
            raise VectorMismatch
        terms = await asyncio.to_thread(lambda: [objects.lexical(passage) for passage in passages])
        rows = [
            DataObject(
                properties=objects.properties(passage, terms[index], digest=digest),
                uuid=generate_uuid5(passage.id),
                vector=None if vectors is None else vectors[index].tolist(),
            )
            for index, passage in enumerate(passages)
        ]
        async with self._connected(WRITE_SECONDS):
            texts, documents = await self._tenant("Passages", tenant), await self._tenant("Documents", tenant)
            await documents.data.delete_many(where=Filter.by_property("document").equal(document_id))
            for start in range(0, len(rows), BATCH):
                done = await texts.data.insert_many(rows[start : start + BATCH])
                if done.has_errors:
                    raise IndexUnavailable("Weaviate a refusé une partie du document : rien n'en est retenu.")
            earlier = Filter.by_property("document").equal(document_id) & Filter.by_property("digest").not_equal(digest)
            await texts.data.delete_many(where=earlier)
            await documents.data.insert(
                {"document": document_id, "digest": digest}, uuid=generate_uuid5(document_id), vector=[0.0]
            )

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        """Raises `IndexUnavailable`, and `VectorMismatch` for a vector of another embedder.

        One tenant: the server's order. Several: their relative scores do not compare, so the hits of all are scored
        again together, by cosine and by BM25 under the frequencies of these hits.
        """
        if vector is not None and vector.shape != (self._dimensions,):
            raise VectorMismatch
        terms = distinct(text)
        if not filters.audiences or (vector is None and not terms):
            return []
        if not (names := list(dict.fromkeys(tenants))):
            return []
        async with self._connected(SEARCH_SECONDS):
            depth = limit if len(names) == 1 else DEPTH
            lists = await asyncio.gather(*(self._hits(terms, vector, name, filters, depth) for name in names))
        hits = lists[0] if len(lists) == 1 else objects.merged(lists, terms, vector, alpha=self._alpha)
        return [objects.found(hit, terms, vector) for hit in hits[:limit]]

    async def delete(self, document_ids: Sequence[str], *, tenant: str) -> int:
        if not document_ids:
            return 0
        where = Filter.by_property("document").contains_any(list(document_ids))
        async with self._connected(WRITE_SECONDS):
            documents = await self._tenant("Documents", tenant)
            removed = await documents.data.delete_many(where=where)
            await (await self._tenant("Passages", tenant)).data.delete_many(where=where)
        return removed.successful

    async def digests(self, *, tenant: str) -> Mapping[str, str]:
        async with self._connected(WRITE_SECONDS):
            documents = await self._tenant("Documents", tenant)
            rows = [row.properties async for row in documents.iterator()]
        return {str(row["document"]): str(row["digest"]) for row in rows}

    async def ping(self) -> None:
        async with self._connected(SEARCH_SECONDS):
            if not await self._client.is_ready():
                raise IndexUnavailable

    async def drop(self) -> None:
        """Remove this version's collections with all they hold."""
        async with self._connected(WRITE_SECONDS):
            for name in self._names.values():
                await self._client.collections.delete(name)
        self._ready = False

    async def aclose(self) -> None:
        self._closed = True
        await self._client.close()

    async def _hits(
        self, terms: Sequence[str], vector: Vector | None, tenant: str, filters: Filters, limit: int
    ) -> list[Candidate]:
        query = self._client.collections.use(self._names["Passages"]).with_tenant(tenant).query
        wanted = {
            "filters": _where(filters),
            "limit": limit,
            "include_vector": True,
            "return_metadata": MetadataQuery(score=True, distance=True),
        }
        words = " ".join(terms)
        try:
            if vector is None:
                reply: Any = await query.bm25(query=words, query_properties=["lexical"], **wanted)
            elif not words:
                reply = await query.near_vector(near_vector=vector.tolist(), **wanted)
            else:
                reply = await query.hybrid(
                    query=words,
                    vector=vector.tolist(),
                    query_properties=["lexical"],
                    alpha=self._alpha,
                    fusion_type=HybridFusion.RELATIVE_SCORE,
                    **wanted,
                )
        except WeaviateQueryError as error:
            if "tenant not found" in str(error):
                return []
            raise
        return objects.candidates(reply.objects, tenant, fused=bool(words) and vector is not None)

    async def _tenant(self, kind: str, tenant: str) -> CollectionAsync[Any, Any]:
        collection = self._client.collections.use(self._names[kind])
        await collection.tenants.create([tenant])
        return collection.with_tenant(tenant)

    @asynccontextmanager
    async def _connected(self, seconds: float) -> AsyncIterator[None]:
        """Within the time limit, with collections in place; the client's errors become `IndexUnavailable`."""
        if self._closed:
            raise IndexUnavailable("La base documentaire est fermée.")
        try:
            async with asyncio.timeout(seconds):
                await self._connect()
                yield
        except (WeaviateBaseError, TimeoutError, OSError) as error:
            raise IndexUnavailable("Weaviate ne répond pas.") from error

    async def _connect(self) -> None:
        async with self._connecting:
            if self._ready:
                return
            await self._client.connect()
            existing = await self._client.collections.list_all()
            for kind, name in self._names.items():
                if name not in existing:
                    await self._client.collections.create(name, **_schema(kind))
            self._ready = True


def _schema(kind: str) -> dict[str, Any]:
    """Creation arguments of the collection of passages or of documents."""
    fields = _PASSAGE_FIELDS if kind == "Passages" else {"document": DataType.TEXT, "digest": DataType.TEXT}
    return {
        "properties": [_property(name, data_type) for name, data_type in fields.items()],
        "multi_tenancy_config": Configure.multi_tenancy(enabled=True, auto_tenant_activation=True),
        "inverted_index_config": Configure.inverted_index(
            bm25_k1=bm25.K1, bm25_b=bm25.B, stopwords_preset=StopwordsPreset.NONE
        ),
        # Flat is exact, like the embedded index, and cheap for the many tenants with few passages.
        "vector_config": Configure.Vectors.self_provided(
            vector_index_config=Configure.VectorIndex.flat(distance_metric=VectorDistances.COSINE)
        ),
    }


def _property(name: str, data_type: DataType) -> Property:
    if data_type == DataType.INT:
        return Property(name=name, data_type=data_type, index_filterable=name in _FILTERED)
    # Our analyser has already split and stemmed: the server must take its terms as they are.
    tokenization = Tokenization.WHITESPACE if name == "lexical" else Tokenization.FIELD
    return Property(
        name=name,
        data_type=data_type,
        tokenization=tokenization,
        index_filterable=name in _FILTERED,
        index_searchable=name == "lexical",
    )


def _where(filters: Filters) -> Any:
    """The filter that the server applies before it ranks."""
    found = Filter.by_property("audience").contains_any(sorted(filters.audiences))
    if filters.categories:
        found = found & Filter.by_property("category").contains_any(sorted(filters.categories))
    if filters.entities:
        found = found & Filter.by_property("entities").contains_any(sorted(filters.entities))
    if filters.in_force_on:
        on = filters.in_force_on.toordinal()
        found = found & Filter.by_property("starts").less_or_equal(on)
        found = found & Filter.by_property("ends").greater_or_equal(on)
    return found
