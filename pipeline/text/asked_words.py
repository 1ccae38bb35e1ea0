"""The words of a request that say nothing of what is looked for; what is left of a message may be a name or a topic."""

from typing import Final

from pipeline.text.names import all_words, folded

IDLE: Final = frozenset(
    all_words(
        # what is asked for, and the verbs and politeness of asking
        "dossier dossiers deal deals affaire affaires client clients cliente clientes pipe pipeline "
        "portefeuille opportunite opportunites hubspot crm liste lister listing affiche afficher montre "
        "montrer donne donner dis dire sors sortir trouve trouver cherche chercher voir veux voudrais peux "
        "pouvez peut savoir connaitre rappelle rappeler recap recapitule resume resumer resumes synthese "
        "point fais fait faire statut etat stade etape etapes phase fiche infos info information informations "
        "detail details brief nom noms prenom prenoms numero bonjour bonsoir salut hello merci stp svp "
        "besoin tache taches rappel rappels relance relances contact "
        "contacts email mail mails telephone tel coordonnees joindre "
        # articles, pronouns, links
        "le la les l un une des de du d au aux a en et ou ni mais donc car que qu qui quoi quel quelle quels "
        "quelles dont lequel laquelle lesquels ce cet cette ces ca c ceux celles celui celle cela ceci mon ma "
        "mes ton ta tes son sa ses notre nos votre vos leur leurs je j tu il elle on nous vous ils elles me m "
        "moi te t toi se s lui eux y n ne pas plus moins tres tout tous toute toutes aussi encore deja juste "
        "seulement est sont suis es sera seront etre etait ont ai as avons avez avoir si comme comment "
        "pourquoi combien quand par pour sur sous dans avec sans chez vers entre depuis jusqu hier aujourd "
        "hui demain maintenant actuellement autre autres chaque meme quelques plusieurs peu beaucoup parmi "
        # how lists are asked for
        "ouvert ouverts ouverte ouvertes actif actifs cours concerne concernent concernant parle parlent "
        "sujet mot question mentionne mentionnant interesse interesses interessee interessees lie lies suivi "
        "suivis suivie suivies suit suivent gere geres gerent attribue attribues affecte affectes responsable "
        "conseiller conseillere commercial equipe total totaux montant montants somme valeur nombre compte "
        "compter vaut valent top gros grosse plus grand grands important importants petits petites meilleur "
        "meilleurs premier premiers premiere dernier derniers derniere prochain prochains prochaine "
        "prochaines date dates signature signatures signe signer signent sign closing closings echeance "
        "echeances prevu prevus prevue prevues cloture superieur superieurs inferieur inferieurs hors sauf "
        "excepte jamais decroissant decroissants croissant croissants gagne dessus dessous minimum maximum "
        "min max euro euros eur k ke m jour jours semaine semaines mois trimestre annee avance avancent bouge "
        "nouveau nouveaux neuf mme mr monsieur madame famille projet projets classe trie tries trier ordre "
        "ordonne groupe groupes regroupe regrouper ligne lignes rapide rapidement vite the of my in all show "
        "tombe tombent doit doivent devons vient viennent cabinet apparait apparaissent figure figurent rattache "
        "rattaches pese pesent ensemble cumul cumule cumules moyen moyenne moyens rien note notes traine trainent "
        "repartition pourcentage retard suit compris cree creee crees habite vit habitent "
        "manque manquent longtemps ancien anciens ancienne anciennes vieux recent recents priorite priorites "
        "passer rester reste restent vit habite fois dit ete revenir revenons faut faudrait attendu attendue attendus "
        "attendues evoque evoquent parler disent dites ressort ressortir petite question questions coucou bon alors "
        "souhaite souhaitent aimerais prepare preparer oui ok bref sinon enfin possible indiquer indiquez relatif "
        "relative existe existent dispose disposons possede mentionnent chiffre existant hein genre truc trucs non "
        "attend attendent echange echanges vieille vieilles stades phases avant apres "
        "pareil idem exactement accent cote additionne additionner additionnez ajoute personne ya dedans reellement "
        "font faire vraiment precisement bonne voila surtout plutot quoique okay uniquement chacun chacune "
        "list me what prospect prospects ans an deux trois quatre cinq six dix "
    )
)


def topics(message: str) -> tuple[str, ...]:
    """The words of a message that may name or describe something, as they are written there; numbers
    of less than four digits do not."""
    return tuple(
        word for word in all_words(message) if folded(word) not in IDLE and (len(word) > 1) and not _small(word)
    )


def _small(word: str) -> bool:
    return word.isdigit() and len(word) < 4
