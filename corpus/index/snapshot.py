"""A tenant's vectors and filterable facets in memory, kept in step with the file by its generation counter."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from corpus.errors import VectorMismatch
from corpus.index.centre import Centring
from corpus.index.rows import day
from corpus.ports import Vector
from corpus.types import Filters


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

    def __init__(self, tenant: int, *, centring: Centring, dimensions: int = 0, room: int = 256) -> None:
        self.tenant = tenant
        self._centring = centring
        self.generation = -1
        self.dimensions = dimensions
        self.size = 0
        self._dead = 0
        self._ids = np.zeros(room, np.int64)
        self._alive = np.zeros(room, np.bool_)
        self._embedded = np.zeros(room, np.bool_)
        self._facet = np.zeros(room, np.int32)
        self._matrix = np.zeros((room, dimensions), np.float32)
        self._length = np.ones(room, np.float32)
        self._facets: list[Facet] = []
        self._facet_of: dict[tuple[str, ...], int] = {}
        self._position: dict[int, int] = {}

    def follow(self, connection: sqlite3.Connection, generation: int) -> "Snapshot":
        """This snapshot brought to `generation`, or a fresh one where that is cheaper. In a read transaction."""
        if self.generation >= generation:
            return self
        forgotten = connection.execute("select forgotten from tenant where id = ?", (self.tenant,)).fetchone()[0]
        newest = connection.execute(
            "select length(vector) / 2 from passage where tenant = ? and vector is not null order by id desc limit 1",
            (self.tenant,),
        ).fetchone()
        dimensions = newest[0] if newest else self.dimensions
        begun = self.generation >= 0
        if dimensions != self.dimensions or self._dead * 2 > self.size > 0 or (begun and self.generation < forgotten):
            return Snapshot(self.tenant, centring=self._centring, dimensions=dimensions).follow(connection, generation)
        gone = connection.execute(
            "select passage from gone where tenant = ? and generation > ?", (self.tenant, self.generation)
        )
        for (row,) in gone.fetchall() if begun else ():
            self._drop(row)
        new = connection.execute(
            "select id, vector, audience, category, entities, coalesce(effective_from, ''),"
            " coalesce(effective_to, '') from passage where tenant = ? and generation > ? order by id",
            (self.tenant, self.generation),
        )
        for row, blob, *facet in new:
            self._append(row, blob, tuple(facet))
        self.generation = generation
        return self

    def allowed(self, filters: Filters) -> NDArray[np.bool_]:
        """One truth value a row."""
        size = self.size  # first: another thread may append meanwhile, and writes its facet before its size
        passing = np.array([facet.passes(filters) for facet in list(self._facets)], np.bool_)
        alive = self._alive[:size]
        return alive & passing[self._facet[:size]] if size else alive.copy()

    def nearest(self, vector: Vector, allowed: NDArray[np.bool_], depth: int) -> dict[int, float]:
        """Row -> cosine with the (centred) vector, of the `depth` nearest allowed rows. Raises `VectorMismatch`."""
        size = len(allowed)
        usable = allowed & self._embedded[:size]
        if not usable.any():
            return {}
        if vector.shape != (self.dimensions,):
            raise VectorMismatch
        cosines = np.where(usable, self._matrix[:size] @ vector, -np.inf)
        best = np.argpartition(-cosines, min(depth, size - 1))[:depth] if size > depth else np.arange(size)
        return {int(self._ids[at]): float(cosines[at]) for at in best if usable[at]}

    def figures(self, rows: Sequence[int], vector: Vector, centred: Vector) -> dict[int, tuple[float, float]]:
        """Row -> cosine of the vectors as the embedder gave them, which is told, and about the centre, which ranks."""
        places = [(row, at) for row in rows if (at := self._position.get(row)) is not None and self._embedded[at]]
        if not places:  # and maybe no vector at all, hence no dimensions either
            return {}
        taken = self._matrix[[at for _, at in places]]
        told = self._centring.whole(taken, self._length[[at for _, at in places]]) @ vector
        return {
            row: (float(cosine), float(close))
            for (row, _), cosine, close in zip(places, told, taken @ centred, strict=True)
        }

    def holds(self, row: int, allowed: NDArray[np.bool_]) -> bool:
        at = self._position.get(row)
        return at is not None and at < len(allowed) and bool(allowed[at])

    def _drop(self, row: int) -> None:
        at = self._position.pop(row, None)
        if at is not None:
            self._alive[at] = False
            self._dead += 1

    def _append(self, row: int, blob: bytes | None, raw: tuple[str, ...]) -> None:
        if self.size == len(self._ids):
            self._grow()
        at = self.size
        if raw not in self._facet_of:
            audience, category, entities, starts, ends = raw
            facet = Facet(audience, category, frozenset(json.loads(entities)), day(starts or None), day(ends or None))
            self._facet_of[raw] = len(self._facets)
            self._facets.append(facet)
        if blob is not None and len(blob) == 2 * self.dimensions:  # else a vector of an earlier embedder
            vector = np.frombuffer(blob, np.float16).astype(np.float32)
            self._matrix[at], self._length[at] = self._centring.split(vector)
            self._embedded[at] = True
        self._ids[at], self._facet[at], self._alive[at] = row, self._facet_of[raw], True
        self._position[row] = at
        self.size += 1

    def _grow(self) -> None:
        room = 2 * len(self._ids)
        for name in ("_ids", "_alive", "_embedded", "_facet", "_matrix", "_length"):
            old = getattr(self, name)
            grown = np.zeros((room, *old.shape[1:]), old.dtype)
            grown[: len(old)] = old
            setattr(self, name, grown)
