"""What was asked of one deal, said first in one sentence: its signature, its amount, who looks after it, its tasks."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from pipeline.crm_types import Contact, DealBrief, Stage
from pipeline.tools.crm.lists import due_words
from pipeline.tools.crm.said_of import said_of
from pipeline.tools.crm.wording import amount_of, counted, day_of, deal_name, euros, inside, local_day

Told = Callable[[DealBrief, date], str]
_MOST_NOTES: Final = 3
IN_FULL: Final = frozenset(("all_notes", "tasks", "missing"))
"""Fields that are told whole; the other words of their question look for nothing more."""
_PRIORITIES: Final = {"high": "haute", "medium": "moyenne", "low": "basse"}
"""HubSpot's own three."""


def asked_text(
    brief: DealBrief,
    fields: Sequence[str],
    *,
    today: date,
    question: str = "",
    stage: Stage | None = None,
    whole: bool = False,
) -> str:
    """One sentence about these fields, keys of `TOLD`, and about what else the question asks that the deal's texts
    hold, under the deal's name; empty when nothing of it is known. `stage`: the deal's; `whole`: where the deal stands
    was asked too."""
    ended = [_ENDED[name](brief, today, stage) for name in fields if name in _ENDED][:1]
    told = ended + [TOLD[name](brief, today) for name in fields if name in TOLD and not (ended and name in _WITH_END)]
    if not IN_FULL & set(fields) and (texts := said_of(brief, question)):
        told += [TOLD["stage"](brief, today)] if whole and not told else []
        told.append(texts)
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
    ahead = counted(abs((today - day).days), "jour")
    when = f" (date dépassée de {ahead})" if day < today else f" (dans {ahead})" if day > today else " (aujourd'hui)"
    return f"signature prévue le {day:%d/%m/%Y}{when}"


def _signed(brief: DealBrief, today: date, stage: Stage | None) -> str:
    """« il est signé ? »: yes or no, by the stage."""
    if stage is not None and stage.closed:
        return f"{'oui' if stage.won else 'non'}, {_stage(brief, today)}"
    return f"pas encore signé, {_stage(brief, today)} ; {_signature(brief, today)}"


def _over(brief: DealBrief, today: date, stage: Stage | None) -> str:
    """« il est clos ? »: the same of any end."""
    return f"{'oui, clos' if stage is not None and stage.closed else 'non, encore ouvert'}, {_stage(brief, today)}"


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


def _all_notes(brief: DealBrief, today: date) -> str:
    if len(brief.notes) < 2:
        return _notes(brief, today)
    told = []
    for note in brief.notes[:_MOST_NOTES]:
        day = local_day(note.at)
        told.append(f"{f'du {day:%d/%m/%Y}, ' if day else ''}« {inside(note.text)} »")
    return f"dernières notes : {' ; '.join(told)}"


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
    "all_notes": _all_notes, "next_step": _next_step, "stage": _stage, "amount": _amount, "signature": _signature,
    "owner": _owner,
    "contacts": _contacts, "notes": _notes, "tasks": _tasks, "late": _late, "priority": _priority,
    "description": _description, "changed": _changed, "created": _created, "missing": _missing,
}  # fmt: skip
"""Field -> how it is told; the names are those of `[crm_field]` in `cues.toml`."""
_ENDED: Final[Mapping[str, Callable[[DealBrief, date, Stage | None], str]]] = {"signed": _signed, "over": _over}
"""The same of whether the deal is at its end, which its stage says."""
_WITH_END: Final = frozenset(("stage", "signature", "created"))
"""Said with it."""
