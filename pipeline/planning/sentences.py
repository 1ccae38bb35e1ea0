"""The French sentences that the planner itself says: refusals with their reason, questions back."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from corpus.places import Gazetteer, Place
from pipeline.reading import Reading
from pipeline.understanding.dates import PARIS

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
NOT_HELD: Final[Mapping[str, str]] = {
    "property_tax": "Je n'ai pas la taxe foncière par commune : elle est sur l'avis du vendeur, et les taux votés sur "
    "impots.gouv.fr.",
    "vacancy": "Je n'ai pas de taux de vacance propre à une commune : mes sources ne donnent que des chiffres "
    "nationaux et par zone.",
    "demand": "Je n'ai pas de mesure de la demande locative ni des délais de location par commune.",
    "rent_ceiling": "Je n'ai pas le loyer de référence d'une adresse ni d'un logement : le simulateur de la préfecture "
    "ou de la ville le donne, par secteur, époque de construction et nombre de pièces.",
    "people": "Je n'ai ni la population, ni les revenus, ni l'emploi d'une commune : l'Insee les publie.",
    "safety": "Je n'ai pas de chiffres de sécurité par commune : le ministère de l'Intérieur les publie.",
    "commercial": "Je n'ai ni prix ni loyers de bureaux ou de commerces : mes sources ne couvrent que les logements, "
    "les garages et les terrains.",
    "services": "Je n'ai pas de données sur les écoles, les transports ou la vie d'un quartier.",
    "ranking": "Je ne classe pas les villes et n'en recommande aucune : donnez-m'en deux ou trois, et je compare leurs "
    "prix, leurs loyers et leurs risques.",
    "advice": "Je ne rends pas de conseil personnalisé : voici des faits sur le lieu, la décision reste la vôtre et "
    "celle de votre client.",
}
"""What none of our sources holds of a place, by the names of `[not_held]` in `cues.toml`."""
LATEST_ONLY = (
    "Je n'ai les loyers estimés et les DPE que dans leur dernier état : je ne peux pas les donner pour l'année "
    "demandée."
)
_UNSAFE: Final = (
    (
        r"(?:faux|fausses?|falsifi\w*|truqu\w*|bidon|modifi\w*|gonfl\w*) .{0,25}(?:bulletin|fiches? de paie|salaire|"
        r"avis|impot|releve|justificatif|papier)",
        "Je n'aide pas à fabriquer ni à modifier un justificatif de revenus : c'est un faux, puni par la loi. La voie "
        "licite : les pièces réelles, un garant ou une caution, ou un projet à la mesure des revenus ; je peux le "
        "chiffrer.",
    ),
    (
        r"(?=.*(?:\bbanqu|\b35 ?%))(?=.*\b(?:credits?|prets?|dettes?|revenus?|salaires?|endettement|charges?)\b)",
        "Je n'aide pas à cacher un crédit ni à gonfler un revenu devant une banque : une fausse déclaration fait "
        "tomber le prêt et peut être poursuivie. La voie licite : solder ou regrouper le crédit, allonger la durée, "
        "augmenter l'apport ; je peux recalculer la capacité d'emprunt dans chaque cas.",
    ),
    (
        r"antidat|post[- ]?dat|faux|fausse|falsifi|truqu|bidon|gonfl|modifi\w* (?:le |la |un |une )?dpe",
        "Je n'aide pas à établir ni à modifier un document pour tromper : antidater ou falsifier un acte est un faux, "
        "puni par la loi. La voie licite : un avenant daté du jour, ou une attestation exacte ; je peux vous dire ce "
        "que la règle permet.",
    ),
    (
        r"\bexport\w*|\b(?:tous|toutes|liste) (?:\w+ )?(?:les |mes |nos )?(?:contacts|clients|numeros|mails)",
        "Je n'extrais pas de fichier de contacts : ce sont des données personnelles, et Slack n'est pas le lieu pour "
        "les diffuser. La voie licite : l'export de HubSpot, par une personne qui en a le droit.",
    ),
    (
        r"origine|etranger|arabe|noir|blanc|race|religion|musulman|juif|handicap|homo|gay|enceinte|enfant|famille|"
        r"age\b|vieux|femme seule|nom de famille|consonance|nationalite|mere celib",
        "Je n'aide pas à écarter quelqu'un pour son origine, sa famille, son âge ou sa santé : la loi interdit de "
        "discriminer un candidat locataire ou acquéreur. La voie licite : des critères de solvabilité, les mêmes pour "
        "tous, et les seules pièces que le décret autorise.",
    ),
    (
        r"expuls|degager|virer|faire partir|couper|serrure|pression|harcel|squat",
        "Je n'aide pas à faire partir un occupant hors de la procédure : c'est un délit. La voie licite : congé dans "
        "les formes, commissaire de justice, conciliation, puis décision du juge.",
    ),
    (
        r"proprietaire|adresse perso|numero de (?:tel|portable)|qui habite|identite|coordonnees|vie privee|"
        r"autres? (?:client|cabinet)s?|compte bancaire",
        "Je ne donne ni l'identité ni les données personnelles de propriétaires, d'occupants ou de clients d'autrui. "
        "La voie licite : une demande au service de la publicité foncière, ou l'accord de la personne.",
    ),
    (
        r"fraud|cacher|dissimul|ne pas declarer|non declar|au black|sans declarer|blanchi|liquide|cash|offshore|"
        r"prete[- ]nom|echapper|evad|sous[- ]eval",
        "Je n'aide pas à dissimuler un revenu, un prix ou l'origine de fonds : c'est une fraude, et un CIF doit la "
        "signaler (lutte contre le blanchiment). La voie licite : les régimes et abattements que la loi prévoit, que "
        "je peux comparer.",
    ),
    (
        r"instruction|consigne|regles|prompt|mot de passe|token|cle api|systeme|secret",
        "Je garde mes règles et les accès de votre cabinet pour moi. Je peux vous dire ce que je sais faire et d'où "
        "viennent mes données.",
    ),
)
_UNSAFE_ELSE: Final = (
    "Je ne peux pas vous aider à cela : la demande serait contraire à la loi ou à vos obligations de conseiller. "
    "Dites-moi le but, je chercherai la voie licite."
)


def today(asked_at: datetime) -> str:
    """The day and the hour, as they are in Paris."""
    here = asked_at.astimezone(PARIS)
    return f"Nous sommes le {here:%d/%m/%Y}, il est {here.hour} h {here:%M} à Paris."


def unsafe(low: str) -> str:
    """The refusal of a request that must not be helped with, its reason, and the lawful way."""
    return next((said for words, said in _UNSAFE if re.search(words, low)), _UNSAFE_ELSE)


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
