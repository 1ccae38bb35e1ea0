"""The index in one SQLite file: FTS5 on analysed text beside exact vectors; several processes may share the file."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.french import distinct
from corpus.index import bm25, ranking, rows
from corpus.index.centre import Centring
from corpus.index.file import READERS, IndexFile
from corpus.index.fusion import ALPHA, DEPTH, Key, best, fuse
from corpus.index.ranking import FITTED, Hit, Weights
from corpus.index.snapshot import Snapshot
from corpus.ports import Vector
from corpus.types import Filters, Passage

T = TypeVar("T")


@dataclass(slots=True)
class _Found:
    """What one search gathers over its tenants."""

    dense: dict[Key, float] = field(default_factory=dict)
    terms: dict[Key, list[str]] = field(default_factory=dict)
    rows: dict[Key, int] = field(default_factory=dict)
    similarities: dict[Key, float] = field(default_factory=dict)
    closeness: dict[Key, float] = field(default_factory=dict)
    statistics: list[bm25.Statistics] = field(default_factory=list)


class EmbeddedIndex:
    """`PassageArchive` in the file `path`, made at the first call. `alpha`: weight of the dense leg in the fusion;
    `centre`: what both sides of a cosine lose before vectors are ranked; `weights`: of the second look, None for none.

    Several tenants are searched as if they were one index: cosines compare as they are, and BM25 is computed under
    the document frequencies of exactly the tenants asked for. Ranks or per-tenant relative scores would instead give
    the best of three unrelated notes the same weight as the best of the whole corpus.
    """

    def __init__(
        self,
        path: Path,
        *,
        alpha: float = ALPHA,
        centre: Vector | None = None,
        weights: Weights | None = FITTED,
    ) -> None:
        self._file = IndexFile(path)
        self._alpha = alpha
        self._centring = Centring(centre)
        self._weights = weights
        self._writing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index-write")
        self._reading = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="index-read")
        self._closed = False
        self._snapshots: dict[int, Snapshot] = {}
        self._following = Lock()

    async def upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        *,
        tenant: str,
        digest: str,
    ) -> None:
        """Replace the document's passages in one transaction. Raises `IndexUnavailable`, `VectorMismatch`."""
        if vectors is not None and (vectors.ndim != 2 or len(vectors) != len(passages)):
            raise VectorMismatch
        await self._in(self._writing, lambda: self._upsert(document_id, passages, vectors, tenant, digest))

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        """Best first. Raises `IndexUnavailable`, and `VectorMismatch` for a vector of another embedder."""
        return await self._in(self._reading, lambda: self._search(text, vector, tenants, filters, limit))

    async def delete(self, document_ids: Sequence[str], *, tenant: str) -> int:
        return await self._in(self._writing, lambda: self._delete(document_ids, tenant))

    async def digests(self, *, tenant: str) -> Mapping[str, str]:
        return await self._in(self._reading, lambda: self._digests(tenant))

    async def tenants(self) -> list[str]:
        """Who has documents here, by name."""
        return await self._in(self._reading, self._tenants)

    async def passages(self, document_id: str, *, tenant: str) -> list[Passage]:
        """The document as stored, in reading order."""
        return await self._in(self._reading, lambda: self._passages(document_id, tenant))

    async def ping(self) -> None:
        await self._in(self._reading, lambda: self._digests(""))

    async def aclose(self) -> None:
        """Waits for what runs; further calls raise `IndexUnavailable`."""
        await asyncio.to_thread(self._close)

    async def _in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._closed:
            raise IndexUnavailable("La base documentaire est fermée.")
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    # Everything below runs in the threads above.

    def _close(self) -> None:
        self._closed = True
        self._writing.shutdown()
        self._reading.shutdown()
        self._file.close()

    def _upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        tenant: str,
        digest: str,
    ) -> None:
        analysed = [(passage, rows.lexical_terms(passage)) for passage in passages]
        with self._file.writes() as connection:
            state = rows.open_tenant(connection, tenant)
            rows.remove(connection, state, [document_id])
            rows.insert(connection, state, analysed, vectors)
            connection.execute("insert into document values (?, ?, ?)", (state[0], document_id, digest))

    def _delete(self, document_ids: Sequence[str], tenant: str) -> int:
        with self._file.writes() as connection:
            if rows.tenant_state(connection, tenant) is None:
                return 0
            state = rows.open_tenant(connection, tenant)
            return rows.remove(connection, state, document_ids)

    def _digests(self, tenant: str) -> dict[str, str]:
        with self._file.reads() as connection:
            found = connection.execute(
                "select document.id, digest from document join tenant on tenant.id = tenant where name = ?", (tenant,)
            )
            return dict(found.fetchall())

    def _tenants(self) -> list[str]:
        with self._file.reads() as connection:
            found = connection.execute("select distinct name from document join tenant on tenant.id = tenant")
            return sorted(name for (name,) in found)

    def _passages(self, document_id: str, tenant: str) -> list[Passage]:
        with self._file.reads() as connection:
            ordered = rows.rows_of_document(connection, document_id, tenant)
            stored = rows.passages_of(connection, ordered)
        return [stored[row] for row in ordered]

    def _search(
        self, text: str, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        found, hits = self._hits(text, vector, tenants, filters, max(limit, DEPTH))
        query = distinct(text)
        return [
            replace(
                hits[key].passage,
                score=score,
                similarity=found.similarities.get(key),
                coverage=_coverage(query, hits[key].terms),
            )
            for key, score in ranking.reordered(text, hits, weights=self._weights)[:limit]
        ]

    def _hits(
        self, text: str, vector: Vector | None, tenants: Sequence[str], filters: Filters, depth: int
    ) -> tuple[_Found, dict[Key, Hit]]:
        """What the legs found, fused, best first."""
        query = distinct(text)
        found = _Found()
        with self._file.reads() as connection:
            for tenant in dict.fromkeys(tenants):
                self._gather(connection, tenant, query, vector, filters, found)
            lexical = bm25.scores(query, found.terms, over=bm25.pooled(found.statistics))
            dense = None if vector is None else best(found.dense)
            fused = fuse(dense, best(lexical), alpha=self._alpha)[:depth]
            stored = rows.passages_of(connection, [found.rows[key] for key, _ in fused])
        hits = {
            key: Hit(stored[found.rows[key]], found.terms[key], score, found.closeness.get(key))
            for key, score in fused
            if found.rows[key] in stored
        }
        return found, hits

    def _gather(
        self,
        connection: sqlite3.Connection,
        tenant: str,
        query: Sequence[str],
        vector: Vector | None,
        filters: Filters,
        found: _Found,
    ) -> None:
        state = rows.tenant_state(connection, tenant)
        if state is None:
            return
        snapshot = self._snapshot(connection, *state)
        allowed = snapshot.allowed(filters)
        centred = None if vector is None else self._centring.centred(vector)
        near = {} if centred is None else snapshot.nearest(centred, allowed, DEPTH)
        said: list[int] = []
        if query:
            hits = (row for row in rows.matching(connection, state[0], query) if snapshot.holds(row, allowed))
            said = list(islice(hits, DEPTH))
            found.statistics.append(rows.statistics(connection, state[0], query))
        candidates = list(dict.fromkeys([*near, *said]))
        terms = rows.terms_of(connection, state[0], candidates)
        figures = {}
        if vector is not None and centred is not None:
            figures = snapshot.figures(candidates, vector, centred)
        for row, name in rows.names_of(connection, candidates).items():
            key = (name, tenant)
            found.rows[key], found.terms[key] = row, terms.get(row, [])
            if row in figures:
                found.similarities[key], found.closeness[key] = figures[row]
            if row in near:
                found.dense[key] = near[row]

    def _snapshot(self, connection: sqlite3.Connection, tenant: int, generation: int) -> Snapshot:
        with self._following:
            snapshot = self._snapshots.get(tenant) or Snapshot(tenant, centring=self._centring)
            self._snapshots[tenant] = snapshot.follow(connection, generation)
            return self._snapshots[tenant]


def _coverage(query: Sequence[str], terms: Sequence[str]) -> float:
    return len(set(query) & set(terms)) / len(query) if query else 0.0
