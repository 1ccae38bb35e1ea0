"""The French sentences that the router itself says: refusals, questions back and reasons."""

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
NO_CRM = "HubSpot n'est pas connecté : je ne peux pas lire ce dossier."
WHICH_COMMUNE = "Pour quelle commune souhaitez-vous les prix ? Indiquez son nom et, si besoin, son département."
WHAT_TO_DEEPEN = "Quel point souhaitez-vous approfondir ? Ce fil ne contient pas encore de réponse."
WHAT_QUESTION = "Pouvez-vous préciser votre question ? Je n'y vois ni sujet ni commune."
CANNOT_DO = (
    "Dans HubSpot, je sais lire un dossier et proposer une note, une tâche ou la mise à jour d'un champ simple. Je ne "
    "supprime rien et je n'envoie aucun message."
)
OUT_OF_DVF = (
    "Les prix DVF ne couvrent ni la Moselle, ni le Bas-Rhin, ni le Haut-Rhin, ni Mayotte : aucun prix de vente n'y est "
    "publié. L'absence de prix n'y veut pas dire absence de ventes."
)
