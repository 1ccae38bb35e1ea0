"""French surface forms of schemes, aspects and of what lies outside the field, as patterns over flattened text.

Flattened text is lower case without accents and of the same length as the original (see `words.flat`), so patterns are
written without accents. Aspects and schemes are closed lists: the scheme names are the corpus's entities.
"""

import re
from collections.abc import Mapping
from typing import Final

from corpus.communes.spelling import by_shortening

SCHEMES: Final[Mapping[str, str]] = {
    "relance-logement": r"relances? logements?|jean ?brun|statut (fiscal )?du bailleur|"
    r"bailleur prive|amortissement (du |de )?"
    r"(bailleur|logement) ?(prive|neuf)?|remplacant (du )?pinel|successeur (du )?pinel|remplace(r)? le pinel",
    "pinel": r"(?<!successeur du )(?<!remplacant du )(?<!remplace le )\bpine?ll?\b|\bpinnel\b|pinel ?\+|duflot|"
    r"199 novovicies",
    "denormandie": r"de ?norm[ae]nd(ie|y)|\bdenorm\w+|action c.{1,2}ur de ville|denormandi\b",
    "lmnp": r"\bl\.?m\.?n\.?p\b|\blnmp\b|\blmpn\b|loueurs? (en )?meubles? non|(location|loue[re]?|louer|bail|bien|"
    r"logement|"
    r"investissement|loueur|t[1-5]|studio|appartement)s? (en )?meubles?e?s?\b|meubles? (de tourisme|touristique|"
    r"longue duree)"
    r"|\bmeubles?e?s?\b|micro-?bic|airbnb|location saisonniere|loi le ?meur|residence (etudiante|senior|services?|"
    r"de tourisme)",
    "lmp": r"\bl\.?m\.?p\b(?!n)|loueurs? (en )?meubles? professionnels?(?! non)|para-?hoteler",
    "deficit-foncier": r"defici\w{0,3} fonciers?|revenus? fonciers?|micro-?foncier|"
    r"regime reel foncier|10[ .]?700|21[ .]?400"
    r"|charges deductibles|monuments? historiques?|(travaux|interets).{0,25}dedu",
    "locavantages": r"loc'? ?avantages?|\banah\b|convention(nement)? anah|\bcosse\b|"
    r"loc ?[123]\b|intermediation locative",
    "plus-values": r"plus?[ -]?values?|\bpv (immo|immobiliere)|\bpvi\b|"
    r"abattements? pour duree|duree de detention|150 u|surtaxe",
    "prelevements-sociaux": r"prelevements? soc|\bcsg\b|\bcrds\b|\b17[,.]2\b|\b18[,.]6\b|"
    r"\bpfu\b|flat ?tax|\bps\b(?= sur| du| de)"
    r"|bareme (de l')?(ir|impot)|tranches? (d'impot|marginale)|\btmi\b|impot sur le revenu",
    "ifi": r"\bifi\b|impot sur la fortune",
    "dpe": r"\bd\.?p\.?e\.?\b|passoires?\b|(classe|classee?s?|etiquette|note|logements?|"
    r"biens?|lettre)s?"
    r" (energie |energetique |dpe )?[efg]\b|etiquettes? energ|audit energet|performance energet|decence energet|"
    r"renovation energ"
    r"|interdi.{0,30}(location|louer)|gel des loyers|f et g\b|f ou g\b|loi climat",
    "maprimerenov": r"ma ?prime ?reno\w*'?|\bmpr\b|prime renov|aides? (a la )?renovation",
    "zone-tendue": r"zones? (dites? )?(tres )?tendues?|zone non tendue|"
    r"taxe (sur les )?logements? vacants?|\btlv\b|preavis|"
    r"logements? vacants?",
    "zonage-abc": r"zonage|zones? (a bis|abis|abc|a ?/ ?b|b ?[12]|a\b(?! urban)|c\b)|zone [abc][12]?\b",
    "encadrement-loyers": r"\bencadrement\b(?! de la prof)|encadre.{0,12}loyers?|"
    r"loyers?.{0,12}\bencadre|loyers? (encadres?|de reference|"
    r"majores?|plafonn)|complement de loyer"
    r"|plafonn.{0,15}loyers?|loyer max",
    "ppri": r"\bp\.?p\.?r\.?[nit]?\.?i?\b|inond\w*|plans? de prevention des risques|crues?\b|submersion|zone (rouge|"
    r"bleue)",
    "etat-des-risques": r"etats? des (risques?|servitudes)|\berp\b|\bernmt\b|\besris\b|"
    r"\berrial\b|georisques?|\bial\b|radon|sismi|"
    r"seism"
    r"|argiles?|debroussaill|\bold\b|cat[ -]?nat|catastrophes? nat|recul du trait|risques? (naturels?|miniers?|"
    r"techno|majeurs?)"
    r"|feux? de foret|incendie|surprime",
    "cif": r"\bcif\b|\borias\b|\bamf\b|\banacofi\b|\bcncgp\b|\bcncef\b|compagnie cif|document d'entree|\bder\b|"
    r"lettres? de mission"
    r"|adequation|retrocession|\btracfin\b|\blcb-?ft?\b|blanchiment|\brgpd\b|conseillers? en (investissement|"
    r"gestion)|carte (t\b|professionnelle)"
    r"|hoguet|\biobsp\b|devoir de conseil|connaissance (du )?client|\bkyc\b|profil de risque|obligations? du (cgp|"
    r"conseiller)",
    "gestion-patrimoine": r"gestion de patrimoine|donations?|parents? donn\w+|"
    r"donner a (mes|ses|leurs?|son|sa|mon|ma) (enfant|fils|fille|petit)|succession|demembre|usufruit|"
    r"nue?-? ?proprie|\bsci\b|assurances?[ -]vie"
    r"|\bper\b|holding|transmission|transmettre|heriti?|art(icle)?\.? 669|quotite|indivision|pacte dutreil|"
    r"\bscpi\b|\bopci\b|tontine"
    r"|regime matrimonial|\blegs?\b|testament",
    "credit": r"\bcredits?\b|emprunt\w*|\bprets?\b(?! a)|taux (d'usure|d'endettement|"
    r"d'effort|immo|immobilier|de credit|"
    r"fixe|variable|"
    r"nominal|directeur)|\busure?\b|\bhcsf\b|\bhscf\b|endettement|mensualites?|financ(er|ement)|capacite d'(emprunt|"
    r"achat)|\bptz\b"
    r"|\b35 ?%|assurance emprunteur|differe\b|apport\b|rachat de pret|renegoci|taux d'interet",
    "rendement": r"rendements?|rentabilit\w*|\brenta\b|cash[ -]?flow|\btri\b|net[ -]net|rapporte(nt|r)?\b|autofinanc",
    "investissement-locatif": r"investi\w* locati|locatif|investi(r|ssement)s?\b|"
    r"mettre en location|premier investissement|"
    r"residence principale ou|achet\w*.{0,60}\b(pour|et|puis) (le |la |l'|les )?(louer|mettre en location)\b",
    "dvf": r"\bd\.?v\.?f\.?\b|valeurs? foncieres?|base (de donnees )?(des )?ventes|dv3f",
}

SCHEME_LABELS: Final[Mapping[str, str]] = {
    "relance-logement": "dispositif Relance logement (Jeanbrun)",
    "pinel": "dispositif Pinel",
    "denormandie": "dispositif Denormandie",
    "lmnp": "LMNP (location meublée non professionnelle)",
    "lmp": "LMP (loueur en meublé professionnel)",
    "deficit-foncier": "déficit foncier et revenus fonciers",
    "locavantages": "Loc'Avantages",
    "plus-values": "plus-value immobilière",
    "prelevements-sociaux": "prélèvements sociaux et impôt",
    "ifi": "IFI (impôt sur la fortune immobilière)",
    "dpe": "DPE et décence énergétique",
    "maprimerenov": "MaPrimeRénov'",
    "zone-tendue": "zone tendue",
    "zonage-abc": "zonage A, B, C",
    "encadrement-loyers": "encadrement des loyers",
    "ppri": "plan de prévention du risque inondation (PPRI)",
    "etat-des-risques": "état des risques",
    "cif": "statut CIF et conformité",
    "gestion-patrimoine": "gestion de patrimoine",
    "credit": "crédit immobilier",
    "rendement": "rendement locatif",
    "investissement-locatif": "investissement locatif",
    "dvf": "DVF (demandes de valeurs foncières)",
}

SCHEME_ASPECT: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("relance-logement", "pinel", "denormandie", "lmnp", "lmp", "deficit-foncier", "locavantages", "plus-values"),
        "fiscalite",
    ),
    **dict.fromkeys(("prelevements-sociaux", "ifi"), "fiscalite"),
    **dict.fromkeys(("dpe", "maprimerenov"), "energie"),
    **dict.fromkeys(("zone-tendue", "zonage-abc"), "zonage"),
    "encadrement-loyers": "loyers",
    "ppri": "risques",
    "etat-des-risques": "risques",
    "cif": "conformite",
    "gestion-patrimoine": "patrimoine",
    "credit": "financement",
    "rendement": "rendement",
    "dvf": "methode",
}

PRICE: Final = (
    r"\bprix\b|\bcout(e|ent|er)?\b(?! total)|combien (ca )?(coute|vaut|valent|se vend|faut)|"
    r"\bvaut\b(?!(-t)?[ -]il mieux| mieux)|\bvalent\b|"
    r"se vend(ent)?\b|"
    r"€ ?/ ?m|euros? (du|par|le) m|(?<!loyer )(?<!loyers )(au|du) m[2²]|le m2|le m²|"
    r"(?<!loyer )(?<!loyers )au metre carre|median\w*|\bcotes?\b(?! d)|"
    r"estim(er|ation)\b|"
    r"prix de vente|valeur (venale|de marche|du marche)|marche immobilier|evolution du marche|transactions?\b|"
    r"\bventes? recentes?\b"
)
ASPECTS: Final[Mapping[str, str]] = {
    "prix": PRICE,
    "loyers": r"\bloyers?\b|tension locative|\birl\b|relocation|charges locatives",
    "risques": (
        r"inond\w*|glissement|risques? (naturels?|d'inond|majeurs?|techno|miniers?|"
        r"climat|du (secteur|quartier|coin|bien|lieu))|"
        r"(?<!que )(?<!qui )(?<!on )(?<!il )(?<!client )risques?\b"
        r"(?! (de|du|d'une?|des|d'|pour(?! (un|une|ce|cet|cette|le|la|son|mon) (bien|maison|appart|logement|immeuble|"
        r"terrain|studio|t[1-6]))|en cas|lie|jurid|fiscal|financ|locatif|a ne pas))"
    ),
    "fiscalite": r"fiscal\w*|impots?\b|imposition|imposable|impose\b|\btax[eé]s?\b|"
    r"taxation|defiscalis\w*|reduction d'impot|"
    r"abattement"
    r"|deducti\w*|amorti\w*|\btva\b|droits? (de mutation|d'enregistrement)|niches? fiscales?|plafond des niches|"
    r"exonera\w*",
    "energie": r"energ\w*|thermique|isolation|chauffage|\bkwh",
    "zonage": r"zonage|zones? tendues?|\bort\b|quartiers? prioritaires?|\bqpv\b",
    "conformite": r"conformit\w*|obligations?\b|diagnostics?|reglementa\w*|mentions? obligatoires?|devoir|sanctions?",
    "financement": r"financ\w*|endettement|mensualit\w*",
    "rendement": r"rendement|rentab\w*|cash[ -]?flow",
    "patrimoine": r"patrimoin\w*|transmission|transmettre|donation|succession|demembre\w*",
    "methode": r"methode|methodologie|comment (lire|interpreter|calculer|estimer|"
    r"utiliser|fonctionne|comparer|est calcul)"
    r"|fiabilite|fiable|limites? (de|des|du)|d'ou viennent|quelle source|mediane (ou|et|plutot)|moyenne ou mediane",
}
ASPECT_LABELS: Final[Mapping[str, str]] = {
    "prix": "prix de vente au m² (DVF)",
    "loyers": "niveau et encadrement des loyers",
    "risques": "risques naturels et état des risques",
    "fiscalite": "fiscalité du bailleur",
    "energie": "DPE et décence énergétique",
    "zonage": "zone tendue et zonage A, B, C",
    "conformite": "obligations et information de l'acquéreur",
    "financement": "financement et taux d'endettement HCSF",
    "rendement": "calcul du rendement brut, net et net-net",
    "patrimoine": "gestion de patrimoine",
    "methode": "méthode et limites des données DVF",
}
PLACE_ASPECTS: Final = frozenset(("prix", "loyers", "risques", "zonage", "rendement"))
"""Aspects that a place has: a follow-up about one of them is about the thread's commune."""

STATUS_SCHEMES: Final = frozenset(
    ("denormandie", "zone-tendue", "zonage-abc", "encadrement-loyers", "ppri", "etat-des-risques")
)
"""Schemes whose answer depends on the commune's own status."""

CONCEPT: Final = re.compile(
    r"qu'?est[- ]ce (que|qu)|c'est quoi|\bdefini\w*|\bcomment\b|\bpourquoi\b|difference|expliqu\w*|fonctionne\w*|"
    r"signifie|veut dire|"
    r"\bmethode|calcul(er|e)?\b|prix d'(acquisition|achat)|% du prix|prix et frais|plafonds? de prix|fiables?\b|"
    r"fiabilite|lire\b|"
    r"median\w* ou (la )?moyenne|moyenne ou (la )?median\w*|d'ou viennent|negoci\w*|compren(d|nent)|"
    r"inclu\w*|tien(t|nent) compte|retrouver|prix paye"
)
STRONG_PRICE: Final = re.compile(
    r"(quels?|quelles?|donne[- ]?(moi)?|les|le|des|connaitre|evolution (des?|du)|niveau (des?|du)|tendance (des?|"
    r"du)) (sont |est |etait |"
    r"etaient )?(les? |du |des )?(prix|valeurs?)\b(?! d'(acq|ach))|^\W*prix\b(?! d'(acq|ach))|combien (ca )?(coute|"
    r"vaut|valent|se vend)|"
    r"prix (au|du|des|d'une?|moyens?|medians?|m2|de l'immo|immo)|cout d'une?|marche immobilier|(au|du|le) m[2²]|"
    r"metre carre|"
    r"se vend(ent)?\b|que vaut|\bvaut (un|une|le|la|ce)\b|valeur (venale|de marche)"
)
FIELD: Final = re.compile(
    r"immobili|\bimmo\b|logements?|appart|maisons?\b|villas?\b|\bbail\b|baux\b|locatair|bailleur|proprietaire|"
    r"investi|achet|achat|"
    r"\bvend(re|s|eur|u)?\b|ventes?\b|reven(te|dre)|notair|impot|fiscal|patrimoi|epargne|\bplacement|copropri|"
    r"\bplu\b|permis de|"
    r"syndic|travaux|renov|locati(on|f)|louer?\b|coloc|foncier|viager|\btva\b|\btaxe|abattement|quartier|m2\b|m²|"
    r"vacan(t|ce) loc|"
    r"loyer|\bcgp\b|client|residence|\bbien\b|\bbiens\b|immeuble|studio|\bt[1-6]\b|\bf[1-5]\b|neuf|vefa|promoteur|"
    r"compromis|promesse|"
    r"mandat|agence|diagnosti|amiante|assurance|hypothe|caution|garantie|\bgli\b|charges|\bniche|defiscal|"
    r"dispositif|regime|logeme|"
    r"locations?|urbanisme|terrain|constructi|preempt|expuls|impaye|etat des lieux|depot de garantie|\birl\b|"
    r"retraite|heritage|"
    r"divorce|\bpacs|capital|zone|commune|urbain|marche\b|encheres|residen|conseiller|conformite|inflation|hlm|"
    r"logeur|dispens|amorti|malraux|censi[- ]bouvard|scellier|girardin|dossier|\bcrm\b|vacance|lovac|preneur"
)
OFF_FIELD: Final = re.compile(
    r"\bmeteo|quel temps|temps (fera|fait)|temperature|recette|cuisin(e|er) (un|une|du|des|le|la)\b|tarte|gateau|"
    r"pizza|restaurant|"
    r"football|\bfoot\b|\bmatch\b|rugby|tennis|ligue 1|\bpsg\b|bitcoin|crypto|ethereum|action (apple|tesla|total|"
    r"lvmh)|cours de l'action|"
    r"bourse de|blague|poeme|chanson|\bfilms?\b|\bserie tele|jeux? video|horoscope|astrolog|medecin|symptome|"
    r"medicament|vaccin|"
    r"capitale d|president de la republique|elections?\b|politique etrangere|guerre|traduis|traduction|code python|"
    r"javascript|"
    r"programme (en|un)|histoire de france|dinosaure|planete|voyage a|vacances (a|en)|billet (de train|d'avion)|"
    r"\btrain\b|vol pour|"
    r"qui est (le maire|la maire|le president)|population de|nombre d'habitants|voiture|\bvelo\b|smartphone|iphone|"
    r"\bchien|\bchat\b|"
    r"regime alimentaire|maigrir|rencontre amoureuse|devoirs? de math|racine carree|equation"
)

KEYWORDS: Final = (
    "jeanbrun denormandie pinel passoire thermique deficit foncier plus-value encadrement loyer rendement "
    "rentabilite prelevements sociaux inondable inondation inondations tendue zonage amortissement amortissements "
    "revente meuble meublee fiscalite energetique defiscalisation demembrement succession emprunt endettement locatif "
    "relance logement bailleur avantages maprimerenov abattement"
)
"""Words that are still recognised with one wrong letter."""
RIGHT_WORDS: Final = (
    "panel relancer logements avantage tenue tendues local loyers meubles louer loger foyer recente definit deficite "
    "vendue etendue rendue tendu fiscaliste"
)
LOOKALIKES: Final = frozenset(RIGHT_WORDS.split())
"""Right words one letter away from a keyword."""


def compiled(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern) for name, pattern in patterns.items()}


KEYWORD_TABLE: Final = by_shortening(KEYWORDS.split())
SCHEME_PATTERNS: Final = compiled(SCHEMES)
ASPECT_PATTERNS: Final = compiled(ASPECTS)
