"""Ranking measures for questions with one or several relevant passages."""

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

CUT: Final = 10


def mean_measures(
    found: Mapping[str, Sequence[str]],
    relevant: Mapping[str, AbstractSet[str]],
    sections: Mapping[str, AbstractSet[str]] | None = None,
) -> dict[str, float]:
    """nDCG@10, recall at 5 and 10, and MRR@10 over the questions of `found`; binary relevance.

    `sections`: which sections each passage found stands in, where sections are relevant instead of passages; the
    second passage of one section brings nothing.
    """
    rows = [_measures(_brought(found[query], relevant[query], sections), relevant[query]) for query in found]
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` (0 to 1) of the values do not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _brought(
    ranking: Sequence[str], relevant: AbstractSet[str], sections: Mapping[str, AbstractSet[str]] | None
) -> list[bool]:
    """Of each rank, whether it brings something relevant that none before it brought."""
    seen: set[str] = set()
    brought = []
    for name in ranking[:CUT]:
        new = ((sections[name] if sections else {name}) & relevant) - seen
        brought.append(bool(new))
        seen |= new
    return brought


def _measures(brought: Sequence[bool], relevant: AbstractSet[str]) -> dict[str, float]:
    hits = [rank for rank, new in enumerate(brought, start=1) if new]
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(CUT, len(relevant)) + 1))
    return {
        "ndcg@10": sum(1 / math.log2(rank + 1) for rank in hits) / ideal if ideal else 0.0,
        "r@5": sum(rank <= 5 for rank in hits) / max(1, len(relevant)),
        "r@10": len(hits) / max(1, len(relevant)),
        "mrr": 1 / hits[0] if hits else 0.0,
    }
