"""What of two messages has to be the same for one answer to serve both: every word that is not courtesy, in its order.

Dropped are case, accents, punctuation that closes, greetings, thanks and what only says that a question follows. Kept
are all others, little ones too: « ne », « sans », « à » and « le » change what is asked. To miss is cheap, to mistake
is not.
"""

import re
import unicodedata
from typing import Final

_GROUPED: Final = re.compile(r"(?<![\d,.])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])")
_COURTESY: Final = re.compile(
    r"\b(?:bonjour|bonsoir|salut|hello|coucou|merci(?: (?:beaucoup|bien|d'avance|par avance))?"
    r"|s'il (?:te|vous) plait|svp|stp|est-ce qu(?:e\b|')"
    r"|(?:peux-tu|tu peux|pourrais-tu|tu pourrais|pouvez-vous|vous pouvez|pourriez-vous) (?:me|m'|nous) ?"
    r"(?:dire|indiquer|rappeler)"
    r"|(?:dis|dites|rappelle|rappelez|indique|indiquez)-(?:moi|nous)"
    r"|(?:j'aimerais|je voudrais|je veux|je souhaite|je souhaiterais) savoir)(?!\w)"
)
_OPENS: Final = re.compile(r"\b(?:qu'est-ce que c'est que|qu'est-ce que|qu'est-ce qu'|c'est quoi)(?!\w)")
_TOKEN: Final = re.compile(r"[-−]+(?=\s?\d)|(?<=\d)[;:](?=\s?\d)|\d+(?:[.,]\d+)*|[^\W\d_]+|[%€$+/<>=≤≥*²]")
_SAID: Final = {"€": "euros", "euro": "euros", "²": "2", "−": "-", "pourcent": "%"}


def words_said(text: str) -> tuple[str, ...]:
    """In their order, folded; numbers with their groups joined, signs that count or compare as words of their own."""
    plain = _GROUPED.sub(lambda found: re.sub(r"\s", "", found.group()), text).replace("’", "'").lower()
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = _COURTESY.sub(" ", _OPENS.sub(" quoi ", plain))
    return tuple(_SAID.get(token, token) for token in _TOKEN.findall(plain))
