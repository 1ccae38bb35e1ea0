"""The words by which a team names a file of its own, and asks what it says."""

import re
from functools import cache
from typing import Final

from corpus.french import distinct

_THE_FILE: Final = re.compile(
    r"(?:\b(?P<inside>dans|selon|d['’]après)\s)?"
    r"(?:\b(?:l[ea]|mon|ma|ce|cette|cet|son|sa|du|au|votre|notre)\s|\bl['’])(?:fichier|document|compte[- ]rendu|"
    r"rapport|pdf|tableur|pièce jointe|annexe|brochure|plaquette|note (?:jointe|de visite)|mémo)\b",
    re.IGNORECASE,
)
_ASKING: Final = (
    "dit dire disent contient contenu indique mentionne précise prévoit annonce raconte résume résumer résumé synthèse "
    "lis lire lu retenir ressort points clés principaux important essentiel grandes lignes fais donne peux stp svp"
)


def names_a_file(text: str) -> bool:
    """« le compte rendu », « ce document »: words for a file of the team's, and for papers that a rule speaks of."""
    return bool(_THE_FILE.search(text))


def asked_of_a_file(text: str) -> str | None:
    """What is asked of the file that the text names, in its words, "" where all of it is; None where it asks of none.

    >>> asked_of_a_file("que dit le compte rendu ?"), asked_of_a_file("quel document fournir ?")
    ('', None)
    """
    named = _THE_FILE.search(text)
    if named is None:
        return None
    rest = _THE_FILE.sub(" ", text)
    if not named["inside"] and not any(_asks(word) for word in rest.split()):
        return None
    return without_asking(rest)


def without_asking(text: str) -> str:
    """Its words but those by which one asks what a file says, and those that mean nothing alone."""
    return " ".join(word for word in text.split() if distinct(word) and not _asks(word))


def _asks(word: str) -> bool:
    terms = distinct(word)
    return bool(terms) and set(terms) <= _asking()


@cache
def _asking() -> frozenset[str]:
    return frozenset(distinct(_ASKING))
