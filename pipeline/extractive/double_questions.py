"""What a message asks: the sentence that asks where others tell a story; and of a message that asks two things each
half, read and answered as a question of its own."""

import re
from typing import Final

_ASKS: Final = (
    r"(?:à |de |sous |dans |pour |depuis |avec |jusqu'à )?(?:quel(?:le)?s?|qui|comment|combien|quand|pourquoi)\b|"
    r"qu'est-ce|est-ce|qu'en|que (?:faut|doit|se)|où\b|(?:peut|doit|faut|puis|a-t|est|sont)-(?:on|il|elle|je|ils)\b|"
    r"(?:peut|doit)-|y a-t-il|jusqu'à quand"
)
_SEAM: Final = re.compile(
    rf"\s*(?:\?+|,)?\s*\b(?:et|puis|ou bien|mais)\s+(?:aussi\s+)?(?={_ASKS})|\?\s+(?={_ASKS})", re.IGNORECASE
)
_OPENS: Final = re.compile(
    r"^\W*(?:(?:bonjour|alors|dis)\W+)*(?:qu'est-ce (?:que c'est que|que|qu')|c'est quoi|est-ce (?:que|qu')|"
    r"comment (?:est|sont|se|s')\s?\w*|comment|combien|pourquoi|quand|"
    r"quel(?:le)?s? (?:est|sont|était)|quel(?:le)?s?|peut-on|faut-il|doit-on|que)\s*",
    re.IGNORECASE,
)
_LEANS: Final = re.compile(
    r"\b(?:son|sa|ses|leurs?|y|en|il|elle|ils|elles|l'on|le|la|les|ce|cela|celui-ci)\b", re.IGNORECASE
)
_SENTENCES: Final = re.compile(r"(?<=[.!?…;])\s+|\n+")
_SIGNS: Final = re.compile(rf"(?<!\w)(?:{_ASKS}|(?:cb|délais?|durées?|taux|plafonds?|seuils?|ou pas)\b)", re.IGNORECASE)
"""Of a sentence that asks without a question mark."""
_FEWEST: Final = 2
"""Words that a half needs to stand as a question."""


def asking(message: str) -> str:
    """Its first sentence of two words or more that ends with a question mark, else the first that sounds like a
    question, else the last."""
    said = [text for text in map(str.strip, _SENTENCES.split(message)) if text]
    marked = [text for text in said if "?" in text and len(re.findall(r"\w+", text)) >= _FEWEST]
    sounding = [text for text in said if _SIGNS.search(text.replace("’", "'"))]
    return next(iter((*marked, *sounding, *said[-1:])), message)


def halves(question: str) -> tuple[str, ...]:
    """One question, or the two it is made of; the second carries the first one's subject where it leans on it."""
    found = _SEAM.search(question.replace("’", "'"))
    if found is None:
        return (question,)
    first, second = question[: found.start()].strip(), question[found.end() :].strip()
    if min(len(re.findall(r"\w+", half)) for half in (first, second)) < _FEWEST:
        return (question,)
    subject = _OPENS.sub("", first.replace("’", "'")).strip(" ?.,")
    return (first, f"{second.rstrip(' ?.')} ({subject}) ?" if subject and _LEANS.search(second) else second)
