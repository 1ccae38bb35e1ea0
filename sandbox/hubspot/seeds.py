"""What the pretend HubSpot holds at the start: a fictitious firm's files, marked so, no real person or number."""

from datetime import date
from typing import Any

from sandbox.hubspot.seed_contacts import contacts
from sandbox.hubspot.seed_deals import Seed, deals
from sandbox.hubspot.seed_notes import notes
from sandbox.hubspot.seed_tasks import tasks


def owners() -> list[dict[str, Any]]:
    """The three people of the firm, under the addresses that they have on the pretend Slack."""
    people = (("3001", "Camille", "Renaud"), ("3002", "Hugo", "Marchetti"), ("3003", "Inès", "Kadiri"))
    mails = {
        "3001": "camille.renaud@aubrac.example",
        "3002": "hugo.marchetti@aubrac.example",
        "3003": "ines.kadiri@aubrac.example",
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


def records(today: date) -> list[Seed]:
    """Everything, what others are linked to first."""
    return [*contacts(), *deals(today), *notes(today), *tasks(today)]
