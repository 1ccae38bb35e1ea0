"""Document frequencies of query terms on a server that does not tell them: counted, and remembered for a while."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from weaviate.classes.aggregate import Metrics
from weaviate.classes.query import Filter

from corpus.index import bm25
from corpus.index.weaviate_versions import Versions

KEPT_SECONDS: Final = 300.0
"""Frequencies of a corpus move slowly, and an old one shifts a score by little."""
MOST: Final = 50_000


class Frequencies:
    """BM25's constants of a tenant, from the server's counts."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._counts: dict[tuple[str, str, str | None], tuple[float, int]] = {}

    async def of(self, terms: Sequence[str], *, tenants: Sequence[str]) -> bm25.Statistics:
        """The pooled statistics of the tenants, for these terms. Inside `Versions.reached`."""
        return bm25.pooled(await asyncio.gather(*(self._tenant(terms, tenant) for tenant in tenants)))

    async def _tenant(self, terms: Sequence[str], tenant: str) -> bm25.Statistics:
        passages, words, *held = await asyncio.gather(
            self._count(tenant, None), self._count(tenant, ""), *(self._count(tenant, term) for term in terms)
        )
        return bm25.Statistics(passages, words, dict(zip(terms, held, strict=True)))

    async def _count(self, tenant: str, term: str | None) -> int:
        """Passages that hold the term; all passages for None; all words for the empty term."""
        key = (self._versions.followed, tenant, term)
        known = self._counts.get(key)
        if known is not None and time.monotonic() - known[0] < KEPT_SECONDS:
            return known[1]
        aggregate = self._versions.read("Passages", tenant).aggregate
        if term == "":
            metrics = Metrics("words").integer(sum_=True)
            counted = (await aggregate.over_all(return_metrics=metrics)).properties["words"].sum_  # type: ignore[union-attr]
        else:
            holding = Filter.by_property("lexical").equal(term) if term else None
            counted = (await aggregate.over_all(filters=holding, total_count=True)).total_count
        if len(self._counts) >= MOST:
            self._counts.clear()
        self._counts[key] = (time.monotonic(), int(counted or 0))
        return self._counts[key][1]
