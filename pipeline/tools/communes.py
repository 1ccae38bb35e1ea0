"""What somebody typed for a commune -> one place that DVF can know, or the French sentence that says why not."""

import re
from dataclasses import dataclass

from corpus.places import Gazetteer, Mention, Place, fold

OUTSIDE_DVF = ("57", "67", "68", "976")
"""Moselle, Bas-Rhin, Haut-Rhin (land registry of local law) and Mayotte: DVF has no sale of theirs."""
OVERSEAS = ("975", "977", "978", "984", "986", "987", "988", "989")
"""Collectivities that are no department: no sale of theirs is in DVF."""
CITIES = {"75056": ("Paris", "75111"), "69123": ("Lyon", "69387"), "13055": ("Marseille", "13208")}
"""Cities that DVF only knows by arrondissement, with an example of a code."""
CODE = re.compile(r"\d{4,5}|2[abAB]\d{3}", re.ASCII)
LONGEST = 120
WHERE = re.compile(r"[\s,(]*[(,][^()]*\)?\s*|[\s()\d]*")
"""What may follow a name: a department in brackets or after a comma, a postcode."""


@dataclass(frozen=True, slots=True)
class Commune:
    """The place meant; `remark` says how the text was understood when that is not obvious."""

    place: Place
    remark: str = ""


def resolve(text: str, places: Gazetteer) -> Commune | str:
    """A name, a postcode or an INSEE code, possibly without its first zero. Raises `PlacesUnreadable`."""
    said = " ".join(text.split())
    if not said:
        return "Précisez une commune : son nom ou son code INSEE."
    if len(said) > LONGEST:
        return "Ce texte est trop long pour être le nom d'une commune."
    if CODE.fullmatch(said):
        return _by_code(said.upper(), places)
    return _by_name(said, places)


def outside_dvf(place: Place) -> str | None:
    """Why DVF cannot tell prices of this place, or None."""
    if place.department in OUTSIDE_DVF:
        return (
            f"{place.label} est hors champ de DVF : la base ne couvre ni la Moselle, ni le Bas-Rhin, ni le Haut-Rhin, "
            "ni Mayotte. L'absence de prix n'y veut pas dire absence de ventes."
        )
    if place.insee in CITIES:
        name, example = CITIES[place.insee]
        return f"DVF suit {name} par arrondissement : précisez lequel, par exemple par son code INSEE {example}."
    if place.department in OVERSEAS:
        return f"{place.label} est hors champ de DVF, qui ne couvre que la métropole et les départements d'outre-mer."
    return None


def _by_code(code: str, places: Gazetteer) -> Commune | str:
    """An INSEE code is tried before a postcode: some numbers are both."""
    if len(code) == 4:
        place = places.get(f"0{code}")
        if place is None:
            return _unknown_code(code)
        return Commune(place, f"Code {code} lu comme 0{code} ({place.name}) : le zéro initial manquait.")
    place = places.get(code)
    mentions = places.find(code)
    if place is None:
        return _chosen(mentions[0], code) if mentions else _unknown_code(code)
    others = [other for mention in mentions for other in mention.places if other.insee != code]
    if others:
        return Commune(place, f"{code} est lu comme un code INSEE, {place.label}, non comme un code postal.")
    return Commune(place)


def _by_name(said: str, places: Gazetteer) -> Commune | str:
    """The whole text has to be the name: « Toulon-sur-Quelquechose » is not Toulon. The second reading is for names
    that are also ordinary words, which the gazetteer only takes after a preposition and with a capital."""
    for prefix, read in (("", said), ("à ", said.title())):
        for mention in places.find(prefix + read):
            after = (prefix + read)[mention.end :]
            if mention.start <= len(prefix) and WHERE.fullmatch(after):
                return _chosen(mention, said)
    return (
        f"Je ne connais pas de commune française nommée « {_quoted(said)} ». Vérifiez l'orthographe, ou donnez son "
        "code INSEE ; l'étranger n'est pas couvert."
    )


def _chosen(mention: Mention, said: str) -> Commune | str:
    if mention.ambiguous:
        listed = " ; ".join(f"{place.label}, code {place.insee}" for place in mention.places)
        return f"Plusieurs communes répondent à « {_quoted(said)} » : {listed}. Donnez le code INSEE de la bonne."
    place = mention.places[0]
    if _words(place.name) == _words(re.split("[(,]", mention.text)[0]):
        return Commune(place)
    return Commune(place, f"« {_quoted(said)} » est compris comme {place.label}, code INSEE {place.insee}.")


def _words(text: str) -> str:
    spelt = re.sub(r"\b(s)(te?)\b", r"\1ain\2", fold(text))
    return " ".join(re.findall(r"[a-z0-9]+", spelt))


def _unknown_code(code: str) -> str:
    return (
        f"Aucune commune ne porte aujourd'hui le code {code}. Si elle a fusionné, donnez son nom : il mène à la "
        "commune nouvelle."
    )


def _quoted(said: str) -> str:
    return re.sub(r"[^\w\s'’().,-]", " ", said)[:60].strip()
