"""Which class of the DPE a question is about: « logement G », « les f », « étiquette E »."""

import re
from typing import Final

_SAID: Final = re.compile(
    r"\b(?:(?P<rated>class\w*|dpe|lettres?|[ée]tiquettes?|passoires?|not[ée]e?s?) |(?P<home>logements?|biens?|maisons?|"
    r"apparts?|appartements?|studios?) |(?P<bare>les?|en|et|pour|du|un) )(?P<letter>[EFG])\b(?!['’.])",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(r"(?<![\w'’])[EFG](?![\w'’])")


def classes_said(text: str) -> frozenset[str]:
    """Those that a question names; a lone letter counts after a word that may stand before a class."""
    return frozenset(match["letter"].upper() for match in _SAID.finditer(text))


def classes_told(sentence: str) -> frozenset[str]:
    """Those that a sentence of a source is about."""
    return frozenset(_ALONE.findall(sentence))


def of_class(text: str, letter: str) -> str:
    """The same question about another class."""
    return _SAID.sub(lambda match: match[0][:-1] + letter, text)


def in_full(text: str) -> str:
    """« les F » as sources write it: « les logements classés F »; as it is where no class or several are named."""
    if len(classes_said(text)) != 1:
        return text

    def written(match: re.Match[str]) -> str:
        letter, home = match["letter"].upper(), match["home"]
        if match["rated"]:
            return f"{match['rated']} {letter}"
        before = home or f"{match['bare']} {'logements' if match['bare'].lower() == 'les' else 'logement'}"
        return f"{before} {'classés' if before.endswith('s') else 'classé'} {letter}"

    return _SAID.sub(written, text)


def rest(text: str) -> str:
    """What a question says besides its class."""
    return _SAID.sub(" ", text)
