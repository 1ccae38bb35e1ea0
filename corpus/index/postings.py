"""Which passages hold a term, and how often, in memory: exact BM25 over 100,000 passages in a few milliseconds.

A term is the CRC of its letters, 32 bits: the file holds numbers instead of words, and two words of a vocabulary of
100,000 share one about once. Segments are immutable and merged as they pile up, so that a reader on another thread
keeps what it has, and one more document costs no more than its own terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpus.index.bm25 import K1, B

Codes = NDArray[np.uint32]

LARGE: Final = 500_000
"""Postings of a segment that stays as it is: moving it would take for a moment several times its memory."""


def codes_of(terms: Sequence[str]) -> Codes:
    """One number a term, in the same order."""
    return np.array([crc32(term.encode("utf-8", "replace")) for term in terms], np.uint32)


@dataclass(frozen=True, slots=True)
class Holding:
    """The passages that hold one term: their positions, ascending within a segment, and how often each does."""

    at: NDArray[np.int64]
    counts: NDArray[np.float64]

    def only(self, alive: NDArray[np.bool_]) -> "Holding":
        """Of the positions that `alive` covers, the true ones."""
        known = self.at < len(alive)
        kept = known & alive[np.where(known, self.at, 0)] if len(alive) else known
        return Holding(self.at[kept], self.counts[kept])


@dataclass(frozen=True, slots=True)
class _Segment:
    """Postings of the distinct `terms` (ascending); those of term n lie in `starts[n]:starts[n + 1]`."""

    terms: Codes
    starts: NDArray[np.int64]
    at: NDArray[np.uint32]
    counts: NDArray[np.uint16]


class Postings:
    """Grows by whole passages; positions are the caller's, each given once."""

    def __init__(self) -> None:
        self._segments: tuple[_Segment, ...] = ()

    def add(self, at: NDArray[np.uint32], codes: Codes) -> None:
        """The terms of some passages, in any order: one position and one code a word."""
        if not len(codes):
            return
        keys, counts = np.unique(codes.astype(np.uint64) << np.uint64(32) | at, return_counts=True)
        segments = [*self._segments, _segment(keys, np.minimum(counts, 65_535).astype(np.uint16))]
        # Each small one is at least twice as long as the next: few to look into, and each posting is moved a few times.
        while len(segments) > 1 and len(segments[-2].at) < min(LARGE, 2 * len(segments[-1].at)):
            last, before = segments.pop(), segments.pop()
            segments.append(_joined(before, last))
        self._segments = tuple(segments)

    def of(self, codes: Codes) -> list[Holding]:
        """One a code, in the same order."""
        segments = self._segments
        return [_holding(segments, code) for code in codes]


def scores(
    held: Sequence[Holding], weights: Sequence[float], *, words: NDArray[np.int32], average: float
) -> NDArray[np.float64]:
    """BM25 of every passage (0 where it holds none of the terms). `weights`: each term's rarity; `words`: how many
    terms each passage has; `average`: their mean over all that is searched."""
    found = np.zeros(len(words))
    for holding, weight in zip(held, weights, strict=True):
        norm = K1 * (1 - B + B * words[holding.at] / average)
        found[holding.at] += weight * holding.counts * (K1 + 1) / (holding.counts + norm)
    return found


def _holding(segments: Sequence[_Segment], code: np.uint32) -> Holding:
    parts: list[tuple[NDArray[np.uint32], NDArray[np.uint16]]] = []
    for segment in segments:
        place = int(np.searchsorted(segment.terms, code))
        if place < len(segment.terms) and segment.terms[place] == code:
            inside = slice(segment.starts[place], segment.starts[place + 1])
            parts.append((segment.at[inside], segment.counts[inside]))
    if not parts:
        return Holding(np.empty(0, np.int64), np.empty(0, np.float64))
    at, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Holding(at.astype(np.int64), counts.astype(np.float64))


def _segment(keys: NDArray[np.uint64], counts: NDArray[np.uint16]) -> _Segment:
    """From ascending keys: the code in the high half, the position in the low one."""
    terms, starts = np.unique((keys >> np.uint64(32)).astype(np.uint32), return_index=True)
    return _Segment(terms, np.append(starts, len(keys)).astype(np.int64), keys.astype(np.uint32), counts)


def _joined(first: _Segment, second: _Segment) -> _Segment:
    keys = np.concatenate([_keys(first), _keys(second)])
    order = keys.argsort(kind="stable")
    return _segment(keys[order], np.concatenate([first.counts, second.counts])[order])


def _keys(segment: _Segment) -> NDArray[np.uint64]:
    terms = np.repeat(segment.terms, np.diff(segment.starts)).astype(np.uint64)
    keys: NDArray[np.uint64] = terms << np.uint64(32) | segment.at
    return keys
