"""The fictitious deals of the pretend HubSpot: four with fixed days, the others around the day on which it starts."""

from datetime import UTC, date, datetime, time, timedelta

Seed = tuple[str, str, datetime, dict[str, str], tuple[tuple[str, str], ...]]
"""Kind, id, moment of creation, properties, and the records it is associated with."""

# Id, day of creation, owner, contacts; amount, stage, expected signature, priority.
_FIXED = (
    ("9001", "2026-09-14", "3001", "501 502", "248000", "qualifiedtobuy", "2027-01-29", "high"),
    ("9002", "2026-06-08", "3002", "503", "182000", "presentationscheduled", "2026-12-18", "medium"),
    ("9003", "2026-10-05", "3001", "504", "395000", "appointmentscheduled", "2027-03-31", "medium"),
    ("9004", "2026-04-20", "3002", "505", "310000", "contractsent", "2026-12-11", "low"),
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

_STAGES = {
    "rdv": "appointmentscheduled", "étude": "qualifiedtobuy", "préco": "presentationscheduled",
    "prêt": "contractsent", "signé": "closedwon", "perdu": "closedlost",
}  # fmt: skip

# Id, name, owner, contacts, amount, stage, days to the signature (None: no date), age in days, priority, next step,
# description.
_ROWS: tuple[tuple[str, str, str, str, str, str, int | None, int, str, str, str], ...] = (
    ("9005", "Martín - appartement Bordeaux Chartrons", "3003", "506", "285000", "étude", 45, 80, "medium",
     "Comparer deux plans de financement", "T3 ancien avec cave, usage locatif nu."),
    ("9006", "Martinez - murs de restaurant Toulouse", "3003", "507", "420000", "prêt", 12, 150, "high",
     "Relire le bail commercial", "Achat des murs par une SCI à l'IS."),
    ("9007", "Lefebvre - succession Lille", "3002", "508 509", "530000", "préco", 60, 210, "medium",
     "Préparer le rendez-vous chez le notaire", "Deux héritiers, maison et portefeuille de titres."),
    ("9008", "Moreau - T2 Lyon 7e", "3001", "510", "198000", "étude", 75, 40, "medium",
     "Vérifier le loyer de référence", "Investissement locatif meublé près de la gare."),
    ("9009", "Moreau - longère Rennes", "3003", "511 512", "265000", "rdv", 120, 15, "low",
     "Fixer le premier rendez-vous", "Frère et sœur, projet de gîte."),
    ("9010", "Nguyen - studio étudiant Montpellier", "3003", "513", "112000", "signé", -30, 260, "low",
     "Archiver le dossier", "Résidence étudiante, bail commercial de neuf ans."),
    ("9011", "Dupont - résidence principale Marseille", "3001", "514", "465000", "prêt", 20, 120, "high",
     "Obtenir l'offre de prêt définitive", "Achat avec revente de l'appartement actuel."),
    ("9012", "Dupond - local artisanal Marseille", "3002", "515", "150000", "rdv", None, 25, "low",
     "Demander les trois derniers bilans", "Local à usage mixte, atelier et bureau."),
    ("9013", "Haddad - LMNP Strasbourg", "3002", "516", "174000", "préco", 33, 95, "medium",
     "Envoyer la simulation au réel", "T2 meublé, recettes déclarées au micro-BIC."),
    ("9014", "Petit - passoire thermique Grenoble", "3001", "517", "139000", "étude", -18, 190, "high",
     "Faire chiffrer l'isolation", "Logement classé G, travaux avant relocation. Diagnostic amiante à refaire."),
    ("9015", "Petitjean - SCI familiale Dijon", "3003", "518", "610000", "étude", 90, 70, "medium",
     "Rédiger les statuts", "Transmission à trois enfants par une SCI."),
    ("9016", "Le Gall - mutation Brest", "3002", "519", "230000", "perdu", -60, 300, "low",
     "Reprendre contact l'an prochain", "Projet abandonné après une mutation annulée."),
    ("9017", "Le Goff - location saisonnière Quimper", "3003", "520", "205000", "préco", 5, 85, "high",
     "Vérifier le règlement de copropriété", "Meublé de tourisme à classer."),
    ("9018", "Cohen - nue-propriété Nice", "3001", "521", "780000", "prêt", 28, 140, "high",
     "Relancer la banque", "Achat en nue-propriété pour quinze ans."),
    ("9019", "Diallo - immeuble de rapport Lyon Guillotière", "3001", "522", "1250000", "préco", 50, 110, "high",
     "Présenter les deux montages", "Six lots loués, toiture à reprendre."),
    ("9020", "Roche - T3 Clermont-Ferrand", "3002", "523", "128000", "rdv", 100, 12, "low",
     "Recueillir les avis d'imposition", "Premier achat locatif."),
    ("9021", "Rocher - colocation Clermont-Ferrand", "3003", "524", "189000", "étude", 64, 130, "medium",
     "Valider le règlement de la colocation", "T5 à diviser en quatre chambres."),
    ("9022", "Fontaine - donation-partage Angers", "3002", "525 526", "340000", "préco", 15, 100, "high",
     "Confirmer la date avec le notaire", "Donation avec réserve d'usufruit."),
    ("9023", "Guérin - T4 Nantes Chantenay", "3003", "527", "312000", "étude", 38, 60, "medium",
     "Visiter un second bien", "Résidence principale, deux enfants."),
    ("9024", "Guerin - parking Nantes", "3003", "528", "24000", "signé", -12, 75, "low",
     "Envoyer l'attestation", "Place de stationnement louée."),
    ("9025", "Bernard - T2 Metz", "3001", "529", "145000", "rdv", 140, 8, "low",
     "Préparer le document d'entrée en relation", "Projet de T2 à louer nu et prévoyance."),
    ("9026", "Schmitt - rénovation Strasbourg", "3002", "531", "248000", "prêt", 7, 160, "high",
     "Transmettre les devis à la banque", "Immeuble ancien, amiante retirée en partie commune."),
    ("9027", "Schmidt - Loc'Avantages Mulhouse", "3003", "532", "97000", "étude", 84, 170, "medium",
     "Comparer les trois niveaux de loyer", "Bail nu conventionné avec l'Anah."),
    ("9028", "Robert - T2 Toulon Mourillon", "3001", "533", "219000", "préco", 26, 50, "medium",
     "Lire l'état des risques", "T2 avec terrasse, quartier du Mourillon."),
    ("9029", "Chevalier - démembrement Aix-en-Provence", "3002", "534", "690000", "étude", 110, 180, "medium",
     "Chiffrer l'usufruit", "Bastide familiale, deux enfants majeurs."),
    ("9030", "Haddad - garage Strasbourg", "3002", "516", "26000", "signé", -90, 200, "low",
     "Archiver le dossier", "Garage loué à un voisin."),
    ("9031", "Cohen - LLI Nice", "3001", "521", "310000", "perdu", -45, 220, "low",
     "Classer sans suite", "Programme neuf retiré par le promoteur."),
    ("9032", "Nguyen - T3 Montpellier Antigone", "3003", "513", "236000", "rdv", 160, 6, "medium",
     "Faire le point sur l'épargne", "Second achat locatif."),
    ("9033", "Diallo - bureaux Villeurbanne", "3001", "522", "380000", "étude", -9, 105, "medium",
     "Demander le bail en cours", "Plateau de bureaux loué à une association."),
    ("9034", "Dupont - studio Aix-en-Provence", "3001", "514", "134000", "signé", -150, 320, "low",
     "Suivre la première déclaration", "Studio meublé loué à l'année."),
    ("9035", "Petit - terrain Grenoble", "3001", "517", "88000", "perdu", -200, 340, "low",
     "Classer sans suite", "Terrain devenu inconstructible."),
    ("9036", "Fontaine - arbitrage Angers", "3002", "525", "", "étude", 70, 145, "low",
     "Recevoir le relevé des contrats", "Arbitrage entre deux contrats et un T2."),
    ("9037", "Le Goff - maison Nantes", "3003", "520", "295000", "rdv", 125, 20, "medium",
     "Planifier la visite", "Maison de ville avec jardin."),
    ("9038", "Robert - viager Toulon", "3001", "533", "165000", "prêt", 3, 90, "high",
     "Signer la procuration", "Viager occupé, bouquet de 60 000 euros."),
    ("9039", "Chevalier - Denormandie Limoges", "3002", "534", "118000", "préco", -4, 115, "medium",
     "Vérifier la date de fin des travaux", "Centre ancien, travaux d'un quart du total."),
    ("9040", "SCI Les Tilleuls - bureaux Bordeaux", "3003", "506 514", "540000", "étude", 55, 65, "medium",
     "Obtenir les comptes de la SCI", "Deux associées, bureaux près de la gare."),
)  # fmt: skip


def deals(today: date) -> list[Seed]:
    """The fixed ones, then the others by their distance from `today`."""
    seeds = [_fixed(row) for row in _FIXED]
    for id_, name, owner, people, amount, stage, ahead, age, priority, step, description in _ROWS:
        closing = "" if ahead is None else f"{today + timedelta(days=ahead)}T00:00:00Z"
        properties = {
            "dealname": f"Dossier {name} (fictif)",
            "amount": amount,
            "dealstage": _STAGES[stage],
            "pipeline": "default",
            "closedate": closing,
            "description": description,
            "hs_next_step": step,
            "hs_priority": priority,
            "hubspot_owner_id": owner,
        }
        seeds.append(("deals", id_, on(today - timedelta(days=age)), properties, _people(people)))
    return seeds


def on(day: date, hour: int = 9) -> datetime:
    """That hour of a day, in UTC."""
    return datetime.combine(day, time(hour), UTC)


def _people(ids: str) -> tuple[tuple[str, str], ...]:
    return tuple(("contacts", id_) for id_ in ids.split())


def _fixed(row: tuple[str, str, str, str, str, str, str, str]) -> Seed:
    id_, day, owner, people, amount, stage, signature, priority = row
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
    return ("deals", id_, on(date.fromisoformat(day)), properties, _people(people))
