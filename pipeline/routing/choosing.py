"""The answers to a question back that are few and known: each completes the user's own question."""

from collections.abc import Iterable
from typing import Final

from corpus.places import Gazetteer, Place
from pipeline.routing.reading import Reading
from pipeline.types import Choice

MOST_HOMONYMS: Final = 5
LONGEST: Final = 1_500
"""Characters of a question that is offered again on a button."""


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
