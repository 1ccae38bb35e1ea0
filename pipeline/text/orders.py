"""Sentences of a text that speak to the machine that reads it instead of telling something: shown as what they are,
never told."""

import re
from functools import lru_cache
from typing import Final

from pipeline.text.names import folded

_AT: Final = r"""(?:^\W*|[:;,.!?«"(*-]\s*|\b(?:et|puis|donc|alors|and|then|please|must|should|devez|dois|il faut)\s)"""
"""Where an order begins: « un bailleur qui ignore les règles » is none."""
_WHOSE: Final = r"(?:(?:l['’])?\w+ ){0,4}"
_RULES: Final = r"(?:instruction|consigne|directive|regle|rule|guideline|prompt)s?"
_SECRETS: Final = r"(?:prompt|token|jeton|password|mots? de passe|cles? (?:d['’])?api|api keys?|secrets?|credentials)"
_DONE: Final = (
    r"(?:ignore|oublie|reponds?|repete|ecris|cree|ajoute|envoie|affiche|revele|execute|valide|modifie|supprime|"
    r"transfere|vire|dis|cherche|recommande|conseille|write|create|send|answer|reply|say|delete|update|reveal|print)"
)
_THOU: Final = r"(?:envoie|vire|transfere|execute|reponds|revele|affiche|clique|approuve|supprime|ecris)"
"""A sentence that begins so says « tu » to its reader, as no rule, letter or report does."""
_ORDERS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_AT}(?:ignore[rz]?|oublie[rz]?|neglige[rz]?|outrepasse[rz]?|contourne[rz]?) {_WHOSE}{_RULES}\b",
        rf"{_AT}(?:ignore|disregard|forget|override|bypass) {_WHOSE}{_RULES}\b",
        rf"{_AT}ne (?:tiens|tenez) (?:pas|plus|aucun) compte d\w* {_WHOSE}{_RULES}\b",
        rf"{_AT}(?:reveal|print|show|output|leak|revele[rz]?|affiche|divulgue[rz]?|envoie|donne) {_WHOSE}{_SECRETS}\b",
        r"\b(?:system prompt|prompt systeme|invite systeme)\b",
        r"\b(?:you are now|from now on,? you|tu es (?:desormais|maintenant)|a partir de maintenant,? tu)\b",
        rf"^\W*{_THOU}\s",
        rf"\b(?:assistante?|chatbot|chatgpt|quartierscope|ia)\s?[:,]\s?{_DONE}\b",
    )
)


@lru_cache(maxsize=8192)
def is_order(sentence: str) -> bool:
    """Whether it tells a machine what to do: to drop its rules, to give a secret away, to write, to say something."""
    said = folded(sentence)
    return any(pattern.search(said) for pattern in _ORDERS)
