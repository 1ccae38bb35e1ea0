"""A proposed write made anew from what somebody filled in: the same checks as for one that was asked for in words."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from pipeline.action_types import ActionRequest, ProposedAction
from pipeline.crm_types import Owner, PropertySchema
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.proposing.properties import change
from pipeline.proposing.proposed_actions import NOTE_LIMIT, masked, note, task
from pipeline.understanding.dates import PARIS

BODY, SUBJECT, DETAIL, PRIORITY, OWNER = (
    "hs_note_body", "hs_task_subject", "hs_task_body", "hs_task_priority", "hubspot_owner_id",
)  # fmt: skip
VALUE, DUE, AT = "value", "due", "at"
"""Names of what is filled in: HubSpot's own, and these for a deal's field, a task's day and its hour."""


@dataclass(frozen=True, slots=True)
class Revised:
    """The write, or in `refused` the French reason why not and the `field` that is to blame; `remarks` beside it."""

    action: ProposedAction | None = None
    refused: str = ""
    field: str = ""
    remarks: tuple[str, ...] = ()


async def revised(
    action: ProposedAction, values: Mapping[str, str], *, crm: CrmReader | None, now: datetime
) -> Revised:
    """`values` by the names above; what is not among them stays as it was. Kind and target never change. Raises
    `CrmUnavailable` where the CRM has to be asked: for a field of a deal, a task's priority or owner."""
    if action.kind == "create_note":
        request, remarks = masked(ActionRequest(kind="create_note", body=values.get(BODY, "")))
        return _made(note(request, action.target, last=""), BODY, remarks, before=action)
    if action.kind == "create_task":
        return await _task(action, values, crm=crm, now=now)
    if crm is None:
        return Revised(refused="HubSpot n'est pas connecté.", field=VALUE)
    name = next(iter(action.fields))
    request, remarks = masked(ActionRequest(kind="update_property", property=name, value=values.get(VALUE, "")))
    deal = await crm.deal(action.target.id)
    if deal is None:
        return Revised(refused=f"Le dossier « {action.target.name} » n'existe plus dans HubSpot.", field=VALUE)
    changed = await change(deal, name, request.value, crm=crm, today=now.astimezone(PARIS).date())
    return _made(changed.action, VALUE, (*remarks, *changed.remarks), before=action)


async def priority_schema(crm: CrmReader) -> PropertySchema | None:
    """How HubSpot names the priorities of a task."""
    return await crm.task_property(PRIORITY)


async def _task(action: ProposedAction, values: Mapping[str, str], *, crm: CrmReader | None, now: datetime) -> Revised:
    day, hour = _day(values.get(DUE, "")), values.get(AT, "")
    if day is None:
        return Revised(refused="Donnez une échéance.", field=DUE)
    asked = ActionRequest(kind="create_task", body=values.get(SUBJECT, ""), value=hour, due=day)
    request, remarks = masked(asked)
    detail, more = masked(ActionRequest(kind="create_note", body=values.get(DETAIL, "").strip()))
    if len(detail.body) > NOTE_LIMIT:
        return Revised(refused=f"Le détail dépasse {NOTE_LIMIT} caractères : raccourcissez-le.", field=DETAIL)
    owner_id = values.get(OWNER, action.fields.get(OWNER, ""))
    kept = owner_id == action.fields.get(OWNER, "")
    owner = await _owner(owner_id, crm=crm, kept=kept)
    if owner_id and owner is None and not kept:
        return Revised(refused="HubSpot ne connaît plus ce responsable : choisissez-en un autre.", field=OWNER)
    priority = values.get(PRIORITY, action.fields.get(PRIORITY, ""))
    if priority and priority != action.fields.get(PRIORITY):
        schema = await priority_schema(crm) if crm is not None else None
        if schema is None or priority not in schema.options:
            return Revised(refused="HubSpot ne propose plus cette priorité : choisissez-en une autre.", field=PRIORITY)
    made = task(request, action.target, last="", owner=owner, now=now)
    if isinstance(made, str):
        return Revised(refused=made, field=DUE if "échéance" in made or "passé" in made else SUBJECT)
    fields = {**made.fields, DETAIL: detail.body, PRIORITY: priority, OWNER: owner_id}
    made = replace(made, fields={name: value for name, value in fields.items() if value})
    return _made(made, SUBJECT, tuple(dict.fromkeys((*remarks, *more))), before=action)


async def _owner(owner_id: str, *, crm: CrmReader | None, kept: bool) -> Owner | None:
    """None for nobody, and for who stays while HubSpot is away: the id is known, the name is not."""
    if not owner_id or crm is None:
        return None
    try:
        return next((one for one in await crm.owners() if one.id == owner_id), None)
    except CrmUnavailable:
        if kept:
            return None
        raise


def _made(made: ProposedAction | str, field: str, remarks: tuple[str, ...], *, before: ProposedAction) -> Revised:
    if isinstance(made, str):
        return Revised(refused=made, field=field)
    return Revised(action=replace(made, sources=before.sources), remarks=remarks)


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
