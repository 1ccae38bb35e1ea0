"""Proper names of a sentence: persons, towns, bodies; one that its sources do not say is an invention."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pipeline.grounding.lexicon import flat
from pipeline.grounding.sources import Source

_NAME: Final = re.compile(r"(?<![\w.])([A-ZÀ-ÖØ-Ý][\w'-]*[a-zà-öø-ÿ][\w'-]*|[A-ZÀ-Ý]{3,}\d*)")
_OPENS: Final = re.compile(r"(?:^|[.!?:«»(\[•|]\s*|\*\*|–\s)$")
_TITLED: Final = re.compile(r"(?:\bM\.|\bMmes?|\bMe|\bDr|\bMaître)\s+$")
_ELIDED: Final = re.compile(r"^(?:[LDSNJMTC]|Qu)'[a-zà-ÿ]")
_SUBJECT: Final = re.compile(
    r"^\W*([A-ZÀ-Ý][\w'-]{2,})(?= (?:est|a|se|s'|ne|n'|compte|applique|affiche|dispose|reste|ressort|"
    r"atteint|autorise|impose|figure|"
    r"passe|reste|recule|progresse|perd|gagne|arrive|demeure|[A-ZÀ-Ý][a-zà-ÿ]+)\b| ?:)"
)
"""A name that opens the sentence: it takes a verb, or another name, without an article."""
_SMALL: Final = frozenset(["de", "des", "du", "la", "le", "les", "l", "d", "et", "a", "au", "aux", "en", "sur", "pour"])
_COMMON: Final = frozenset(["france", "francais", "francaise", "europe", "etat"])


_OPENERS: Final = frozenset(
    [
        "cela",
        "ceci",
        "elle",
        "elles",
        "ils",
        "ca",
        "tout",
        "tous",
        "toute",
        "rien",
        "aucun",
        "aucune",
        "celui",
        "celle",
        "ceux",
        "celles",
        "chacun",
        "chacune",
        "tel",
        "telle",
        "plafond",
        "seuil",
        "taux",
        "duree",
        "prix",
        "oui",
        "non",
        "resultat",
        "attention",
        "exception",
        "calcul",
        "exemple",
        "formule",
        "total",
        "bail",
        "loyer",
        "revers",
        "autrement",
        "chaque",
        "ailleurs",
        "delai",
        "seul",
        "seule",
        "lui",
        "condition",
        "montant",
        "quotite",
        "engagement",
        "depuis",
        "pour",
        "avec",
        "sans",
        "dans",
        "sur",
        "sous",
        "selon",
    ]
)


def proper_names(text: str) -> Iterator[str]:
    """Words with a capital that does not come from opening a sentence."""
    opening = _SUBJECT.match(text)
    if opening and "'" not in opening.group(1) and flat(opening.group(1)) not in _OPENERS:
        yield opening.group(1)
    for found in _NAME.finditer(text):
        before = text[: found.start()]
        if (not _OPENS.search(before) or _TITLED.search(before)) and not _ELIDED.match(found.group(1)):
            yield found.group(1)


def absent_name(text: str, sources: Sequence[Source]) -> str | None:
    """The first name that no cited source says, whole or as the start of a word."""
    said = " ".join(f"{flat(source.title_text)} {source.flat_text}" for source in sources)
    for name in proper_names(text):
        plain = re.sub(r"^(?:[ldsnjmtc]|qu|jusqu|lorsqu|puisqu)'", "", flat(name))
        parts = [part for part in re.split(r"[-']", plain) if len(part) > 2] or [plain]
        if plain not in _COMMON and not all(part.rstrip("s") in said for part in parts) and not _initials(name, said):
            return name
    return None


def _initials(name: str, said: str) -> bool:
    """`CGI` where the source says « code général des impôts »."""
    if not name.isupper():
        return False
    letters = "".join(word[0] for word in re.findall(r"[a-z]+", said) if word not in _SMALL)
    return name.lower() in letters
