"""Files of the firm's that are about another building than the one that is asked about."""

import re
from typing import Final

from corpus.chunking import indexed_text
from corpus.french import fold
from corpus.types import Passage, is_own_file

_BUILDING: Final = re.compile(
    r"(?i:\b(?:résidences?|immeubles?|programmes?|copropriétés?|domaine|ensemble immobilier)\b)\s+"
    r"(?:(?i:de la|de|des|du|les|le|la)\s+|(?i:de l'|l'))?([A-ZÀ-Ý][\w-]{2,}(?:\s+[A-ZÀ-Ý][\w-]{2,})*)"
)


def of_another_building(passage: Passage, text: str) -> bool:
    """Whether a file of the firm's speaks of none of the buildings that the question names: the charges of « Les
    Tilleuls » are no answer about « Les Ormeaux »."""
    names = [word for found in _BUILDING.findall(text) for word in found.split()]
    if not names or not is_own_file(passage.document_id):
        return False
    held = fold(indexed_text(passage)).lower()
    return not any(re.search(rf"\b{re.escape(fold(name).lower())}\b", held) for name in names)
