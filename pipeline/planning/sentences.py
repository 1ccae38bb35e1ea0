"""The French sentences that the planner itself says: refusals with their reason, questions back."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from corpus.places import Gazetteer, Place
from pipeline.reading import Reading
from pipeline.understanding.dates import PARIS

REFUSALS: Final = Path(__file__).with_name("refusals.toml")
LONGEST = 8_000
TOO_LONG = (
    "Votre message dépasse 8 000 caractères : je ne le traite pas en entier. Résumez la question en quelques phrases, "
    "ou déposez le document comme fichier."
)
EMPTY = "Votre message est vide. Posez votre question en une phrase, par exemple « prix des T3 à Villeurbanne »."
ONLY_EMOJI = "Je ne vois aucun mot ici, seulement des émojis ou des signes. Quelle est votre question ?"
ONLY_CODE = (
    "Votre message ne contient qu'un bloc de code, que je ne traite pas comme une demande. Que voulez-vous savoir ?"
)
ONLY_QUOTE = "Votre message ne contient qu'un texte cité ou transféré. Que voulez-vous savoir à son sujet ?"
OUT_OF_FIELD = (
    "Cette question sort de mon domaine : l'investissement immobilier résidentiel (marché, fiscalité, risques, "
    "financement, conformité) et les dossiers de votre CRM."
)
WHICH_CHANGE = (
    "Je n'ai pas compris ce qui change dans l'écriture demandée : redites-moi le texte entier, la date ou le dossier. "
    "Rien n'est modifié, et la proposition précédente tient toujours."
)
NOT_SHOWN = "La liste que j'ai affichée n'a pas autant de dossiers : donnez-moi un numéro ou un nom."
NO_CRM = "HubSpot n'est pas connecté : je ne peux pas lire ce dossier."
WHICH_COMMUNE = "Pour quelle commune souhaitez-vous les prix ? Indiquez son nom et, si besoin, son département."
WHAT_OF = "Que voulez-vous savoir à ce sujet ? Par exemple ce que c'est, un taux, un plafond ou un calcul."
WHICH_OTHER = "De quoi parlez-vous ? Ce fil ne contient encore ni commune, ni dispositif, ni calcul."
WHAT_QUESTION = "Pouvez-vous préciser votre question ? Je n'y vois ni sujet ni commune."
OUT_OF_DVF = (
    "Les prix DVF ne couvrent ni la Moselle, ni le Bas-Rhin, ni le Haut-Rhin, ni Mayotte : aucun prix de vente n'y est "
    "publié. L'absence de prix n'y veut pas dire absence de ventes."
)
WHICH_PLACE = "Pour quelle commune, ou quelle adresse ? Donnez son nom et, si besoin, son département."
WHAT_FOR = "Que souhaitez-vous calculer avec ces chiffres ?"
WHAT_ABOUT = "Que souhaitez-vous savoir sur cette commune ?"
LATEST_ONLY = (
    "Je n'ai les loyers estimés et les DPE que dans leur dernier état : je ne peux pas les donner pour l'année "
    "demandée."
)


def today(asked_at: datetime) -> str:
    """The day and the hour, as they are in Paris."""
    here = asked_at.astimezone(PARIS)
    return f"Nous sommes le {here:%d/%m/%Y}, il est {here.hour} h {here:%M} à Paris."


@cache
def _refusals() -> Mapping[str, Any]:
    with REFUSALS.open("rb") as file:
        return tomllib.load(file)


def not_held(name: str) -> str:
    """What is said of something that none of our sources holds of a place; `name` as in `cues.toml`."""
    return str(_refusals()["not_held"][name])


def unsafe(low: str) -> str:
    """The refusal of a request that must not be helped with, its reason, and the lawful way."""
    return next(str(row["said"]) for row in _refusals()["unsafe"] if re.search(row["words"], low))


def which_of(reading: Reading, candidates: Sequence[str], places: Gazetteer) -> str:
    """The question back when several communes bear one name."""
    said = next((place.text for place in reading.places if place.ambiguous), None)
    known = next((place.name for code in candidates if (place := places.get(code))), "ce nom")
    said = said or known
    listed = " ; ".join(place.label for code in candidates[:4] if (place := places.get(code)))
    return f"Plusieurs communes correspondent à « {said} » : {listed}. Laquelle vous intéresse ?"


def which_part(city: Place, places: Gazetteer) -> str:
    """The question back for Paris, Lyon and Marseille: sales are published by arrondissement only."""
    last = len(places.arrondissements(city.insee))
    return (
        f"À {city.name}, les prix DVF sont publiés par arrondissement (du 1er au {last}e) : lequel vous intéresse ? "
        f"Par exemple « {city.name} {min(7, last)}e »."
    )
