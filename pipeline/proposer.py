"""What the answer offers to write in the CRM: only what the user asked for, only on the deal that the user named."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.properties import UPDATABLE, updated
from pipeline.text.masking import mask_identifiers
from pipeline.types import ActionRequest, Deal, ProposedAction, Question, Route, Target

_FORBIDDEN = {
    "amount": "le montant",
    "dealstage": "l'étape du dossier",
    "pipeline": "le pipeline",
    "hubspot_owner_id": "le propriétaire du dossier",
    "dealname": "le nom du dossier",
}
MASKED = "Un numéro de sécurité sociale, d'IBAN ou de carte a été masqué : il n'ira pas dans HubSpot."
NOTE_LIMIT, SUBJECT_LIMIT, ACTIONS_LIMIT = 20_000, 200, 3
PARIS = ZoneInfo("Europe/Paris")
DUE_HOUR = time(9, 0)


@dataclass(frozen=True, slots=True)
class Proposed:
    """Actions that somebody may approve, French remarks on what could not be proposed, and the deal that the user
    named, when the CRM knows it."""

    actions: tuple[ProposedAction, ...] = ()
    remarks: tuple[str, ...] = ()
    deal_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Setting:
    """What every maker of an action needs."""

    crm: CrmReader
    deal: Deal
    note: str
    now: datetime


async def propose(
    question: Question,
    route: Route,
    answer_text: str,
    *,
    crm: CrmReader | None,
    now: datetime,
    only_crm: bool = False,
) -> Proposed:
    """What may be written: what the user asked for, else a note of an answer worth keeping on the thread's deal.

    The target is the deal the user named, else the thread's; text of passages, tools or CRM records never chooses
    it. A note holds the user's own words, else `answer_text`: gated text, this answer's or the one spoken of.
    `only_crm`: the answer cites nothing but the CRM, so that it is kept there on demand alone. Raises nothing.
    """
    keep = not only_crm and _worth_keeping(route, answer_text)
    wanted = route.actions or ((ActionRequest(kind="create_note"),) if keep else ())
    named = bool(route.deal_id or route.deal_name)
    if not wanted and not named:
        return Proposed()
    if crm is None:
        return Proposed(
            remarks=("HubSpot n'est pas connecté : aucune écriture n'est proposée.",) if route.actions else ()
        )
    try:
        deal, remark = await _target(question, route, crm=crm)
        if deal is None:
            told = wanted and (route.actions or named or question.deal_id)
            return Proposed(remarks=(remark,) if told else ())
        setting = _Setting(crm=crm, deal=deal, note=as_plain(answer_text), now=now)
        actions, remarks = await _make_all(wanted, setting)
        return Proposed(actions=actions, remarks=remarks, deal_id=deal.id if named else None)
    except CrmUnavailable as error:
        return Proposed(remarks=(f"{error} : aucune écriture n'est proposée.",) if wanted else ())


async def _make_all(
    requests: tuple[ActionRequest, ...], setting: _Setting
) -> tuple[tuple[ProposedAction, ...], tuple[str, ...]]:
    actions: list[ProposedAction] = []
    remarks: list[str] = []
    for asked in requests[:ACTIONS_LIMIT]:
        request = replace(asked, body=mask_identifiers(asked.body), value=mask_identifiers(asked.value))
        if request != asked:
            remarks.append(
                "Un numéro de sécurité sociale, d'IBAN ou de carte a été masqué : il n'ira pas dans HubSpot."
            )
        made = await _MAKERS[request.kind](request, setting)
        if isinstance(made, str):
            remarks.append(made)
        elif made not in actions:
            actions.append(made)
    if len(requests) > ACTIONS_LIMIT:
        remarks.append(f"Je propose au plus {ACTIONS_LIMIT} écritures à la fois ; redemandez-moi les suivantes.")
    return tuple(actions), tuple(remarks)


async def _target(question: Question, route: Route, *, crm: CrmReader) -> tuple[Deal | None, str]:
    """The deal to write on, or why there is none. A deal named in vain never falls back to the thread's."""
    if route.deal_id:
        return await _by_id(route.deal_id, crm)
    if route.deal_name:
        return await _by_name(route.deal_name, question.deal_id, crm)
    if question.deal_id:
        return await _by_id(question.deal_id, crm)
    return None, "Aucun dossier n'est rattaché à ce fil : précisez-le, par exemple « sur le dossier 1234 »."


async def _by_id(deal_id: str, crm: CrmReader) -> tuple[Deal | None, str]:
    deal = await crm.deal(deal_id)
    return deal, "" if deal else f"Le dossier {deal_id} est introuvable dans HubSpot."


async def _by_name(name: str, thread_deal: str | None, crm: CrmReader) -> tuple[Deal | None, str]:
    found = await crm.find_deals(name)
    if len(found) > 1:
        # The thread's own deal settles a name that several deals share.
        mine = [d for d in found if d.id == thread_deal]
        if not mine:
            listed = ", ".join(f"{d.name} (n° {d.id})" for d in found)
            return None, f"Plusieurs dossiers correspondent à « {name} » : {listed}. Précisez le numéro."
        found = (mine[0],)
    if not found:
        return None, f"Aucun dossier ne correspond à « {name} » dans HubSpot."
    return await _by_id(found[0].id, crm)


def _worth_keeping(route: Route, answer_text: str) -> bool:
    """An answer of at least two sentences, its list of sources apart, that is more than a reading of the CRM."""
    if route.mode == "none" or route.refusal or route.intent not in ("ask", "deepen"):
        return False
    if route.mode == "tools" and all(call.tool == "crm" for call in route.tool_calls):
        return False
    return len(re.findall(r"[.!?…](?:\s*\[\d+\])*(?=\s|$)", answer_text.split("\nSources :")[0])) >= 2


def as_plain(markdown: str) -> str:
    """Markdown of an answer as plain lines: headings as titles, no emphasis, `[n]` markers kept."""
    lines: list[str] = []
    for line in markdown.splitlines():
        heading = re.match(r"#{1,6}\s+(.*)", line)
        text = f"{heading[1].rstrip(' :#')} :" if heading else line.rstrip()
        lines.append(re.sub(r"(\*\*|__)(.+?)\1", r"\2", text))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


async def _note(request: ActionRequest, setting: _Setting) -> ProposedAction | str:
    text = request.body.strip() or setting.note
    if not text:
        return "Il n'y a pas encore de réponse à noter dans ce fil : dictez-moi le texte de la note."
    if len(text) > NOTE_LIMIT:
        return f"Le texte à noter dépasse {NOTE_LIMIT} caractères : raccourcissez-le."
    deal = setting.deal
    return ProposedAction(
        kind="create_note",
        target=_on(deal),
        fields={"hs_note_body": text},
        summary=f"Ajouter une note au dossier « {deal.name} »",
    )


async def _task(request: ActionRequest, setting: _Setting) -> ProposedAction | str:
    text = " ".join(request.body.split())
    if not text:
        return "Précisez l'objet de la tâche, par exemple « crée une tâche : rappeler le client »."
    today = setting.now.astimezone(PARIS).date()
    if request.due is not None and request.due < today:
        return f"L'échéance du {request.due:%d/%m/%Y} est passée : donnez une date à venir."
    due = request.due or _next_working_day(today)
    subject = text if len(text) <= SUBJECT_LIMIT else text[:SUBJECT_LIMIT].rsplit(" ", 1)[0] + "…"
    fields = {
        "hs_task_subject": subject,
        "hs_task_body": request.body.strip() if subject != request.body.strip() else "",
        "hs_timestamp": _instant(due),
        "hs_task_status": "NOT_STARTED",
        "hs_task_type": "TODO",
        "hubspot_owner_id": setting.deal.properties.get("hubspot_owner_id", ""),
    }
    whose = f", pour {setting.deal.owner}" if setting.deal.owner and fields["hubspot_owner_id"] else ""
    return ProposedAction(
        kind="create_task",
        target=_on(setting.deal),
        fields={name: value for name, value in fields.items() if value},
        summary=f"Créer une tâche pour le {due:%d/%m/%Y}{whose}, dossier « {setting.deal.name} »",
    )


async def _update(request: ActionRequest, setting: _Setting) -> ProposedAction | str:
    name = request.property
    if name not in UPDATABLE:
        what = _FORBIDDEN.get(name, f"le champ « {name} »" if name else "ce champ")
        return f"Je ne modifie pas {what} depuis Slack : cela se fait dans HubSpot."
    schema = await setting.crm.deal_property(name)
    if schema is None:
        return f"HubSpot ne connaît pas le champ « {UPDATABLE[name]} »."
    if schema.read_only:
        return f"HubSpot ne laisse pas modifier « {schema.label or UPDATABLE[name]} »."
    return updated(setting.deal, schema, request.value)


def _on(deal: Deal) -> Target:
    return Target(object="deal", id=deal.id, name=deal.name)


def _next_working_day(today: date) -> date:
    day = today + timedelta(days=1)
    return day + timedelta(days=7 - day.weekday()) if day.weekday() >= 5 else day


def _instant(due: date) -> str:
    """A due day as a moment: nine in the morning in Paris, in UTC to the millisecond."""
    moment = datetime.combine(due, DUE_HOUR, PARIS).astimezone(UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_MAKERS: dict[str, Callable[[ActionRequest, _Setting], Awaitable[ProposedAction | str]]] = {
    "create_note": _note,
    "create_task": _task,
    "update_property": _update,
}
