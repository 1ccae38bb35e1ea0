"""What the assistant says of itself: all of it, or the part that was asked for."""

from collections.abc import Mapping, Sequence
from typing import Final

ABOUT: Final = (
    "Je suis QuartierScope, un assistant pour conseillers en gestion de patrimoine. Je réponds en français, avec mes "
    "sources et leurs dates, sur l'investissement immobilier résidentiel :\n"
    "- les règles : LMNP, Relance logement (Jeanbrun), Denormandie, fin du Pinel, déficit foncier, plus-values, "
    "DPE, crédit, CIF ;\n"
    "- un lieu : prix des ventes (DVF), loyers estimés, risques, DPE, zone tendue, encadrement, Denormandie, partout "
    "en France (DVF ne couvre ni l'Alsace, ni la Moselle, ni Mayotte) ;\n"
    "- un calcul : mensualité, rendement, capacité d'emprunt, plus-value, régimes fiscaux, que vous corrigez en un "
    "mot ;\n"
    "- vos dossiers : je liste et je résume ce que dit HubSpot, et je propose notes, tâches et mises à jour ; rien "
    "n'est écrit sans votre clic.\n"
    "J'informe, je ne rends pas de conseil personnalisé. Essayez : « prix des T3 à Villeurbanne et "
    "risque d'inondation »."
)
SAID: Final[Mapping[str, str]] = {
    "sources": "Chaque réponse cite ses sources avec leur date, sous le texte :\n"
    "- prix : ventes DVF (indicateurs du Cerema, statistiques et fichiers DVF de data.gouv.fr), publiés en avril et "
    "octobre ;\n"
    "- loyers : carte des loyers du ministère du Logement ; risques : Géorisques ; étiquettes : DPE de l'ADEME ;\n"
    "- statut d'une commune : listes officielles (zones tendues, A-B-C, Denormandie, encadrement) avec leur "
    "millésime ;\n"
    "- règles : mes articles, datés et liés aux pages officielles, les fichiers et adresses que votre équipe a "
    "ajoutés, puis les sites officiels ; dossiers : HubSpot, au moment de la question.\n"
    "Un chiffre sans source n'est pas publié.",
    "sending": "Non : je n'envoie ni e-mail ni SMS, et je n'appelle personne. Je réponds ici, et je peux proposer une "
    "tâche ou une note dans HubSpot, que vous validez d'un clic.",
    "places": "Toutes les communes de France : loyers estimés, risques, DPE et statut (zone tendue, A-B-C, "
    "Denormandie, encadrement). Les prix de vente (DVF) manquent en Alsace, en Moselle et à Mayotte ; à Paris, Lyon et "
    "Marseille, ils sont publiés par arrondissement. L'étranger n'est pas couvert.",
    "files": "Oui : déposez ici un PDF, un document ou un tableur, je propose de l'ajouter à mes sources, pour votre "
    "équipe seulement.",
    "writing": "Je lis les dossiers de HubSpot (étape, montant, contacts, tâches, notes) et je propose des notes, des "
    "tâches et des mises à jour ; rien n'est écrit sans votre clic. Je ne crée ni ne supprime ni dossier ni "
    "contact.",
    "memory": "Je garde le fil de chaque conversation pour en suivre le sujet. Rien ne passe d'une équipe à une autre, "
    "et ce qui vient d'un canal privé y reste.",
    "advice": "J'informe, je ne rends pas de conseil personnalisé : je donne des règles, des chiffres sourcés et des "
    "calculs ; la recommandation reste la vôtre.",
}
"""By the names of `[about]` in `cues.toml`."""


def about(names: Sequence[str]) -> str:
    """What is said of the parts asked for; the whole presentation where none is named."""
    return "\n\n".join(SAID[name] for name in names) or ABOUT
