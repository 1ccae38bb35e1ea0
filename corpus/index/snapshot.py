"""A tenant's vectors, terms and filterable facets in memory, in step with the file by its generation counter."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from corpus.errors import VectorMismatch
from corpus.index import bm25, postings
from corpus.index.centering import Centering
from corpus.index.postings import Codes, Holding, Postings
from corpus.index.rows import day
from corpus.ports import Vector
from corpus.types import Filters

ROOM: Final = 256
LOADED: Final = 10_000
"""Rows read at a time: enough for whole-array work, and little memory beside what they become."""


@dataclass(frozen=True, slots=True)
class Facet:
    """What filters look at; few distinct ones exist, so each passage holds a number instead."""

    audience: str
    category: str
    entities: frozenset[str]
    effective_from: date | None
    effective_to: date | None

    def passes(self, filters: Filters) -> bool:
        on = filters.in_force_on
        return (
            self.audience in filters.audiences
            and (not filters.categories or self.category in filters.categories)
            and (not filters.entities or bool(self.entities & filters.entities))
            and (on is None or self.effective_from is None or self.effective_from <= on)
            and (on is None or self.effective_to is None or on <= self.effective_to)
        )


class Snapshot:
    """Append-only arrays with room to grow: a reader follows another process's writes at the cost of the new rows."""

    def __init__(self, tenant: int, *, centering: Centering, dimensions: int = 0, room: int = ROOM) -> None:
        self.tenant = tenant
        self._centering = centering
        self.generation = -1
        self.dimensions = dimensions
        self.size = 0
        self._dead = 0
        self._ids = np.zeros(room, np.int64)
        self._alive = np.zeros(room, np.bool_)
        self._embedded = np.zeros(room, np.bool_)
        self._facet = np.zeros(room, np.int32)
        self._words = np.zeros(room, np.int32)
        self._matrix = np.zeros((room, dimensions), np.float32)
        self._length = np.ones(room, np.float32)
        self._facets: list[Facet] = []
        self._facet_of: dict[tuple[str, ...], int] = {}
        self._position: dict[int, int] = {}
        self._names: list[str] = []
        self._postings = Postings()

    def follow(self, connection: sqlite3.Connection, generation: int) -> "Snapshot":
        """This snapshot brought to `generation`, or a fresh one where that is cheaper. In a read transaction."""
        if self.generation >= generation:
            return self
        forgotten = connection.execute("select forgotten from tenant where id = ?", (self.tenant,)).fetchone()[0]
        newest = connection.execute(
            # In the index's own order: by id alone SQLite would sort all rows at every write that is followed.
            "select length(vector) / 2 from passage where tenant = ? and vector is not null"
            " order by generation desc, id desc limit 1",
            (self.tenant,),
        ).fetchone()
        dimensions = newest[0] if newest else self.dimensions
        begun = self.generation >= 0
        if dimensions != self.dimensions or self._dead * 2 > self.size > 0 or (begun and self.generation < forgotten):
            count = connection.execute("select count(*) from passage where tenant = ?", (self.tenant,)).fetchone()[0]
            fresh = Snapshot(self.tenant, centering=self._centering, dimensions=dimensions, room=count + ROOM)
            return fresh.follow(connection, generation)
        gone = connection.execute(
            "select passage from gone where tenant = ? and generation > ?", (self.tenant, self.generation)
        )
        for (row,) in gone.fetchall() if begun else ():
            self._drop(row)
        new = connection.execute(
            "select id, name, vector, terms, audience, category, entities, coalesce(effective_from, ''),"
            " coalesce(effective_to, '') from passage where tenant = ? and generation > ? order by id",
            (self.tenant, self.generation),
        )
        while batch := new.fetchmany(LOADED):
            self._append(batch)
        self.generation = generation
        return self

    def allowed(self, filters: Filters) -> NDArray[np.bool_]:
        """One truth value a row."""
        size = self.size  # first: another thread may append meanwhile, and writes its facet before its size
        passing = np.array([facet.passes(filters) for facet in list(self._facets)], np.bool_)
        alive = self._alive[:size]
        return alive & passing[self._facet[:size]] if size else alive.copy()

    def nearest(self, vector: Vector, allowed: NDArray[np.bool_], depth: int) -> dict[int, float]:
        """Position -> cosine with the (centred) vector, of the `depth` nearest allowed. Raises `VectorMismatch`."""
        size = len(allowed)
        usable = allowed & self._embedded[:size]
        if not usable.any():
            return {}
        if vector.shape != (self.dimensions,):
            raise VectorMismatch
        cosines = np.where(usable, self._matrix[:size] @ vector, -np.inf)
        best = np.argpartition(-cosines, min(depth, size - 1))[:depth] if size > depth else np.arange(size)
        return {int(at): float(cosines[at]) for at in best if usable[at]}

    def holding(self, codes: Codes, size: int) -> list[Holding]:
        """Of each term, the passages that hold it and are still there."""
        return [found.only(self._alive[:size]) for found in self._postings.of(codes)]

    def statistics(self, terms: Sequence[str], held: Sequence[Holding], size: int) -> bm25.Statistics:
        """The tenant's share of BM25's constants, whatever a filter allows: they must not tell what it hides."""
        alive = self._alive[:size]
        words = int(self._words[:size][alive].sum())
        frequencies = {term: len(found.at) for term, found in zip(terms, held, strict=True)}
        return bm25.Statistics(int(np.count_nonzero(alive)), words, frequencies)

    def saying(
        self, held: Sequence[Holding], weights: Sequence[float], average: float, allowed: NDArray[np.bool_], depth: int
    ) -> dict[int, float]:
        """Position -> BM25, of the `depth` best allowed; among equals at the end, those indexed first."""
        found = postings.scores(held, weights, words=self._words[: len(allowed)], average=average)
        places = np.flatnonzero((found > 0) & allowed)
        if len(places) > depth:
            least = np.partition(found[places], len(places) - depth)[len(places) - depth]
            places = places[found[places] >= least]
            places = places[np.argsort(-found[places], kind="stable")[:depth]]
        return {int(at): float(found[at]) for at in places}

    def figures(self, places: Sequence[int], vector: Vector, centred: Vector) -> dict[int, tuple[float, float, Vector]]:
        """Position -> cosine of the vectors as the embedder gave them, which is told, cosine about the mean vector,
        and the vector as the embedder gave it."""
        embedded = [at for at in places if self._embedded[at]]
        if not embedded:  # and maybe no vector at all, hence no dimensions either
            return {}
        taken = self._matrix[embedded]
        whole = self._centering.whole(taken, self._length[embedded])
        cosines = zip(embedded, (whole @ vector).tolist(), (taken @ centred).tolist(), whole, strict=True)
        return {at: (told, close, row) for at, told, close, row in cosines}

    def row(self, at: int) -> int:
        return int(self._ids[at])

    def name(self, at: int) -> str:
        """The passage's id."""
        return self._names[at]

    def _drop(self, row: int) -> None:
        at = self._position.pop(row, None)
        if at is not None:
            self._alive[at] = False
            self._dead += 1

    def _append(self, batch: Sequence[tuple[Any, ...]]) -> None:
        ids, names, blobs, terms, *facets = zip(*batch, strict=True)
        start, end = self.size, self.size + len(ids)
        if end > len(self._ids):
            self._grow(max(end, len(self._ids) * 3 // 2))
        # Vectors of an earlier embedder wait for a new one, and are found by words meanwhile.
        embedded = [at for at, blob in enumerate(blobs) if blob is not None and len(blob) == 2 * self.dimensions]
        if embedded:
            halves = np.frombuffer(b"".join(blobs[at] for at in embedded), np.float16).reshape(-1, self.dimensions)
            places = start + np.array(embedded)
            self._matrix[places], self._length[places] = self._centering.split(halves.astype(np.float32))
            self._embedded[places] = True
        words = np.array([len(blob) // 4 for blob in terms], np.int32)
        self._ids[start:end], self._words[start:end], self._alive[start:end] = ids, words, True
        self._facet[start:end] = [self._number(raw) for raw in zip(*facets, strict=True)]
        self._names += names
        self._position |= zip(ids, range(start, end), strict=True)
        at = np.repeat(np.arange(start, end, dtype=np.uint32), words)
        self._postings.add(at, np.frombuffer(b"".join(terms), np.uint32))
        self.size = end

    def _number(self, raw: tuple[str, ...]) -> int:
        """Of these facets, known or new."""
        if raw not in self._facet_of:
            audience, category, entities, starts, ends = raw
            facet = Facet(audience, category, frozenset(json.loads(entities)), day(starts or None), day(ends or None))
            self._facets.append(facet)
            self._facet_of[raw] = len(self._facets) - 1
        return self._facet_of[raw]

    def _grow(self, room: int) -> None:
        for name in ("_ids", "_alive", "_embedded", "_facet", "_words", "_matrix", "_length"):
            old = getattr(self, name)
            grown = np.zeros((room, *old.shape[1:]), old.dtype)
            grown[: len(old)] = old
            setattr(self, name, grown)
