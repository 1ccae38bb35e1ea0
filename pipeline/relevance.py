"""The absolute relevance floor: whether what a search found can carry an answer at all.

Scores of a search are relative: its best hit gets about 1 even for a cake recipe. Cosines of e5 are absolute but
compressed (unrelated French texts lie at .75 to .87, answers at .86 to .93), so three measures are added up:
the cosine, the share of the question's terms in the same passage, and the share of terms that no passage found holds
(`cryptomonnaies`, `tatin`): the subject is then missing from the corpus. Calibrated on `bench/data/floor.tsv`,
checked on `bench/data/floor_held_out.tsv`; `tests/integration/test_relevance_floor.py` holds the figures.
"""

from collections.abc import Sequence
from typing import Final

from corpus.chunking import indexed_text
from corpus.french import distinct, terms_in
from corpus.types import Passage

FLOOR: Final = 0.88
COVERED: Final = 0.06
UNKNOWN: Final = 0.06

WORDS_FLOOR: Final = 0.55
WORDS_UNKNOWN: Final = 0.6
"""Without vectors: the share of terms in the best passage, less this much of the unknown share."""

SHORT: Final = 2
SHORT_FLOOR: Final = 0.82
"""`TMI ?` or `seuil IFI` have low cosines; all of their words in one passage make up for it."""

WORDS_PER_PLACE: Final = 2
"""Terms that a commune's name may add to a question without any article holding them."""


def relevance(passage: Passage) -> float:
    """Comparable across searches: about .75 to .99 with vectors, 0 to 1 without."""
    if passage.similarity is None:
        return passage.coverage
    return passage.similarity + COVERED * passage.coverage


def enough(text: str, found: Sequence[Passage], *, places: int = 0) -> bool:
    """Whether the passages found for `text` answer it. `places`: how many communes the question names."""
    terms = distinct(text)
    if not terms or not found:
        return False
    if all(passage.similarity is None for passage in found):
        best = max(passage.coverage for passage in found)
        return best - WORDS_UNKNOWN * _unknown(terms, found, places) >= WORDS_FLOOR
    embedded = [passage for passage in found if passage.similarity is not None]
    if len(terms) <= SHORT and any(p.coverage == 1.0 and (p.similarity or 0.0) >= SHORT_FLOOR for p in embedded):
        return True
    best = max(map(relevance, embedded))
    return best >= FLOOR and best - UNKNOWN * _unknown(terms, found, places) >= FLOOR


def _unknown(terms: Sequence[str], found: Sequence[Passage], places: int) -> float:
    """Share of the terms that none of the passages holds: the lexical leg would have found one that does."""
    absent = set(terms)
    for passage in found:
        if not absent or passage.coverage == 1.0:
            return 0.0
        absent -= terms_in(indexed_text(passage))
    return max(0, len(absent) - WORDS_PER_PLACE * places) / len(terms)
