"""Words of French and of the field that the analyser treats apart. All entries are folded: no accents, lower case."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Compound:
    """The term that stands for several words: instead of them, or beside them."""

    name: str
    replaces: bool = True


_STOP_WORDS: Final = """
    le la les un une des du de au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs
    je tu il elle on nous vous ils elles me te se moi toi lui eux soi en y ne pas
    qui que quoi dont ou quel quelle quels quelles lequel laquelle lesquels lesquelles auquel auxquels duquel
    desquels comment combien quand pourquoi
    a dans par pour sur avec sans sous entre vers chez et mais donc or ni car si comme puis alors ainsi aussi
    suis es est sommes etes sont etais etait etions etaient ete etre etant sera seront serait seraient soit soient
    fut furent ai as avons avez ont avais avait avions avaient avoir ayant aura auront aurait auraient ait aient eu eut
    fais fait faisons faites font faisait faire
    cela ca ceci celui celle ceux celles tres plus moins tout toute tous toutes meme memes autre autres
    qu jusqu lorsqu puisqu quoiqu lorsque puisque quoique jusque
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())

_ASKING: Final = """
    qui quoi quel quelle quels quelles lequel laquelle lesquels lesquelles comment combien quand pourquoi
    j je tu il elle on nous vous ils elles ca est sont ont peut peux peuvent dois doit doivent faut
"""
ASKING: Final = frozenset(_ASKING.split())
"""Words of a question or of somebody's story; titles have hardly any."""


def _compounds() -> dict[tuple[str, ...], Compound]:
    joined = {
        "plusvalu": ("plus value", "plus values", "plusvalue", "plusvalues"),
        "moinsvalu": ("moins value", "moins values"),
        "locavantage": ("loc avantages", "loc avantage", "locavantages", "locavantage"),
        "copropriete": ("co propriete",),
        "pourcent": ("pour cent", "pour cents"),
    }
    beside = {
        "lmnp": ("location meublee non professionnelle", "loueur en meuble non professionnel",
                 "meuble non professionnel"),
        "lmp": ("location meublee professionnelle", "loueur en meuble professionnel"),
        "dpe": ("diagnostic de performance energetique",),
        "ppri": ("plan de prevention du risque inondation", "plan de prevention des risques inondation",
                 "plan de prevention des risques d inondation", "plan de prevention du risque d inondation"),
        "dvf": ("demandes de valeurs foncieres", "demande de valeur fonciere", "demandes de valeur fonciere"),
        "ifi": ("impot sur la fortune immobiliere",),
        "tmi": ("tranche marginale d imposition", "tranche marginale", "taux marginal d imposition"),
        "vefa": ("vente en l etat futur d achevement", "etat futur d achevement"),
        "dmto": ("droits de mutation a titre onereux", "droits de mutation"),
        "cif": ("conseiller en investissements financiers", "conseillers en investissements financiers",
                "conseiller en investissement financier"),
        "cgp": ("conseiller en gestion de patrimoine", "conseillers en gestion de patrimoine"),
        "scpi": ("societe civile de placement immobilier", "societes civiles de placement immobilier"),
        "sci": ("societe civile immobiliere", "societes civiles immobilieres"),
        "hcsf": ("haut conseil de stabilite financiere",),
        "ptz": ("pret a taux zero",),
        "qpv": ("quartier prioritaire de la ville", "quartiers prioritaires de la ville"),
        "old": ("obligation legale de debroussaillement", "obligations legales de debroussaillement"),
        "tlv": ("taxe sur les logements vacants",),
        "pfu": ("prelevement forfaitaire unique", "flat tax"),
        "csg": ("contribution sociale generalisee",),
        "jeanbrun": ("relance logement", "statut du bailleur prive"),
        "der": ("document d entree en relation",),
        "ort": ("operation de revitalisation de territoire", "operations de revitalisation de territoire"),
    }  # fmt: skip
    table = {tuple(phrase.split()): Compound(name) for name, phrases in joined.items() for phrase in phrases}
    for name, phrases in beside.items():
        table |= {tuple(_bare(phrase)): Compound(name, replaces=False) for phrase in phrases}
    return table


def _bare(phrase: str) -> list[str]:
    # The analyser has already taken elisions off ("d imposition") when it looks for compounds.
    return [word for word in phrase.split() if word not in {"d", "l"}]


COMPOUNDS: Final = _compounds()

FAMILIES: Final = {
    word: root
    for root, words in {
        "invest": "investir investissement investissements investisseur investisseurs investisseuse investit",
        "bail": "bail baux",
        "travail": "travail travaux",
        "acquer": "acquerir acquisition acquisitions acquereur acquereurs acquis acquise acquises",
        "achat": "achat achats acheter achete achetes achetee acheteur acheteurs acheteuse",
        "vent": "vente ventes vendre vend vendu vendue vendus vendeur vendeurs",
        "revent": "revente reventes revendre revend revendu revendue",
        "cession": "cession cessions ceder cede cedee cedant cedants",
        "locat": "locatif locatifs locative locatives location locations",
        "locatair": "locataire locataires",
        "euro": "euro euros eur",
    }.items()
    for word in words.split()
}
