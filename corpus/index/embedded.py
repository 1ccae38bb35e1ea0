"""The index in one SQLite file: FTS5 on analysed text beside exact vectors; several processes may share the file."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.french import distinct
from corpus.index import bm25, rows
from corpus.index.fusion import ALPHA, DEPTH, Key, fuse
from corpus.index.snapshot import Snapshot
from corpus.ports import Vector
from corpus.types import Filters, Passage

READERS: Final = 2
T = TypeVar("T")


@dataclass(slots=True)
class _Found:
    """What one search gathers over its tenants."""

    dense: dict[Key, float] = field(default_factory=dict)
    terms: dict[Key, list[str]] = field(default_factory=dict)
    rows: dict[Key, int] = field(default_factory=dict)
    similarities: dict[Key, float] = field(default_factory=dict)
    statistics: list[bm25.Statistics] = field(default_factory=list)


class EmbeddedIndex:
    """`PassageIndex` in the file `path`, made at the first call. `alpha`: weight of the dense leg in the fusion.

    Several tenants are searched as if they were one index: cosines compare as they are, and BM25 is computed under
    the document frequencies of exactly the tenants asked for. Ranks or per-tenant relative scores would instead give
    the best of three unrelated notes the same weight as the best of the whole corpus.
    """

    def __init__(self, path: Path, *, alpha: float = ALPHA) -> None:
        self._path = path
        self._alpha = alpha
        self._writing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index-write")
        self._reading = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="index-read")
        self._connections: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._writer: sqlite3.Connection | None = None
        self._opening = Lock()
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

    def _upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        tenant: str,
        digest: str,
    ) -> None:
        analysed = [(passage, rows.lexical_terms(passage)) for passage in passages]
        with self._writes() as connection:
            state = rows.open_tenant(connection, tenant)
            rows.remove(connection, state, [document_id])
            rows.insert(connection, state, analysed, vectors)
            connection.execute("insert into document values (?, ?, ?)", (state[0], document_id, digest))
            rows.count(connection, state[0])

    def _delete(self, document_ids: Sequence[str], tenant: str) -> int:
        with self._writes() as connection:
            if rows.tenant_state(connection, tenant) is None:
                return 0
            state = rows.open_tenant(connection, tenant)
            removed = rows.remove(connection, state, document_ids)
            rows.count(connection, state[0])
            return removed

    def _digests(self, tenant: str) -> dict[str, str]:
        with self._reads() as connection:
            found = connection.execute(
                "select document.id, digest from document join tenant on tenant.id = tenant where name = ?", (tenant,)
            )
            return dict(found.fetchall())

    def _tenants(self) -> list[str]:
        with self._reads() as connection:
            found = connection.execute("select distinct name from document join tenant on tenant.id = tenant")
            return sorted(name for (name,) in found)

    def _passages(self, document_id: str, tenant: str) -> list[Passage]:
        with self._reads() as connection:
            stored = (
                rows.passage_of(connection, row) for row in rows.rows_of_document(connection, document_id, tenant)
            )
            return [passage for passage in stored if passage is not None]

    def _search(
        self, text: str, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        query = distinct(text)
        found = _Found()
        with self._reads() as connection:
            for tenant in dict.fromkeys(tenants):
                self._gather(connection, tenant, query, vector, filters, found)
            lexical = bm25.scores(query, found.terms, over=bm25.pooled(found.statistics))
            dense = None if vector is None else _top(found.dense)
            best = [
                (rows.passage_of(connection, found.rows[key]), key, score)
                for key, score in fuse(dense, _top(lexical), alpha=self._alpha)[:limit]
            ]
        return [
            replace(
                passage,
                score=score,
                similarity=found.similarities.get(key),
                coverage=_coverage(query, found.terms[key]),
            )
            for passage, key, score in best
            if passage is not None
        ]

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
        near = {} if vector is None else snapshot.nearest(vector, allowed, DEPTH)
        said: list[int] = []
        if query:
            hits = (row for row in rows.matching(connection, state[0], query) if snapshot.holds(row, allowed))
            said = list(islice(hits, DEPTH))
            found.statistics.append(rows.statistics(connection, state[0], query))
        candidates = list(dict.fromkeys([*near, *said]))
        terms = rows.terms_of(connection, state[0], candidates)
        for row, name in rows.names_of(connection, candidates).items():
            key = (name, tenant)
            found.rows[key], found.terms[key] = row, terms.get(row, [])
            similarity = snapshot.similarity(row, vector)
            if similarity is not None:
                found.similarities[key] = similarity
            if row in near:
                found.dense[key] = near[row]

    def _snapshot(self, connection: sqlite3.Connection, tenant: int, generation: int) -> Snapshot:
        with self._following:
            snapshot = self._snapshots.get(tenant) or Snapshot(tenant)
            self._snapshots[tenant] = snapshot.follow(connection, generation)
            return self._snapshots[tenant]

    @contextmanager
    def _reads(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a read transaction: one state of the file for the whole search."""
        with _translated():
            self._open()
            connection = self._connections.get()
            try:
                connection.execute("begin")
                yield connection
            finally:
                connection.commit()  # ends the read; a rollback would also undo the temporary word tables
                self._connections.put(connection)

    @contextmanager
    def _writes(self) -> Iterator[sqlite3.Connection]:
        """The writing connection inside one transaction, committed when the block ends well."""
        with _translated():
            connection = self._open()
            connection.execute("begin immediate")
            try:
                yield connection
                connection.execute("commit")
            finally:
                if connection.in_transaction:
                    connection.rollback()

    def _open(self) -> sqlite3.Connection:
        with self._opening:
            if self._writer is None:
                # Small products got 60 times slower when BLAS spread them over busy cores.
                threadpool_limits(limits=1, user_api="blas")
                self._path.parent.mkdir(parents=True, exist_ok=True)
                writer = rows.connect(self._path)
                rows.prepare(writer)
                for _ in range(READERS):
                    self._connections.put(rows.connect(self._path))
                self._writer = writer
            return self._writer

    def _close(self) -> None:
        self._closed = True
        self._writing.shutdown()
        self._reading.shutdown()
        while not self._connections.empty():
            self._connections.get().close()
        if self._writer is not None:
            self._writer.close()


def _top(scores: Mapping[Key, float]) -> dict[Key, float]:
    return dict(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:DEPTH])


def _coverage(query: Sequence[str], terms: Sequence[str]) -> float:
    return len(set(query) & set(terms)) / len(query) if query else 0.0


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise IndexUnavailable("La base documentaire locale ne peut pas être lue ou écrite.") from error
