"""The fictitious tasks: three with fixed days, the others late, due today, to come or done."""

from datetime import date, timedelta

from sandbox.hubspot.seed_deals import Seed, on

# Id, due day, deal, owner, subject, priority; created on 16 November 2026.
_FIXED = (
    ("8001", "2026-11-24", "9001", "3001", "Rappeler M. et Mme Martin", "HIGH"),
    ("8002", "2026-11-27", "9002", "3002", "Relancer l'expert-comptable", "MEDIUM"),
    ("8003", "2026-12-02", "9004", "3002", "Vérifier les devis signés", "NONE"),
)
_CREATED = date(2026, 11, 16)

# Deal, owner, days until due (negative: before today), days since it was created, subject; the done ones apart.
_OPEN = (
    ("9005", "3003", -3, 20, "Relancer les deux banques"),
    ("9005", "3003", 9, 6, "Envoyer le comparatif de prêts"),
    ("9006", "3003", -1, 9, "Demander l'attestation d'apport"),
    ("9006", "3003", 5, 9, "Relire le bail commercial avec l'avocat"),
    ("9007", "3002", 12, 31, "Préparer le rendez-vous chez le notaire"),
    ("9008", "3001", 0, 10, "Vérifier le loyer de référence"),
    ("9009", "3003", 2, 13, "Proposer trois dates de rendez-vous"),
    ("9011", "3001", -6, 30, "Obtenir l'offre de prêt"),
    ("9011", "3001", 1, 4, "Appeler Amélie Dupont après l'offre"),
    ("9012", "3002", -10, 22, "Demander les bilans"),
    ("9013", "3002", 0, 19, "Envoyer la simulation au réel"),
    ("9014", "3001", -60, 96, "Relancer les artisans pour l'isolation"),
    ("9015", "3003", 14, 27, "Relire les statuts"),
    ("9017", "3003", 3, 3, "Transmettre le procès-verbal d'assemblée"),
    ("9018", "3001", -2, 14, "Relancer la banque"),
    ("9019", "3001", 0, 2, "Préparer les deux montages"),
    ("9019", "3001", 21, 33, "Faire revoir le devis de toiture"),
    ("9020", "3002", 7, 11, "Recevoir les avis d'imposition"),
    ("9021", "3003", -45, 71, "Rappeler Antoine Rocher"),
    ("9022", "3002", 4, 5, "Confirmer la date au notaire"),
    ("9023", "3003", 6, 24, "Organiser la seconde visite"),
    ("9025", "3001", 10, 8, "Envoyer le document d'entrée en relation"),
    ("9026", "3002", -4, 18, "Transmettre les devis à la banque"),
    ("9028", "3001", 8, 15, "Lire l'état des risques"),
    ("9032", "3003", 30, 6, "Faire le point sur l'épargne"),
    ("9033", "3001", -20, 55, "Demander le bail en cours"),
    ("9038", "3001", 2, 17, "Faire signer la procuration"),
    ("9040", "3003", 18, 20, "Recevoir les comptes de la SCI"),
)
_DONE = (
    ("9006", "3003", -50, 60, "Visiter les murs"),
    ("9010", "3003", -35, 80, "Préparer l'acte"),
    ("9011", "3001", -70, 100, "Signer le compromis"),
    ("9016", "3002", -65, 90, "Appeler François Le Gall"),
    ("9018", "3001", -25, 39, "Rédiger la seconde offre"),
    ("9022", "3002", -17, 40, "Prendre l'avis des enfants"),
    ("9024", "3003", -13, 30, "Envoyer le projet d'acte"),
    ("9030", "3002", -95, 120, "Préparer l'acte du garage"),
    ("9034", "3001", -155, 170, "Remettre les clés"),
)


def tasks(today: date) -> list[Seed]:
    """Open ones first; each is due at nine in the morning, UTC."""
    made = [
        _task(id_, date.fromisoformat(due), _CREATED, deal, owner, subject, priority=priority)
        for id_, due, deal, owner, subject, priority in _FIXED
    ]
    rows = [*((row, "NOT_STARTED") for row in _OPEN), *((row, "COMPLETED") for row in _DONE)]
    for number, ((deal, owner, ahead, age, subject), status) in enumerate(rows, start=8004):
        due, created = today + timedelta(days=ahead), today - timedelta(days=age)
        made.append(_task(str(number), due, created, deal, owner, subject, status=status))
    return made


def _task(
    id_: str,
    due: date,
    created: date,
    deal: str,
    owner: str,
    subject: str,
    *,
    status: str = "NOT_STARTED",
    priority: str = "NONE",
) -> Seed:
    properties = {
        "hs_task_subject": subject,
        "hs_task_status": status,
        "hs_task_priority": priority,
        "hs_task_type": "TODO",  # HubSpot's own value for a plain task
        "hs_timestamp": f"{due}T09:00:00Z",
        "hubspot_owner_id": owner,
    }
    return ("tasks", id_, on(created, 10), properties, (("deals", deal),))
