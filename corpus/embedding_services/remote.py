"""An embedder on another machine, whatever its protocol: batches, a bound on what runs at once, retries, checks.

A person waits for a question, and nobody for a document: a question is tried once and within seconds, and a service
that has just failed is left alone for a while; a document's batches are tried again with growing pauses.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from corpus.embedders import plain
from corpus.errors import DimensionChanged, EmbedderUnavailable

Vectors = NDArray[np.float32]

QUERY_SECONDS: Final = 3.0
REST_SECONDS: Final = 15.0
LONGEST_PAUSE: Final = 20.0
UNREADABLE: Final = "Le service de vecteurs a répondu de façon illisible."


class TryAgain(EmbedderUnavailable):
    """Le service de vecteurs ne répond pas pour l'instant."""

    def __init__(self, message: str | None = None, *, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
        """Seconds that the service asks to wait."""


class Service(Protocol):
    """One request to one protocol."""

    async def vectors(self, texts: Sequence[str]) -> Any:
        """One row a text, in their order. Raises `TryAgain`, or `EmbedderUnavailable` where that is no use."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`batch`: texts a request; `at_once`: requests that run together; `seconds`: of one request; `attempts`: at one
    batch of passages; `pause`: seconds before the second, then twice as long each time."""

    batch: int = 32
    at_once: int = 4
    seconds: float = 30.0
    attempts: int = 5
    pause: float = 0.5


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model was trained to see before a question and before a passage."""

    query: str = ""
    passage: str = ""


class RemoteEmbedder:
    """`Embedder`. `version` names the service's model and its dimensions."""

    def __init__(
        self, service: Service, *, version: str, dimensions: int, pace: Pace = Pace(), prefixes: Prefixes = Prefixes()
    ) -> None:
        self.version = version
        self.dimensions = dimensions
        self._service = service
        self._pace = pace
        self._prefixes = prefixes
        self._free = asyncio.Semaphore(pace.at_once)
        self._rests_until = 0.0

    @property
    def at_once(self) -> int:
        return self._pace.batch * self._pace.at_once

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions), tried once. Raises `EmbedderUnavailable`, `DimensionChanged`."""
        if texts and time.monotonic() < self._rests_until:
            raise TryAgain
        try:
            return await self._all(self._prefixes.query, texts, min(QUERY_SECONDS, self._pace.seconds), attempts=1)
        except TryAgain:
            self._rests_until = time.monotonic() + REST_SECONDS
            raise

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions). Raises `EmbedderUnavailable`, `DimensionChanged`."""
        return await self._all(self._prefixes.passage, texts, self._pace.seconds, attempts=self._pace.attempts)

    async def _all(self, prefix: str, texts: Sequence[str], seconds: float, *, attempts: int) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        # Texts of one length together: a batch is padded to its longest.
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        sent = [f"{prefix}{plain(texts[at]).strip() or '-'}" for at in order]
        starts = range(0, len(sent), self._pace.batch)
        batches = [sent[start : start + self._pace.batch] for start in starts]
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(self._batch(batch, seconds, attempts)) for batch in batches]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed.exceptions[0].__cause__
        found = np.empty((len(texts), self.dimensions), np.float32)
        found[order] = np.concatenate([task.result() for task in running])
        return found

    async def _batch(self, texts: Sequence[str], seconds: float, attempts: int) -> Vectors:
        for attempt in range(attempts):
            try:
                async with self._free, asyncio.timeout(seconds):
                    return self._checked(await self._service.vectors(texts), len(texts))
            except (TryAgain, TimeoutError) as error:
                late = error if isinstance(error, TryAgain) else TryAgain()
                if attempt + 1 == attempts:
                    raise late from error
                pause = late.after or self._pace.pause * 2**attempt * random.uniform(0.5, 1.5)  # noqa: S311 - a pause
                await asyncio.sleep(min(pause, LONGEST_PAUSE))
        raise TryAgain

    def _checked(self, rows: Any, count: int) -> Vectors:
        vectors = matrix(rows, count)
        if vectors.shape[1] != self.dimensions:
            raise DimensionChanged.between(self.dimensions, vectors.shape[1])
        return vectors


def matrix(rows: Any, count: int) -> Vectors:
    """Unit rows. Raises `EmbedderUnavailable` for what are not `count` rows of finite numbers of one length."""
    try:
        vectors = np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise EmbedderUnavailable(UNREADABLE) from error
    if vectors.ndim != 2 or len(vectors) != count or not vectors.shape[1] or not np.isfinite(vectors).all():
        raise EmbedderUnavailable(UNREADABLE)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not lengths.all():
        raise EmbedderUnavailable(UNREADABLE)
    unit: Vectors = vectors / lengths
    return unit
