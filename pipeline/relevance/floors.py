"""The absolute relevance floor: whether what a search found can carry an answer at all, where nothing learned can say:
of files that a team added, which may be about anything, and of a search by words alone.

Scores of a search are relative: its best hit gets about 1 even for a cake recipe. Cosines of e5 are absolute but
compressed (unrelated French texts lie at .75 to .87, answers at .86 to .93), so three measures are added up:
the cosine, the share of the question's terms in the same passage, and the share of terms that no passage found holds
(`cryptomonnaies`, `tatin`): the subject is then missing from the corpus. Calibrated on `bench/data/floor.tsv`,
checked on `bench/data/floor_held_out.tsv`; `tests/integration/test_relevance_floor.py` holds the figures.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from corpus.chunking import indexed_text
from corpus.everyday import stand_ins
from corpus.french import distinct, terms_in
from corpus.types import Passage, is_built_in
from pipeline.text.references import schemes

FLOOR: Final = 0.885
COVERED: Final = 0.06
UNKNOWN: Final = 0.08

UNNAMED_FLOOR: Final = 0.93
"""For a question in which the rules recognise no subject of ours: then near words are more often a coincidence
(`mon locataire ne paie plus` and `ne paie plus d'impôt`). A firm's own documents may be about anything, so they keep
the usual floor."""
LEAST_COSINE: Final = 0.85
"""Under it only words are shared, unless the passage holds all of them."""

WORDS_FLOOR: Final = 0.55
UNNAMED_WORDS_FLOOR: Final = 0.8
WORDS_UNKNOWN: Final = 0.6
"""Without vectors: the share of terms in the best passage, less this much of the unknown share."""

SHORT: Final = 2
SHORT_FLOOR: Final = 0.82
"""`TMI ?` or `seuil IFI` have low cosines; all of their words in one passage make up for it."""

WORDS_PER_PLACE: Final = 2
"""Terms that a commune's name may add to a question without any article holding them."""


_NOTHING: Final[frozenset[str]] = frozenset()
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def relevance(passage: Passage) -> float:
    """Comparable across searches: about .75 to .99 with vectors, 0 to 1 without."""
    if passage.similarity is None:
        return passage.coverage
    return passage.similarity + COVERED * passage.coverage


def enough(text: str, found: Sequence[Passage], *, places: int = 0, named: bool = True) -> bool:
    """Whether the passages found for `text` answer it. `places`: how many communes the question names; `named`:
    whether it names a scheme or an aspect of the field."""
    terms = distinct(text)
    if not terms or not found or about_another_scheme(text, found):
        return False
    unknown = _unknown(terms, found, places, stand_ins(text))
    # Without vectors, or not yet: what came a moment ago is found by its words before it is by its meaning.
    covered = max((passage.coverage for passage in found if passage.similarity is None), default=0.0)
    if covered - WORDS_UNKNOWN * unknown >= (WORDS_FLOOR if named else UNNAMED_WORDS_FLOOR):
        return True
    embedded = [passage for passage in found if passage.similarity is not None]
    if (
        named
        and len(terms) <= SHORT
        and any(p.coverage == 1.0 and (p.similarity or 0.0) >= SHORT_FLOOR for p in embedded)
    ):
        return True
    missing = UNKNOWN * unknown
    return any(relevance(passage) - missing >= _floor(passage, named=named) for passage in embedded if _near(passage))


def unknown_share(text: str, found: Sequence[Passage], places: int) -> float:
    """Share of the question's terms that no passage holds."""
    terms = distinct(text)
    return _unknown(terms, found, places, stand_ins(text)) if terms else 0.0


def about_another_scheme(text: str, found: Sequence[Passage]) -> bool:
    """Malraux asked, Denormandie found: near in words and in meaning, and the answer to another question."""
    asked = schemes(text)
    return bool(asked) and not any(asked & schemes(indexed_text(passage)) for passage in found)


def _near(passage: Passage) -> bool:
    return passage.coverage == 1.0 or (passage.similarity or 0.0) >= LEAST_COSINE


def _floor(passage: Passage, *, named: bool) -> float:
    return FLOOR if named or not is_built_in(passage.document_id) else UNNAMED_FLOOR


def _unknown(terms: Sequence[str], found: Sequence[Passage], places: int, meant: Mapping[str, frozenset[str]]) -> float:
    """Share of the terms that none of the passages holds: the lexical leg would have found one that does. A year is a
    question's circumstance, not its subject; of an everyday word (`meant`) the words of the texts count."""
    absent = {term for term in terms if not _YEAR.fullmatch(term)}
    for passage in found:
        if not absent or passage.coverage == 1.0:
            return 0.0
        held = terms_in(indexed_text(passage))
        absent = {term for term in absent if term not in held and not meant.get(term, _NOTHING) & held}
    return max(0, len(absent) - WORDS_PER_PLACE * places) / len(terms)
