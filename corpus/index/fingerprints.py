"""Which runs of letters a text holds, as small numbers: a hundred texts are compared in a millisecond.

Numbers are hashes of 18 bits. Two different runs share one in one case of 260,000, which moves a share by a trifle.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.french import words_of

BITS: Final = 18
GRAM: Final = 4
KEPT: Final = 4_096
Codes = NDArray[np.uint32]


@lru_cache(maxsize=KEPT)
def fingerprint_of(text: str) -> Codes:
    """Runs of `GRAM` letters across its words (accents and case aside), repeats not taken out; about 3 kB a text."""
    return gram_codes(words_of(text))


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
