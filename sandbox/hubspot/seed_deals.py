"""The four fictitious deals of the pretend HubSpot."""

from datetime import UTC, datetime

Seed = tuple[str, str, datetime, dict[str, str], tuple[tuple[str, str], ...]]
"""Kind, id, moment of creation, properties, and the records it is associated with."""

# Id, day of creation, owner, contacts; amount, stage, expected signature, priority.
_ROWS = (
    ("9001", "2026-09-14", "3001", ("501", "502"), "248000", "qualifiedtobuy", "2027-01-29", "high"),
    ("9002", "2026-06-08", "3002", ("503",), "182000", "presentationscheduled", "2026-12-18", "medium"),
    ("9003", "2026-10-05", "3001", ("504",), "395000", "appointmentscheduled", "2027-03-31", "medium"),
    ("9004", "2026-04-20", "3002", ("505",), "310000", "contractsent", "2026-12-11", "low"),
)

# Name, next step, description.
_WORDS = {
    "9001": (
        "Dossier Martin - T3 Villeurbanne (fictif)",
        "Chiffrer le rendement net et vérifier l'encadrement des loyers",
        "Couple, deux enfants. Premier investissement locatif, T3 d'occasion près du métro, apport de 35 000 euros, "
        "horizon de douze ans. Tranche marginale de 30 %.",
    ),
    "9002": (
        "Dossier Lefèvre - revente LMNP (fictif)",
        "Demander le tableau d'amortissement à l'expert-comptable",
        "Studio meublé acheté en 2016, loué en LMNP au réel. Revente envisagée : mesurer l'effet des amortissements "
        "déduits sur la plus-value.",
    ),
    "9003": (
        "Dossier Benali - maison Toulon (fictif)",
        "Lire le PPRI du secteur et rappeler le client",
        "Maison en résidence principale puis mise en location à la mutation. Le secteur visé serait en zone "
        "inondable : état des risques à lire avant toute offre.",
    ),
    "9004": (
        "Dossier Garnier - déficit foncier (fictif)",
        "Obtenir les devis définitifs",
        "Immeuble ancien à rénover, travaux votés. Revenus fonciers existants, tranche marginale de 41 %. Imputation "
        "du déficit à étaler.",
    ),
}


def deals() -> list[Seed]:
    seeds: list[Seed] = []
    for id_, day, owner, contacts, amount, stage, signature, priority in _ROWS:
        name, step, description = _WORDS[id_]
        properties = {
            "dealname": name,
            "amount": amount,
            "dealstage": stage,
            "pipeline": "default",
            "closedate": f"{signature}T00:00:00Z",
            "description": description,
            "hs_next_step": step,
            "hs_priority": priority,
            "hubspot_owner_id": owner,
        }
        created = datetime.fromisoformat(day).replace(hour=9, tzinfo=UTC)
        seeds.append(("deals", id_, created, properties, tuple(("contacts", c) for c in contacts)))
    return seeds
