"""The answers to a question back that are few and known: each completes the user's own question."""

import re
from collections.abc import Iterable
from typing import Final

from corpus.places import Gazetteer, Place
from pipeline.routing.lexicon import SCHEME_PATTERNS
from pipeline.routing.reading import Reading
from pipeline.routing.words import flat
from pipeline.types import Choice

MOST_HOMONYMS: Final = 5
LONGEST: Final = 1_500
"""Characters of a question that is offered again on a button."""
NAMED: Final = re.compile(
    r"\b[àÀ] (?P<name>(?:L[ae]s? )?[A-ZÀ-Ý][a-zà-ÿ'’]{2,}"
    r"(?:[ -](?:[A-ZÀ-Ý][a-zà-ÿ'’]+|l[ea]s?|d[eu]s?|sur|sous|en|lès))*)"
)
"""A capital after « à »; letters that are all capitals are an acronym."""
CODE: Final = re.compile(r"\b(?:à|a|commune|code|insee) (?P<code>\d{4,5})\b(?! ?(?:€|euros?|m2|m²|%))", re.IGNORECASE)


def homonyms(own: Reading, places: Gazetteer) -> tuple[Choice, ...]:
    """The communes that bear the name, most populous first; only those that the completed question then means."""
    mention = own.ambiguous[0]
    offered = []
    for place in mention.places[:MOST_HOMONYMS]:
        named = f"{place.name} ({place.department})"
        question = own.text[: mention.start] + named + own.text[mention.end :]
        offered.append(Choice(place.insee, place.label, question))
    return _sure(offered, places)


def parts_of(own: Reading, city: Place, places: Gazetteer) -> tuple[Choice, ...]:
    """The arrondissements of the city, in order."""
    span = next(((m.start, m.end) for m in own.mentions if city in m.places), None)
    offered = []
    for number, place in enumerate(places.arrondissements(city.insee), start=1):
        named = f"{city.name} {number}{'er' if number == 1 else 'e'}"
        question = own.text[: span[0]] + named + own.text[span[1] :] if span else f"{own.text.rstrip(' ?.!')} à {named}"
        offered.append(Choice(place.insee, named, question))
    return _sure(offered, places)


def unknown_place(own: Reading, places: Gazetteer) -> tuple[str, tuple[Choice, ...]] | None:
    """What to say of a name or a code that is no French commune's, with the code that it may be short of a zero; None
    when the question names nothing of the kind."""
    if own.mentions:
        return None
    if match := CODE.search(own.text):
        code = match["code"]
        place = places.get(f"0{code}") if len(code) == 4 else None
        if place is None:
            return f"Aucune commune ne porte le code {code} : donnez plutôt son nom et son département.", ()
        question = (
            own.text[: match.start("code")] + f"{place.name} ({place.department})" + own.text[match.end("code") :]
        )
        said = f"Aucune commune ne porte le code {code} : est-ce 0{code}, {place.label} ?"
        return said, _sure([Choice(place.insee, place.label, question)], places)
    for match in NAMED.finditer(own.text):
        name = match["name"].rstrip(" -'’")
        if not places.is_area(name) and not _is_scheme(name):
            return (
                f"Je ne connais pas de commune française nommée « {name} » : vérifiez l'orthographe ou donnez son "
                "département ; l'étranger n'est pas couvert."
            ), ()
    return None


def _is_scheme(name: str) -> bool:
    """Whether the name is a scheme's rather than a place's: « à Jeanbrun »."""
    return any(pattern.search(flat(name)) for pattern in SCHEME_PATTERNS.values())


def _sure(offered: Iterable[Choice], places: Gazetteer) -> tuple[Choice, ...]:
    """A button whose question would be asked back again is worse than none."""
    return tuple(
        choice
        for choice in offered
        if len(choice.question) <= LONGEST
        and any(
            not mention.ambiguous and mention.places[0].insee == choice.insee
            for mention in places.find(choice.question)
        )
    )
