"""The answers to a question back that are few and known: each completes the user's own question."""

from collections.abc import Iterable, Sequence
from typing import Final

from corpus.places import Gazetteer, Place
from pipeline.reading import Reading
from pipeline.thread_state import Frame
from pipeline.types import Choice, Question

MOST_HOMONYMS: Final = 5
LONGEST: Final = 1_500
"""Characters of a question that is offered again on a button."""


def homonyms(reading: Reading, frame: Frame, places: Gazetteer) -> tuple[Choice, ...]:
    """The communes that bear the name, most populous first; only those that the completed question then means."""
    said = next((place for place in reading.places if place.ambiguous), None)
    offered = []
    for code in frame.candidates[:MOST_HOMONYMS]:
        place = places.get(code)
        if place is None:
            continue
        named = f"{place.name} ({place.department})"
        question = reading.text[: said.start] + named + reading.text[said.end :] if said else f"{frame.query} à {named}"
        offered.append(Choice(place.insee, place.label, question))
    return _sure(offered, places)


def parts_of(reading: Reading, city: Place, places: Gazetteer) -> tuple[Choice, ...]:
    """The arrondissements of the city, in order."""
    text = reading.text
    span = next(((p.start, p.end) for p in reading.places if city.insee in p.insee), None)
    offered = []
    for number, place in enumerate(places.arrondissements(city.insee), start=1):
        named = f"{city.name} {number}{'er' if number == 1 else 'e'}"
        question = text[: span[0]] + named + text[span[1] :] if span else f"{text.rstrip(' ?.!')} à {named}"
        offered.append(Choice(place.insee, named, question))
    return _sure(offered, places)


def readings_of(reading: Reading) -> tuple[Choice, ...]:
    """What a few numbers may be for, each as a question completed."""
    text = reading.text.strip(" ?.!")
    return (
        Choice("loan", "Une mensualité", f"mensualité d'un prêt : {text}"),
        Choice("yield", "Un rendement", f"rendement locatif : {text}"),
        Choice("gain", "Une plus-value", f"impôt sur la plus-value : {text}"),
    )


def named_deal(reading: Reading) -> tuple[Choice, ...]:
    """A name or a number alone may be a deal's; « taux » alone is neither."""
    said = reading.text.strip(" ?.!")
    if not (said[:1].isupper() or said.replace(" ", "").isdigit()):
        return ()
    return (Choice("deal", f"Le dossier {said}"[:70], f"où en est le dossier {said} ?"),)


def wanted_of(reading: Reading) -> tuple[Choice, ...]:
    """What may be wanted of a town that is all a message says."""
    town = reading.text.strip(" ?.!")
    return (
        Choice("prices", "Les prix", f"prix des logements à {town}"),
        Choice("rents", "Les loyers", f"loyers à {town}"),
        Choice("risks", "Les risques", f"risques naturels à {town}"),
        Choice("status", "Le zonage", f"zone tendue, zonage et encadrement à {town}"),
    )


def deals_offered(found: Sequence[object], question: Question) -> tuple[Choice, ...]:
    """The deals that a name may mean, each with the user's own question about it: (id, label) pairs or "
    "`DealChoice`s."""
    offered = []
    text = question.text.strip()[:LONGEST]
    for item in list(found)[:MOST_HOMONYMS]:
        deal_id, label = item if isinstance(item, tuple) else (item.deal_id, item.label)  # type: ignore[attr-defined]
        offered.append(Choice(str(deal_id), str(label)[:70], f"{text} (dossier {deal_id})"))
    return tuple(offered)


def unknown_place(reading: Reading, places: Gazetteer) -> tuple[str, tuple[Choice, ...]]:
    """What to say of a name or a code that is no French commune's, with the code that it may be short of a zero."""
    name = reading.unknown_place
    if not name.isdigit():
        said = (
            f"Je ne connais pas de commune française nommée « {name} » : vérifiez l'orthographe ou donnez son "
            "département ; l'étranger n'est pas couvert."
        )
        return said, ()
    place = places.get(f"0{name}") if len(name) == 4 else None
    if place is None:
        return f"Aucune commune ne porte le code {name} : donnez plutôt son nom et son département.", ()
    question = reading.text.replace(name, f"{place.name} ({place.department})")
    said = f"Aucune commune ne porte le code {name} : est-ce 0{name}, {place.label} ?"
    return said, _sure([Choice(place.insee, place.label, question)], places)


def misspelt_place(reading: Reading, places: Gazetteer) -> tuple[str, tuple[Choice, ...]] | None:
    """What to ask of a word that looks like the name of a town, with those it may be; None for no such word."""
    word, towns = places.alike(reading.text)
    if not towns:
        return None
    offered = [Choice(p.insee, p.label, reading.text.replace(word, f"{p.name} ({p.department})")) for p in towns]
    *others, last = [place.name for place in towns]
    listed = f"{', '.join(others)} ou {last}" if others else last
    return f"Je ne connais pas de commune nommée « {word} » : pensiez-vous à {listed} ?", _sure(offered, places)


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
