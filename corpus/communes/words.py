"""Words that decide whether a commune's name in a French sentence is a place: kept by hand, folded (see `fold`)."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ORDINARY = word_set(
    """
    pas son place charge ligne cours titre contre parent celle plan ville vers grand pere mars frais mere
    avril mer celles hommes cause grave pres rue bataille simple cote tour marie moyen long cesse aucun marche
    defense eu force passage union corps premieres vue ecole villes serez comte prince servant maire change
    ventes vente garde sens plans parce bois places port fille reunion tombe lies appelle mene chateau maisons
    maison possession parc courant chambre lourde degre tierce termes terme baties relevant riche mont echelle
    temple salle riviere blanc campagne palais rouge suisse quartier douze armes couronne fete vallee vieux
    colonne issus don hopital vert abondance quarante centres centre bonne bon ecurie allies roches flotte
    marches portes porte male attaques veuve demie monte chasse aire maillot bras forteresse escale romain
    salles rang faux forestiere couches tache seuil bans jardin routes route cavalerie gras ciel chemin etais
    luxe bonnes barre publier murs singles syndicat voisines desert cultures basses lance fosse trait beaux
    plaine chapelle montagne chapelles sauve pauvres chapeau bains monnaie poisson sen lire fins marques
    touches espere conte serre peintre plats couture lacs jure routier talon croix vertus racines peintures
    plaisir vif rustiques etoile pierre champs die ames romaine pont passa serpent tourne ronde signes morte
    pierres bus choisies boue table rancon branches choux loue creances gene sieges grange this loges saint
    sainte sers doux touche planches courtes primat fontes coudre estampes ferres cercueil chaussee jury
    poissons dangers angoisse voue chantes pure doree arroses marines bille roux vogue puits chatelain contes
    precieux fours vivier deserts lutter ange etalon corne souche parois velu doue loupe survie sus machine
    charme etangs cheris serres salon camarade alloue roc rivieres detroit raids gres lent ondes fiefs lue
    vignes chene rocher baron plaisance sourd francs franc creche jumeaux chaudiere viens brusque aires sure
    terrasse nuits borne maille bourg bourse gare loyer loyers lot lots prix bail note notes taches client
    cliente foyer revenus revenu achat avant apres mais pour avec sans sous sur dans chez bien biens parts
    actif cession avis projet calcul taux base regle relance local locaux neuf ancien etage cave jardins
    village villages bouc moins plus tout tous toutes merci bonjour oui non age ans mois jour ou et us y by or
    aux arc arcs feuilles air terre terres eaux eau sables ile iles valeur bar pin pins fontaine fontaines
    prat bosc ham sel theme theil regie fond fonds lieu mesure objet banque donation dossier deal montant
    usage loi lois bec flux usine bureau credit ferme herbe essai soucy cuisine motte mure mures nocle bastide
    tranche pompe seul seule salins verger vergers baisse hausse londres rome bruxelles geneve madrid berlin
    barcelone venise milan lisbonne monaco martin bernard robert richard petit durand leroy moreau simon
    laurent lefebvre michel garcia david bertrand vincent fournier morel girard andre lefevre mercier dupont
    dubois lambert bonnet francois martinez thomas legrand garnier faure rousseau blanchard guerin muller
    henry roussel nicolas perrin morin mathieu clement gauthier dumont lopez chevalier robin masson noel
    dufour meunier meyer lucas renaud charles denis gaillard leclerc lacroix colin roger picard arnaud aubert
    lemoine rolland jean pinel robien scellier duflot malraux borloo girardin besson censi bouvard perissol
    jeanbrun denormandie cosse macron bercy elan alur barnier carrez hoguet
    """
)
"""Ordinary words, first and family names, schemes and foreign cities that are also communes: a capital after a
preposition of place, a postcode or a department is needed. Half of them were counted in 300,000 words of prose."""

NEAR_TOWNS = word_set("rentes chalet chalets nantis rennais colombe orient roissy revers")
"""Words one letter away from a large town."""

ORDINARY_PHRASES = frozenset(("entre deux", "trois villes", "petite ile", "deux lacs", "la chaussee", "beau site"))
"""Names of several words that ordinary sentences hold."""

SOFT = word_set(
    """
    tours orange lourdes menton cannes rennes vienne gap nice romans angers lens castres laval brest avion
    """
)
"""Real towns that are also words: lower case only after a preposition of place."""

PLACE_NOUNS = word_set("commune ville mairie secteur quartier centre agglomeration")
PLACE_PREPOSITIONS = word_set("a sur vers secteur commune ville mairie quartier centre habite investir cp insee")
"""Before a town, even in lower case."""

PREPOSITIONS = PLACE_PREPOSITIONS | word_set("de d du des en dans pour entre au aux et ou autour pres chez depuis avec")

SMALL = word_set("le la les l de du des d sur sous en et au aux a lez saint sainte")
"""Words that do not make a name specific by themselves."""

STREETS = word_set(
    """
    rue avenue av boulevard bd bvd place quai impasse allee allees chemin route cours square faubourg passage
    gare porte pont metro station lycee accord accords traite bourse residence esplanade promenade voie
    sentier ruelle villa lotissement programme tribunal appel hotel stade musee cathedrale edit bordelais
    """
)
"""A name right after one of these (and its particles) is an address or an institution, not a place asked about."""

CIVILITIES = word_set(
    """
    m mr mme mlle monsieur madame mademoiselle messieurs mesdames maitre me dr docteur pr epoux epouse famille
    consorts client cliente clients dossier deal couple succession sci sarl sas nom notaire prenom veuve
    indivision
    """
)
"""A name right after one of these (and one first name) is a person, a firm or a file."""

PARTICLES = word_set("de du des d la le les l et")

UNITS = word_set(
    """
    m m2 m² metre metres piece pieces p chambre chambres appartement appartements appart apparts maison
    maisons lot lots bien biens studio studios logement logements an ans annee annees mois jour jours semaine
    semaines heure heures euro euros eur k ke keur me million millions milliard pourcent pct personne
    personnes dossier dossiers vente ventes fois point points enfant enfants client clients etoiles min
    minutes km hectares ha are ares immeuble immeubles etage etages parts part t1 t2 t3 t4 t5 t6 f1 f2 f3 f4
    f5 questions villes communes scenarios options
    """
)
"""A bare number before one of these counts something: it is no arrondissement, department or postcode."""

MONEY_BEFORE = word_set(
    """
    budget apport loyer loyers salaire salaires revenu revenus emprunt emprunte emprunter pret montant euros
    prime honoraires recettes plafond seuil capital dossier deal note numero no n ticket facture environ gagne
    paie paye coute vaut vendu achete travaux depense economie epargne hypotheque dette reste facon autour
    plus moins ref reference
    """
)
"""A five-digit number after one of these is an amount or a reference, not a postcode."""

NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
ROMAN = {numeral: value for value, numeral in enumerate(NUMERALS.split(), start=1)}

OTHER_AREAS = {
    "reunion": ("974",),
    "ile de la reunion": ("974",),
    "alsace": ("67", "68"),
    "lorraine": ("54", "55", "57", "88"),
    "champagne": ("08", "10", "51", "52"),
    "champagne ardenne": ("08", "10", "51", "52"),
    "picardie": ("02", "60", "80"),
    "aquitaine": ("24", "33", "40", "47", "64"),
    "auvergne": ("03", "15", "43", "63"),
    "rhone alpes": ("01", "07", "26", "38", "42", "69", "73", "74"),
    "limousin": ("19", "23", "87"),
    "languedoc": ("11", "30", "34", "48"),
    "poitou charentes": ("16", "17", "79", "86"),
    "bourgogne": ("21", "58", "71", "89"),
    "franche comte": ("25", "39", "70", "90"),
    "paca": ("04", "05", "06", "13", "83", "84"),
    "provence": ("04", "13", "83", "84"),
    "cote d azur": ("06", "83"),
    "idf": ("75", "77", "78", "91", "92", "93", "94", "95"),
    "pays basque": ("64",),
    "metropole": (),
    "belgique": (),
    "suisse": (),
    "espagne": (),
    "allemagne": (),
    "italie": (),
    "france": (),
}
"""Regions of before 2016, ordinary names of areas and neighbours: hints, and never communes themselves."""
