"""Vectors that a bench needs again in every run: computed once, kept in a file."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from corpus.embedders import Vectors
from corpus.ports import Vector
from corpus.vectors import content_key, load_vectors, save_vectors


async def kept(
    texts: Sequence[str],
    known: Mapping[str, Vector],
    cache: Path,
    *,
    version: str,
    embed: Callable[[Sequence[str]], Awaitable[Vectors]],
) -> dict[str, Vector]:
    """Content key -> vector of each text that is not known already, from the cache where it has them."""
    wanted = {content_key(text, version=version): text for text in texts}
    before = load_vectors(cache)
    found = {key: before[key] for key in wanted.keys() & before.keys() - known.keys()}
    fresh = {key: text for key, text in wanted.items() if key not in found and key not in known}
    found |= dict(zip(fresh, await embed(list(fresh.values())), strict=True))
    if fresh:
        save_vectors(found, cache)
        found = {
            key: vector for key, vector in load_vectors(cache).items() if key in wanted
        }  # as the next run has them
    return found


class Known:
    """An `Embedder` of texts whose vectors are at hand: `said` and `asked`, by content key. Raises `KeyError` for any
    other."""

    def __init__(self, passages: Mapping[str, Vector], queries: Mapping[str, Vector], *, version: str) -> None:
        self.version = version
        self.dimensions = len(next(iter(passages.values())))
        self.said, self.asked = passages, queries

    async def queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.asked[content_key(text, version=self.version)] for text in texts])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.said[content_key(text, version=self.version)] for text in texts])
