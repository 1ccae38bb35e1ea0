"""Which words and runs of letters a text holds, as small numbers: a hundred texts are compared in a millisecond.

Numbers are hashes of 18 bits. Two different words share one in one case of 260,000, which moves a share by a trifle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpus.french import words_of

BITS: Final = 18
GRAM: Final = 4
KEPT: Final = 4_096
Codes = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Prints:
    """Words as typed (accents and case aside), and runs of `GRAM` letters across them; repeats are not taken out."""

    words: Codes
    grams: Codes


@lru_cache(maxsize=KEPT)
def fingerprint_of(text: str) -> Prints:
    """About 3 kB a text."""
    words = words_of(text)
    return Prints(word_codes(words), gram_codes(words))


def word_codes(words: Sequence[str]) -> Codes:
    return np.array([crc32(word.encode("utf-8", "replace")) >> (32 - BITS) for word in words], np.uint32)


def gram_codes(words: Sequence[str]) -> Codes:
    """Runs across the words joined by one space, with one before and after."""
    line = f" {' '.join(words)} ".encode("utf-16-le", "replace")
    letters = np.frombuffer(line, np.uint16).astype(np.uint32)
    if len(letters) < GRAM:
        return np.empty(0, np.uint32)
    mixed = np.zeros(len(letters) - GRAM + 1, np.uint32)
    for offset in range(GRAM):
        mixed = (mixed ^ letters[offset : offset + len(mixed)]) * np.uint32(2_654_435_761)
        mixed ^= mixed >> np.uint32(15)
    return mixed >> np.uint32(32 - BITS)


def held(wanted: Codes, texts: Sequence[Codes]) -> NDArray[np.bool_]:
    """Which wanted code (row) is in which text (column)."""
    found = np.zeros((len(wanted), len(texts)), np.bool_)
    if not texts or not len(wanted):
        return found
    place = np.full(1 << BITS, -1, np.int16)
    place[wanted] = np.arange(len(wanted))
    rows = place[np.concatenate(texts)]
    columns = np.repeat(np.arange(len(texts)), [len(codes) for codes in texts])
    hits = rows >= 0
    found[rows[hits], columns[hits]] = True
    return found
