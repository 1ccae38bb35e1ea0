"""What the pretend HubSpot holds at the start: a fictitious firm's files, marked so, no real person or number."""

from datetime import UTC, datetime
from typing import Any

Seed = tuple[str, str, datetime, dict[str, str], tuple[tuple[str, str], ...]]


def _on(day: str, hour: int = 9) -> datetime:
    return datetime.fromisoformat(day).replace(hour=hour, tzinfo=UTC)


def owners() -> list[dict[str, Any]]:
    people = (("3001", "Camille", "Renaud"), ("3002", "Hugo", "Marchetti"), ("3003", "Inès", "Kadiri"))
    mails = {
        "3001": "camille.renaud@example.com",
        "3002": "hugo.marchetti@example.com",
        "3003": "ines.kadiri@example.com",
    }
    return [
        {
            "id": id_,
            "email": mails[id_],
            "type": "PERSON",
            "firstName": first,
            "lastName": last,
            "userId": int(id_) + 60000,
            "userIdIncludingInactive": int(id_) + 60000,
            "createdAt": "2024-01-15T09:00:00.000Z",
            "updatedAt": "2024-01-15T09:00:00.000Z",
            "archived": False,
            "teams": [{"id": "1", "name": "Cabinet Aubrac Patrimoine (fictif)", "primary": True}],
        }
        for id_, first, last in people
    ]


def records() -> list[Seed]:
    return [*_contacts(), *_deals(), *_notes(), *_tasks()]


def _contacts() -> list[Seed]:
    rows = (
        ("501", "Paul", "Martin", "Villeurbanne", "Ingénieur", "3001", "11"),
        ("502", "Sophie", "Martin", "Villeurbanne", "Professeure", "3001", "12"),
        ("503", "Anne", "Lefèvre", "Nantes", "Pharmacienne", "3002", "13"),
        ("504", "Karim", "Benali", "Toulon", "Officier de marine", "3001", "14"),
        ("505", "Luc", "Garnier", "Saint-Étienne", "Chirurgien-dentiste", "3002", "15"),
    )
    ascii_names = {"501": "paul.martin", "502": "sophie.martin", "503": "anne.lefevre", "504": "karim.benali"}
    return [
        (
            "contacts",
            id_,
            _on("2026-03-02", 8),
            {
                "firstname": first,
                "lastname": f"{last} (fictif)",
                "email": f"{ascii_names.get(id_, 'luc.garnier')}@example.com",
                "phone": f"01 99 00 {tail} 00",
                "city": city,
                "jobtitle": job,
                "hubspot_owner_id": owner,
            },
            (),
        )
        for id_, first, last, city, job, owner, tail in rows
    ]


def _deal(id_: str, day: str, owner: str, contacts: tuple[str, ...], **properties: str) -> Seed:
    values = {"pipeline": "default", "hubspot_owner_id": owner, **properties}
    return ("deals", id_, _on(day), values, tuple(("contacts", c) for c in contacts))


def _deals() -> list[Seed]:
    return [
        _deal(
            "9001",
            "2026-09-14",
            "3001",
            ("501", "502"),
            dealname="Dossier Martin - T3 Villeurbanne (fictif)",
            amount="248000",
            dealstage="qualifiedtobuy",
            closedate="2027-01-29T00:00:00Z",
            description="Couple, deux enfants. Premier investissement locatif, T3 d'occasion près du métro, "
            "apport de 35 000 euros, horizon de douze ans. Tranche marginale de 30 %.",
            hs_next_step="Chiffrer le rendement net et vérifier l'encadrement des loyers",
            hs_priority="high",
        ),
        _deal(
            "9002",
            "2026-06-08",
            "3002",
            ("503",),
            dealname="Dossier Lefèvre - revente LMNP (fictif)",
            amount="182000",
            dealstage="presentationscheduled",
            closedate="2026-12-18T00:00:00Z",
            description="Studio meublé acheté en 2016, loué en LMNP au réel. Revente envisagée : mesurer l'effet "
            "des amortissements déduits sur la plus-value.",
            hs_next_step="Demander le tableau d'amortissement à l'expert-comptable",
            hs_priority="medium",
        ),
        _deal(
            "9003",
            "2026-10-05",
            "3001",
            ("504",),
            dealname="Dossier Benali - maison Toulon (fictif)",
            amount="395000",
            dealstage="appointmentscheduled",
            closedate="2027-03-31T00:00:00Z",
            description="Maison en résidence principale puis mise en location à la mutation. Le secteur visé serait "
            "en zone inondable : état des risques à lire avant toute offre.",
            hs_next_step="Lire le PPRI du secteur et rappeler le client",
            hs_priority="medium",
        ),
        _deal(
            "9004",
            "2026-04-20",
            "3002",
            ("505",),
            dealname="Dossier Garnier - déficit foncier (fictif)",
            amount="310000",
            dealstage="contractsent",
            closedate="2026-12-11T00:00:00Z",
            description="Immeuble ancien à rénover, travaux votés. Revenus fonciers existants, tranche marginale "
            "de 41 %. Imputation du déficit à étaler.",
            hs_next_step="Obtenir les devis définitifs",
            hs_priority="low",
        ),
    ]


def _notes() -> list[Seed]:
    rows = (
        ("7001", "2026-09-16", "9001", "501", "3001", "<p>Premier rendez-vous : cherchent un T3, budget plafonné à "
         "250&nbsp;000&nbsp;euros frais compris. <strong>Refusent le neuf.</strong></p>"),
        ("7002", "2026-10-22", "9001", "501", "3001", "<p>Banque&nbsp;: accord de principe sur vingt ans.<br>"
         "Attendent notre avis sur le niveau des prix du quartier.</p>"),
        ("7003", "2026-10-12", "9002", "503", "3002", "<p>La cliente veut vendre avant la fin de l'année si "
         "l'impôt reste supportable.</p>"),
        ("7004", "2026-10-06", "9003", "504", "3001", "<p>Mutation prévue à l'été 2029. Souhaite garder la maison "
         "et la louer vide.</p>"),
        ("7005", "2026-11-03", "9004", "505", "3002", "<p>Devis de toiture reçu, ravalement en attente.</p>"),
    )  # fmt: skip
    return [
        (
            "notes",
            id_,
            _on(day, 15),
            {"hs_note_body": body, "hs_timestamp": f"{day}T15:00:00Z", "hubspot_owner_id": owner},
            (("deals", deal), ("contacts", contact)),
        )
        for id_, day, deal, contact, owner, body in rows
    ]


def _tasks() -> list[Seed]:
    rows = (
        ("8001", "2026-11-24", "9001", "3001", "Rappeler M. et Mme Martin", "HIGH"),
        ("8002", "2026-11-27", "9002", "3002", "Relancer l'expert-comptable", "MEDIUM"),
        ("8003", "2026-12-02", "9004", "3002", "Vérifier les devis signés", "NONE"),
    )
    return [
        (
            "tasks",
            id_,
            _on("2026-11-16", 10),
            {
                "hs_task_subject": subject,
                "hs_task_status": "NOT_STARTED",
                "hs_task_priority": priority,
                "hs_task_type": "TODO",
                "hs_timestamp": f"{due}T09:00:00Z",
                "hubspot_owner_id": owner,
            },
            (("deals", deal),),
        )
        for id_, due, deal, owner, subject, priority in rows
    ]
