"""What is searched for a question: the line that stands alone, and one search a side of it when there are several."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from corpus.french import distinct
from corpus.places import Place
from corpus.sentences import sentences
from pipeline.reading import MOST_QUERIES
from pipeline.schemes import schemes as known_schemes
from pipeline.text.energy_class import in_full
from pipeline.types import Route
from pipeline.understanding.own_words import flat, sentence_start

TELLING_WORDS: Final = 6
LEAST_TERMS: Final = 3
"""Of a question that stands without the story before it: « quelle est la recette ? » may be about anything."""
ASKS: Final = re.compile(
    r"\?|\b(?:comment|combien|quel(?:le)?s?|quand|pourquoi|est-ce qu\w*|(?:veu\w+|voudr\w+|aimer\w+|souhait\w+) savoir|"
    r"(?:peut|peuvent|doit|doivent|faut)-(?:t-)?(?:il|elle|on|ils|elles)|puis-je|explique\w*)\b",
    re.IGNORECASE,
)
SAID_TO_ASK: Final = re.compile(
    r"^.{0,60}?\b(?:savoir|demand(?:e|ent|ait|aient)|comprendre)\b[\s,:]*(?=\w)", re.IGNORECASE
)
"""« Ils veulent savoir comment… »: what follows is the question."""
ASPECT_OF: Final = {
    "prices": "prix", "rents": "loyers", "risks": "risques", "energy": "energie", "status": "zonage",
    "calc_yield": "rendement", "calc_loan": "financement", "calc_capacity": "financement",
    "calc_gain": "fiscalite", "calc_regime": "fiscalite",
}  # fmt: skip
"""Intent -> the side of a purchase that it is about (published as `route.aspects`)."""
LABELS: Final = {
    "prix": "prix de vente au m² (DVF)",
    "loyers": "niveau et encadrement des loyers",
    "risques": "risques naturels et état des risques",
    "fiscalite": "fiscalité du bailleur",
    "energie": "DPE et décence énergétique",
    "zonage": "zone tendue et zonage A, B, C",
    "conformite": "obligations et information de l'acquéreur",
    "financement": "financement et taux d'endettement HCSF",
    "rendement": "calcul du rendement brut, net et net-net",
    "patrimoine": "gestion de patrimoine",
    "methode": "méthode et limites des données DVF",
}


def sub_queries(
    query: str,
    aspects: Sequence[str],
    schemes: Sequence[str],
    found: Sequence[Place],
    *,
    deepen: bool = False,
    more: Sequence[str] = (),
) -> tuple[str, ...]:
    """1 to 4 searches: one for each aspect when there are several, then `more`; a place with a risk has its PPRI."""
    where = f" {', '.join(place.name for place in found)}" if found else ""
    forced = _forced(aspects, found)
    topics: list[str] = []
    known = known_schemes()
    for aspect in (a for a in aspects if a not in ("prix", "methode") and not (forced and a == "risques")):
        named = [known[s].label for s in schemes if s in known and known[s].aspect == aspect]
        placed = where if aspect in ("loyers", "zonage", "risques") else ""
        subject = next((f", {known[s].label}" for s in schemes if s in known and known[s].aspect), "")
        topics += [f"{label}{placed}" for label in named] or [f"{LABELS[aspect]}{subject}{placed}"]
    if deepen and len(topics) <= 1:
        subject = topics[0] if topics else known[schemes[0]].label if schemes else query
        topics = [
            f"{subject} : {what}" for what in ("calcul et exemple", "points de vigilance", "conditions et limites")
        ]
        return tuple(dict.fromkeys((*forced, query, *topics, *more)))[:MOST_QUERIES]
    if len(topics) + len(forced) <= 1:
        return tuple(dict.fromkeys((query, *forced, *more)))[:MOST_QUERIES]
    # A label alone finds its article's opening; with the question behind it, the part of that article that answers.
    asked = [_asked_of(topic, query) for topic in topics]
    wanted = (*forced, *asked) if len(forced) + len(topics) >= MOST_QUERIES else (query, *forced, *asked)
    return tuple(dict.fromkeys((*wanted, *more)))[:MOST_QUERIES]


def _forced(aspects: Sequence[str], found: Sequence[Place]) -> tuple[str, ...]:
    """A place with a risk always asks for its flood plan, whatever else was understood."""
    if not found or "risques" not in aspects:
        return ()
    names = ", ".join(place.name for place in found)
    return (f"plan de prévention du risque inondation (PPRI) {names}, état des risques",)


def _asked_of(topic: str, query: str) -> str:
    """The topic and the question's telling words: every word more is another millisecond of embedding."""
    words = [word for word in re.findall(r"[\w%-]{4,}", query) if word.lower() not in topic.lower()]
    return f"{topic} : {' '.join(words[:TELLING_WORDS])}" if words else topic


def standalone(query: str, schemes: Sequence[str], found: Sequence[Place], *, inherited: bool) -> str:
    """The query with the thread's scheme in front and its communes behind, where it does not name them already."""
    query = in_full(query) if "dpe" in schemes else query
    if not inherited:
        return query
    low, known = flat(query), known_schemes()
    missing = [known[s].label for s in schemes[:2] if s in known and not known[s].forms.search(low)]
    names = [place.name for place in found[:3] if flat(place.name) not in low]
    line = f"{sentence_start(' et '.join(missing))} : {query}" if missing else query
    return f"{line.rstrip(' ?.!')} à {', '.join(names)}" if names else line


def rewritten(route: Route) -> Route | None:
    """The same route asking only what its message asks: the sentences that ask, without the story around them. None
    where there is no story, or where too few words are left to be sure of the subject."""
    told = sentences(route.query)
    asks = [text for text in told if ASKS.search(text)] or told[-1:]
    query = " ".join(SAID_TO_ASK.sub("", text) for text in asks)
    if len(told) < 2 or query == route.query.strip() or len(distinct(query)) < LEAST_TERMS:
        return None
    return replace(
        route, query=query, sub_queries=(query,), reasons=(*route.reasons, f"recherche reformulée : {query}")
    )
