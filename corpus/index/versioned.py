"""The embedded index in one file an embedder: the one in service goes on answering while another is filled beside it.

`corpus.live` names the file in service; without it that is `corpus.sqlite3`, the local embedder's. A process whose
embedder is not that of the file in service finds by words alone and writes nothing, until `reindex` has filled its own.
"""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.errors import StaleIndex
from corpus.index.embedded import EmbeddedIndex
from corpus.ports import Vector
from corpus.types import Filters, Passage

FIRST: Final = "corpus.sqlite3"
LIVE: Final = "corpus.live"
_OURS: Final = re.compile(r"corpus(?:-[0-9A-Za-z.@-]+)?\.sqlite3")


def file_of(version: str, *, local: bool) -> str:
    """The file of an embedder's passages. The local one's keeps its name: it is renewed in place."""
    return FIRST if local else f"corpus-{re.sub(r'[^0-9A-Za-z.@-]+', '-', version)}.sqlite3"


def live_file(folder: Path) -> str | None:
    """The name of the file in service; None before the first."""
    try:
        named = (folder / LIVE).read_text(encoding="utf-8").strip()
    except OSError:
        named = ""
    if _OURS.fullmatch(named):
        return named
    return FIRST if (folder / FIRST).exists() else None


class VersionedIndex:
    """`StagedIndex` over the files of `folder`; `own`: the running embedder's. `staged`: work on it whatever is live,
    as a re-indexing does."""

    def __init__(
        self, folder: Path, *, own: str, opened: Callable[[Path], EmbeddedIndex], staged: bool = False
    ) -> None:
        self._folder = folder
        self._own = own
        self._opened = opened
        self._staged = staged
        live = live_file(folder)
        if live is None and own != FIRST and not staged:
            self._name_live()
        self._followed = own if staged else live or own
        self._index = opened(folder / self._followed)

    @property
    def stale(self) -> bool:
        """Whether what is read comes from another embedder."""
        return self._followed != self._own

    async def upsert(
        self,
        document_id: str,
        passages: Sequence[Passage],
        vectors: NDArray[np.float32] | None,
        *,
        tenant: str,
        digest: str,
    ) -> None:
        """Raises `StaleIndex` besides: another embedder's file is in service."""
        if not self._staged and (await self._current()) != self._own:
            raise StaleIndex
        await self._index.upsert(document_id, passages, vectors, tenant=tenant, digest=digest)

    async def search(
        self, text: str, *, vector: Vector | None, tenants: Sequence[str], filters: Filters, limit: int
    ) -> list[Passage]:
        """Raises `StaleIndex` for a vector besides: those of two embedders do not compare, whatever their sizes."""
        if self.stale:
            await self._current()
        if vector is not None and self.stale:
            raise StaleIndex
        return await self._index.search(text, vector=vector, tenants=tenants, filters=filters, limit=limit)

    async def delete(self, document_ids: Sequence[str], *, tenant: str) -> int:
        """From what is read, and from what is live where that has moved on."""
        removed = await self._index.delete(document_ids, tenant=tenant)
        live = live_file(self._folder)
        if self._staged or live in (None, self._followed):
            return removed
        other = self._opened(self._folder / live)
        try:
            return max(removed, await other.delete(document_ids, tenant=tenant))
        finally:
            await other.aclose()

    async def digests(self, *, tenant: str) -> Mapping[str, str]:
        return await self._index.digests(tenant=tenant)

    async def tenants(self) -> list[str]:
        return await self._index.tenants()

    async def passages(self, document_id: str, *, tenant: str) -> list[Passage]:
        return await self._index.passages(document_id, tenant=tenant)

    async def ping(self) -> None:
        await self._current()
        await self._index.ping()

    async def go_live(self) -> None:
        """Let every reader that opens the folder from now on read this file; running ones of this embedder at once."""
        await asyncio.to_thread(self._name_live)

    async def prune(self) -> list[str]:
        """Remove the files that are neither live nor this one; their names."""
        kept = {live_file(self._folder), self._own}
        gone = sorted(path.name for path in self._folder.glob("corpus*.sqlite3") if path.name not in kept)
        for name in filter(_OURS.fullmatch, gone):
            for suffix in ("-wal", "-shm", ""):
                (self._folder / f"{name}{suffix}").unlink(missing_ok=True)
        return gone

    async def aclose(self) -> None:
        await self._index.aclose()

    async def _current(self) -> str:
        """The file in service now; this one's own is taken as soon as it is."""
        live = live_file(self._folder) or self._own
        if self.stale and live == self._own:
            before, self._followed = self._index, self._own
            self._index = self._opened(self._folder / self._own)
            await before.aclose()
        return live

    def _name_live(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f"{LIVE}.tmp"
        draft.write_text(f"{self._own}\n", encoding="utf-8")
        draft.replace(self._folder / LIVE)
