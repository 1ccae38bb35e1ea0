"""A note or a task as it would be written, or a French sentence that says what is missing."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pipeline.action_types import ActionRequest, ProposedAction, Target
from pipeline.crm_types import Deal, Owner
from pipeline.text.masking import mask_identifiers

NOTE_LIMIT, SUBJECT_LIMIT = 20_000, 200
PARIS = ZoneInfo("Europe/Paris")
DUE_HOUR = time(9, 0)

MASKED = "Un numéro de sécurité sociale, d'IBAN ou de carte a été masqué : il n'ira pas dans HubSpot."
NO_NOTE = "Il n'y a pas encore de réponse à noter dans ce fil : dictez-moi le texte de la note."
NO_SUBJECT = "Précisez l'objet de la tâche, par exemple « crée une tâche : rappeler le client »."


def masked(request: ActionRequest) -> tuple[ActionRequest, tuple[str, ...]]:
    """The request without identifiers that a CRM has no business keeping, and the remark that it had some."""
    clean = replace(request, body=mask_identifiers(request.body), value=mask_identifiers(request.value))
    return clean, () if clean == request else (MASKED,)


def owner_of(deal: Deal | None) -> Owner | None:
    owner_id = deal.properties.get("hubspot_owner_id", "") if deal else ""
    return Owner(owner_id, deal.owner) if deal and owner_id else None


def note(request: ActionRequest, target: Target, *, last: str) -> ProposedAction | str:
    """`last` is the answer or result that « note ça » speaks of: it follows the user's own words, or stands alone."""
    body = request.body.strip()
    text = f"{body}\n\n{last}".strip() if request.refers and body else body or last
    if not text or (request.refers and not last and not body):
        return NO_NOTE
    if len(text) > NOTE_LIMIT:
        return f"Le texte à noter dépasse {NOTE_LIMIT} caractères : raccourcissez-le."
    where = f"au dossier « {target.name} »" if target.object == "deal" else f"au contact « {target.name} »"
    return ProposedAction(
        kind="create_note", target=target, fields={"hs_note_body": text}, summary=f"Ajouter une note {where}"
    )


def task(
    request: ActionRequest, target: Target, *, last: str, owner: Owner | None, now: datetime
) -> ProposedAction | str:
    """`owner`: whose task it is. Without a day: the next working day; without an hour (`request.value`, `HH:MM`
    in Paris): nine in the morning, or the next full hour of a day on which that is past."""
    body = request.body.strip() or (last if request.refers else "")
    text = " ".join(body.split())
    if not text:
        return NO_SUBJECT
    if late := past_due(request, now=now):
        return late
    today = now.astimezone(PARIS).date()
    due = datetime.combine(request.due or _next_working_day(today), _hour(request, now=now), PARIS)
    if due <= now and request.value:
        return f"Le {due:%d/%m/%Y} à {_clock(due)} est passé : donnez une heure à venir."
    subject = text if len(text) <= SUBJECT_LIMIT else text[:SUBJECT_LIMIT].rsplit(" ", 1)[0] + "…"
    fields = {
        "hs_task_subject": subject,
        "hs_task_body": body if subject != body else "",
        "hs_timestamp": due.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "hs_task_status": "NOT_STARTED",
        "hs_task_type": "TODO",  # HubSpot's own value for a plain task
        "hubspot_owner_id": owner.id if owner else "",
    }
    whose = f", pour {owner.name}" if owner and owner.name else ""
    chosen = "" if request.due else " (jour proposé, faute de date)"
    kind = "dossier" if target.object == "deal" else "contact"
    return ProposedAction(
        kind="create_task",
        target=target,
        fields={name: value for name, value in fields.items() if value},
        summary=f"Créer une tâche pour le {due:%d/%m/%Y} à {_clock(due)}{chosen}{whose}, {kind} « {target.name} »",
    )


def past_due(request: ActionRequest, *, now: datetime) -> str:
    """Why a task cannot be due then; "" when it can."""
    if request.kind != "create_task" or request.due is None or request.due >= now.astimezone(PARIS).date():
        return ""
    return f"L'échéance du {request.due:%d/%m/%Y} est passée : donnez une date à venir."


def _next_working_day(today: date) -> date:
    day = today + timedelta(days=1)
    return day + timedelta(days=7 - day.weekday()) if day.weekday() >= 5 else day


def _hour(request: ActionRequest, *, now: datetime) -> time:
    if re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d", request.value):
        return time.fromisoformat(request.value)
    here = now.astimezone(PARIS)
    late = request.due == here.date() and here.time() >= DUE_HOUR
    return time(min(here.hour + 1, 23)) if late else DUE_HOUR


def _clock(moment: datetime) -> str:
    """9 h, 16 h 30."""
    return f"{moment.hour} h {moment:%M}" if moment.minute else f"{moment.hour} h"
