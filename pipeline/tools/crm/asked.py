"""What was asked of one deal, said first in one sentence: its signature, its amount, who looks after it, its tasks."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from pipeline.crm_types import Contact, DealBrief
from pipeline.tools.crm.lists import due_words
from pipeline.tools.crm.wording import amount_of, counted, day_of, deal_name, euros, inside, local_day

Told = Callable[[DealBrief, date], str]
_PRIORITIES: Final = {"high": "haute", "medium": "moyenne", "low": "basse"}
"""HubSpot's own three."""


def asked_text(brief: DealBrief, fields: Sequence[str], *, today: date) -> str:
    """One sentence about these fields, keys of `TOLD`, under the deal's name; empty when none of them is known."""
    told = [TOLD[name](brief, today) for name in fields if name in TOLD]
    return f"{deal_name(brief.deal.name)} (n° {brief.deal.id}) : {' ; '.join(told)}." if told else ""


def _stage(brief: DealBrief, _today: date) -> str:
    return f"au stade « {inside(brief.deal.stage)} »" if brief.deal.stage else "sans étape"


def _amount(brief: DealBrief, _today: date) -> str:
    amount = amount_of(brief.deal)
    return f"montant de {euros(amount)}" if amount is not None else "aucun montant renseigné"


def _signature(brief: DealBrief, today: date) -> str:
    day = day_of(brief.deal.properties.get("closedate", ""))
    if day is None:
        return "aucune date de signature renseignée"
    late = f" (date dépassée de {counted((today - day).days, 'jour')})" if day < today else ""
    return f"signature prévue le {day:%d/%m/%Y}{late}"


def _owner(brief: DealBrief, _today: date) -> str:
    return f"suivi par {inside(brief.deal.owner)}" if brief.deal.owner else "suivi par personne"


def _contacts(brief: DealBrief, _today: date) -> str:
    if not brief.contacts:
        return "aucun contact rattaché"
    plural = "s" if len(brief.contacts) > 1 else ""
    return f"contact{plural} : {' et '.join(_person(contact) for contact in brief.contacts)}"


def _person(contact: Contact) -> str:
    known = ", ".join(inside(part) for part in (contact.job, contact.city, contact.email, contact.phone) if part)
    return inside(contact.name) + (f" ({known})" if known else "")


def _next_step(brief: DealBrief, _today: date) -> str:
    step = brief.deal.properties.get("hs_next_step", "")
    return f"prochaine étape notée, « {inside(step)} »" if step else "aucune prochaine étape notée"


def _notes(brief: DealBrief, _today: date) -> str:
    if not brief.notes:
        return "aucune note enregistrée"
    last = brief.notes[0]
    day = local_day(last.at)
    return f"dernière note{f', du {day:%d/%m/%Y}' if day else ''} : « {inside(last.text)} »"


def _tasks(brief: DealBrief, today: date) -> str:
    if not brief.tasks:
        return "aucune tâche ouverte"
    first, many = brief.tasks[0], len(brief.tasks) > 1
    count = counted(len(brief.tasks), "tâche", adjective="ouverte")
    said = f"« {inside(first.subject)} » ({due_words(first, today=today)})"
    return f"{count}, {'la première : ' if many else ''}{said}"


def _late(brief: DealBrief, today: date) -> str:
    late = [day for task in brief.tasks if (day := local_day(task.due)) and day < today]
    return f"{_signature(brief, today)} ; {counted(len(late), 'tâche').lower()} en retard"


def _priority(brief: DealBrief, _today: date) -> str:
    priority = brief.deal.properties.get("hs_priority", "").lower()
    return f"priorité {_PRIORITIES.get(priority, inside(priority))}" if priority else "aucune priorité renseignée"


def _description(brief: DealBrief, _today: date) -> str:
    description = brief.deal.properties.get("description", "")
    return f"« {inside(description)} »" if description else "aucune description"


def _changed(brief: DealBrief, _today: date) -> str:
    changed = local_day(brief.deal.updated_at)
    return f"dernier changement le {changed:%d/%m/%Y}" if changed else "date du dernier changement inconnue"


def _created(brief: DealBrief, _today: date) -> str:
    created = day_of(brief.deal.properties.get("createdate", ""))
    return f"dossier créé le {created:%d/%m/%Y}" if created else "date de création inconnue"


def _missing(brief: DealBrief, _today: date) -> str:
    properties = brief.deal.properties
    held = {
        "montant": amount_of(brief.deal) is not None,
        "date de signature": day_of(properties.get("closedate", "")) is not None,
        "prochaine étape": properties.get("hs_next_step"),
        "description": properties.get("description"),
        "conseiller": brief.deal.owner,
        "contact": brief.contacts,
        "note": brief.notes,
        "tâche ouverte": brief.tasks,
    }
    empty = [name for name, there in held.items() if not there]
    return f"il manque : {', '.join(empty)}" if empty else "rien ne manque des champs que je lis"


TOLD: Final[Mapping[str, Told]] = {
    "next_step": _next_step, "stage": _stage, "amount": _amount, "signature": _signature, "owner": _owner,
    "contacts": _contacts, "notes": _notes, "tasks": _tasks, "late": _late, "priority": _priority,
    "description": _description, "changed": _changed, "created": _created, "missing": _missing,
}  # fmt: skip
"""Field -> how it is told; the names are those of `[crm_field]` in `cues.toml`."""
