"""What the pretend HubSpot holds at the start: a fictitious firm's files, marked so, no real person or number."""

from datetime import UTC, datetime
from typing import Any

from sandbox.hubspot.seed_deals import Seed, deals


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
    return [*_contacts(), *deals(), *_notes(), *_tasks()]


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
