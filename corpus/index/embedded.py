"""The index in one SQLite file, searched in memory: words and vectors, both exact; several processes may share it."""

import asyncio
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.french import distinct
from corpus.index import bm25, ranking, rows
from corpus.index.centering import Centering
from corpus.index.file import READERS, IndexFile
from corpus.index.fusion import ALPHA, DEPTH, Key, best, fuse, relative
from corpus.index.postings import Codes, Holding, codes_of
from corpus.index.ranking import FITTED, Hit, SecondLook
from corpus.index.rows import Stored
from corpus.index.snapshot import Snapshot
from corpus.ports import TextSeal, Vector
from corpus.types import SHARED_TENANT, Filters, Passage

T = TypeVar("T")

KEPT: Final = 4_096
"""Passages kept as read from the file, about 2 kB each: the same ones come first again and again."""


@dataclass(frozen=True, slots=True)
class _Tenant:
    """One tenant in one search: its state, what a filter allows of it, which of its passages hold each term."""

    name: str
    snapshot: Snapshot
    allowed: NDArray[np.bool_]
    held: list[Holding]

    def keyed(self, scores: Mapping[int, float]) -> dict[Key, float]:
        return {(self.snapshot.name(at), self.name): score for at, score in scores.items()}


@dataclass(frozen=True, slots=True)
class _Fused:
    """A hit: its position in its tenant, its fused score, its share of the lexical leg in [0, 1]."""

    key: Key
    at: int
    score: float
    lexical: float


class EmbeddedIndex:
    """`PassageArchive` in the file `path`, made at the first call. `alpha`: weight of the dense leg in the fusion;
    `mean_vector`: what both sides of a cosine lose before ranking; `weights`: of the second look, None for none;
    `seal`: what teams' texts are kept under, though neither their vectors nor the codes of their terms.

    Several tenants are searched as if they were one index: cosines compare as they are, and BM25 is computed under
    the document frequencies of exactly the tenants asked for. Ranks or per-tenant relative scores would instead give
    the best of three unrelated notes the same weight as the best of the whole corpus.
    """

    def __init__(
        self,
        path: Path,
        *,
        alpha: float = ALPHA,
        mean_vector: Vector | None = None,
        weights: SecondLook | None = FITTED,
        seal: TextSeal | None = None,
    ) -> None:
        self._file = IndexFile(path)
        self._seal = seal
        self._alpha = alpha
        self._centering = Centering(mean_vector)
        self._weights = weights
        self._writing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index-write")
        self._reading = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="index-read")
        self._closed = False
        self._snapshots: dict[int, Snapshot] = {}
        self._following = Lock()
        self._stored: OrderedDict[int, Stored] = OrderedDict()
        self._keeping = Lock()
        self._kept_of = 0

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
            rows.insert(connection, state, analysed, vectors, None if tenant == SHARED_TENANT else self._seal)
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
            stored = rows.stored(connection, ordered, self._seal)
        return [stored[row].passage for row in ordered]

    def _search(
        self, text: str, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        asked = ranking.asked(text, weights=self._weights)
        codes = codes_of(list(asked))
        centred = None if vector is None else self._centering.centred(vector)
        with self._file.reads() as connection:
            self._let_go(connection)
            opened = [self._tenant(connection, name, codes, filters) for name in dict.fromkeys(tenants)]
            searched = {tenant.name: tenant for tenant in opened if tenant is not None}
            fused = self._fused(asked, centred, list(searched.values()))[: max(limit, DEPTH)]
            rows_of = {hit.key: searched[hit.key[1]].snapshot.row(hit.at) for hit in fused}
            stored = self._read(connection, list(rows_of.values()))
        if later := [row for row in rows_of.values() if row not in stored]:
            # Another search has followed a write that this one's state of the file does not know yet.
            with self._file.reads() as connection:
                stored |= self._read(connection, later)
        fused = [hit for hit in fused if rows_of[hit.key] in stored]
        cosines: dict[Key, tuple[float, float, Vector]] = {}
        if vector is not None and centred is not None:
            for name, tenant in searched.items():
                places = {hit.key: hit.at for hit in fused if hit.key[1] == name}
                figures = tenant.snapshot.figures(list(places.values()), vector, centred)
                cosines |= {key: figures[at] for key, at in places.items() if at in figures}
        texts = [stored[rows_of[hit.key]] for hit in fused]
        standing = _standing([text.codes for text in texts], codes, list(asked))
        hits = {
            hit.key: Hit(kept.passage, places, len(kept.codes), hit.score, hit.lexical, *cosines.get(hit.key, ()))
            for hit, kept, places in zip(fused, texts, standing, strict=True)
        }
        typed = distinct(text)
        return [
            replace(
                hits[key].passage,
                score=score,
                similarity=hits[key].similarity,
                coverage=_coverage(hits[key], typed),
            )
            for key, score in ranking.reordered(text, hits, weights=self._weights)[:limit]
        ]

    def _let_go(self, connection: sqlite3.Connection) -> None:
        """What was kept of a file that has been put aside since. Raises `IndexUnavailable` while the new one is still
        empty: « nothing found » would be false."""
        if self._file.begun_anew and connection.execute("select 1 from document limit 1").fetchone() is None:
            raise IndexUnavailable("La base documentaire était illisible et se reconstitue.")
        with self._following, self._keeping:
            if self._kept_of != self._file.openings:
                self._kept_of = self._file.openings
                self._snapshots.clear()
                self._stored.clear()

    def _tenant(self, connection: sqlite3.Connection, name: str, codes: Codes, filters: Filters) -> _Tenant | None:
        """None for one that has nothing."""
        state = rows.tenant_state(connection, name)
        if state is None:
            return None
        with self._following:
            snapshot = self._snapshots.get(state[0]) or Snapshot(state[0], centering=self._centering)
            snapshot = self._snapshots[state[0]] = snapshot.follow(connection, state[1])
            allowed = snapshot.allowed(filters)
        return _Tenant(name, snapshot, allowed, snapshot.holding(codes, len(allowed)))

    def _fused(self, asked: Mapping[str, float], centred: Vector | None, tenants: Sequence[_Tenant]) -> list[_Fused]:
        """Best first."""
        over = bm25.pooled([t.snapshot.statistics(list(asked), t.held, len(t.allowed)) for t in tenants])
        weights = [worth * bm25.idf(over.passages, over.frequencies.get(term, 0)) for term, worth in asked.items()]
        average = over.words / max(1, over.passages)
        dense: dict[Key, float] = {}
        lexical: dict[Key, float] = {}
        places: dict[Key, int] = {}
        for tenant in tenants:
            near = {} if centred is None else tenant.snapshot.nearest(centred, tenant.allowed, DEPTH)
            said = tenant.snapshot.saying(tenant.held, weights, average, tenant.allowed, DEPTH)
            dense |= tenant.keyed(near)
            lexical |= tenant.keyed(said)
            places |= {(tenant.snapshot.name(at), tenant.name): at for at in (*near, *said)}
        lexical = best(lexical)
        shares = relative(lexical)
        fused = fuse(None if centred is None else best(dense), lexical, alpha=self._alpha)
        return [_Fused(key, places[key], score, shares.get(key, 0.0)) for key, score in fused]

    def _read(self, connection: sqlite3.Connection, wanted: Sequence[int]) -> dict[int, Stored]:
        """From memory where it was read before: a row never changes, and its number is never used again."""
        with self._keeping:
            found = {row: kept for row in wanted if (kept := self._stored.get(row)) is not None}
        fresh = rows.stored(connection, [row for row in wanted if row not in found], self._seal)
        with self._keeping:
            self._stored |= fresh
            for row in found:
                if row in self._stored:
                    self._stored.move_to_end(row)
            while len(self._stored) > KEPT:
                self._stored.popitem(last=False)
        return found | fresh


def _standing(texts: Sequence[Codes], asked: Codes, terms: Sequence[str]) -> list[ranking.Places]:
    """Where the question's terms stand in each text; all texts at once, for one is too short to pay for a call."""
    found: list[ranking.Places] = [[] for _ in texts]
    if not len(asked) or not texts:
        return found
    meaning = dict(zip(asked.tolist(), terms, strict=True))
    flat = np.concatenate(texts)
    ends = np.cumsum([len(codes) for codes in texts])
    hits = np.flatnonzero(np.isin(flat, asked))
    owners = np.searchsorted(ends, hits, side="right")
    inside = hits - (ends - np.array([len(codes) for codes in texts]))[owners]
    for owner, at, code in zip(owners.tolist(), inside.tolist(), flat[hits].tolist(), strict=True):
        found[owner].append((at, meaning[code]))
    return found


def _coverage(hit: Hit, typed: Sequence[str]) -> float:
    return len({term for _, term in hit.places}.intersection(typed)) / len(typed) if typed else 0.0
