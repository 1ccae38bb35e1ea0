"""The French words that say what an amount, a rate or a duration of a calculation is."""

import re
from collections.abc import Mapping

KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("relance", r"relance[ -]logement|jeanbrun|statut du bailleur privé"),
        (
            "capacity",
            r"capacité d['’]emprunt|combien .{0,30}\b(?:puis|peut|peuvent|pourr\w+|pouvons)\b.{0,15}emprunter|"
            r"emprunter (?:au )?max",
        ),
        ("debt", r"taux d['’](?:effort|endettement)|endettement|\bHCSF\b"),
        ("lmnp", r"(?=.*(?:LMNP|meublée?))(?=.*(?:amorti|revente|revend|plus[ -]value))"),
        ("capital_gain", r"plus[ -]values?\b"),
        ("yield", r"rendements?\b|rentabilité|rentable|net[ -]net"),
        ("loan", r"mensualités?\b|coût (?:total )?(?:du|d['’]un) (?:crédit|prêt|emprunt)|combien .{0,40}rembours"),
        ("yield", r"(?=.*\bloyers?\b|.*\blouée?s?\b)(?=.*\b(?:achat|achète|acheté|prix|tout compris))"),
        ("loan", r"\b(?:emprunte[rz]?|emprunt|prêt|crédit)\b"),
    )
)
"""First match wins: the precise subjects before the words that others share."""

COST = r"achat|achète\w*|acheté\w*|acquis\w*|acquisition|\bprix\b|coût|tout compris|investi\w*|frais inclus|\bpayée?\b"
HOME = r"(?:appartement|bien|studio|immeuble|maison|\bT[1-6])\b\D{0,20}\bà\s*$"
FEES = r"frais de notaire|frais d['’]acquisition|frais d['’]achat|droits de mutation|\bnotaire"
WORKS = r"travaux|rénovation"
RATE = r"\btaux\b|\bà$|\bà\b(?=\D*$)|intérêts?"
INSURANCE = r"assurance"

MONEY: Mapping[str, Mapping[str, str]] = {
    "yield": {
        "extra_cost": rf"{FEES}|{WORKS}|frais d['’]agence|\bmeubles\b|mobilier",
        "cost": rf"{COST}|{HOME}",
        "rent": r"\bloyers?\b|louée?s?\b|loue\b|location",
        "charges": r"charges|taxe foncière|copropriété|assurance|gestion|entretien|vacance|\bPNO\b",
    },
    "loan": {"principal": r"emprunt\w*|prêt|crédit|capital|financ\w+|mensualité\w*"},
    "capacity": {
        "income": r"revenus?|salaires?|gagne\w*|ressources|pensions?",
        "debts": r"mensualités?|échéances?|crédits?|prêts?|charges|rembours\w+",
    },
    "debt": {
        "income": r"revenus?|salaires?|gagne\w*|ressources|pensions?",
        "debts": r"mensualités?|échéances?|crédits?|prêts?|charges|emprunts?|rembours\w+",
    },
    "capital_gain": {
        "acquisition_costs": FEES,
        "sale_costs": r"frais de vente|frais d['’]agence|diagnostics?",
        "works": WORKS,
        "sale_price": r"vend\w*|vente|revend\w*|revente|cession|cédée?|cède",
        "purchase_price": COST,
    },
    "relance": {"works": WORKS, "price": rf"{COST}|jeanbrun|logement|appartement|\bT[1-6]\b|\bstudio\b"},
}
PERCENT: Mapping[str, Mapping[str, str]] = {
    "yield": {"marginal_rate": r"\bTMI\b|tranche\w*|imposée?"},
    "loan": {"insurance_rate": INSURANCE, "annual_rate": RATE},
    "capacity": {"insurance_rate": INSURANCE, "annual_rate": RATE},
}
NAMES: Mapping[str, str] = {
    "cost": "le coût total de l'achat",
    "rent": "le loyer mensuel",
    "principal": "le capital emprunté",
    "annual_rate": "le taux du prêt",
    "months": "la durée du prêt",
    "years": "la durée de détention",
    "income": "le revenu, par mois ou par an",
    "debts": "le total des mensualités",
    "sale_price": "le prix de vente",
    "purchase_price": "le prix d'achat",
    "depreciation": "les amortissements déduits",
    "price": "le prix du logement",
    "level": "le niveau de loyer (intermédiaire, social ou très social)",
    "works": "le montant des travaux",
    "charges": "la période des charges, par mois ou par an",
}


def money_words(kind: str) -> Mapping[str, str]:
    """Field -> pattern; a resale in LMNP adds depreciation to what a gain needs."""
    if kind == "lmnp":
        return {"depreciation": r"amorti\w*", **MONEY["capital_gain"]}
    return MONEY[kind]
