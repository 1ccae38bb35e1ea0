"""Writes to HubSpot what somebody approved: once, marked, and reversibly. Only the wiring may import this."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from hubspot.crm.deals import SimplePublicObjectInput
from hubspot.crm.objects.notes import (
    AssociationSpec,
    PublicAssociationsForObject,
    PublicObjectId,
    SimplePublicObjectInputForCreate,
)

from bot.crm.plain import bears, signed, visible
from bot.crm.reader import HubspotReader
from bot.crm.records import associated_ids, read_records
from bot.crm.shapes import in_utc, newest, same_value
from bot.crm.transport import GARBLED, Transport
from bot.errors import CrmOutcomeUnknown, CrmRefused
from bot.ports import Approval, Receipt
from pipeline.action_types import ActionKind, ProposedAction
from pipeline.errors import CrmUnavailable
from pipeline.proposing.properties import UPDATABLE

BODY_LIMIT = 65_536
"""Characters that HubSpot takes in the body of a note or task."""

KINDS: Mapping[ActionKind, str] = {"create_note": "notes", "create_task": "tasks"}
BODIES = {"notes": "hs_note_body", "tasks": "hs_task_body"}
FIELDS = {
    "notes": frozenset({"hs_note_body", "hubspot_owner_id"}),
    "tasks": frozenset(
        {"hs_task_subject", "hs_task_body", "hs_timestamp", "hs_task_status", "hs_task_priority", "hs_task_type"}
        | {"hubspot_owner_id"}
    ),
}
# Association type ids of HubSpot (class AssociationType of the SDK).
LINKS = {("notes", "deal"): 214, ("notes", "contact"): 202, ("tasks", "deal"): 216, ("tasks", "contact"): 204}
ORIGINS = {"deal": "deals", "contact": "contacts"}
LOOKED_THROUGH = 300
"""Newest notes or tasks of a record in which a lost write is looked for."""


class HubspotWriter:
    """`bot.ports.CrmWriter` over HubSpot; see there what each method promises and raises."""

    def __init__(self, transport: Transport, *, reader: HubspotReader) -> None:
        self._hubspot = transport
        self._reader = reader

    async def perform(self, action: ProposedAction, approval: Approval) -> Receipt:
        if action.kind == "update_property":
            return await self._update(action, approval.at)
        return await self._create(action, approval)

    async def reconcile(self, action: ProposedAction, approval: Approval) -> Receipt | None:
        if action.kind == "update_property":
            return await self._already_updated(action, approval)
        kind = KINDS[action.kind]
        origin = ORIGINS[action.target.object]
        ids = await associated_ids(self._hubspot, action.target.id, kind, origin=origin)
        latest = sorted(ids, key=int, reverse=True)[:LOOKED_THROUGH]
        for found in await read_records(self._hubspot, kind, latest, (BODIES[kind],)):
            if bears((found.properties or {}).get(BODIES[kind]) or "", approval.proposal_id):
                return await self._receipt(action, str(found.id), found.created_at)
        return None

    async def drifted(self, action: ProposedAction) -> str | None:
        if action.kind != "update_property":
            return None
        name, ours = _single(action)
        current = await self._current(action.target.id, name)
        if current is None:
            return f"le dossier {action.target.id} n'existe plus dans HubSpot"
        value, changed_at = current
        label, old = action.base.get("label") or name, action.base.get("value", "")
        if same_value(value, ours) and not same_value(ours, old):
            return f"« {label} » vaut déjà {_shown(await self._readable(name, value))} dans HubSpot"
        if not same_value(value, old):
            before, now = await self._readable(name, old), await self._readable(name, value)
            return f"« {label} » est passé de {_shown(before)} à {_shown(now)} dans HubSpot"
        known = action.base.get("changed_at")
        if known is not None and changed_at != known:
            back = await self._readable(name, value)
            return f"« {label} » a été modifié puis remis à {_shown(back)} dans HubSpot"
        return None

    async def undo(self, receipt: Receipt, action: ProposedAction) -> None:
        if action.kind != "update_property":
            if not receipt.crm_id:
                raise CrmRefused("je ne sais pas laquelle c'est : supprimez-la dans HubSpot")
            await self._archive(receipt, action)
            return
        name, ours = _single(action)
        old = action.base.get("value", "")
        current = await self._current(action.target.id, name)
        if current is None:
            raise CrmRefused(f"le dossier {action.target.id} n'existe plus dans HubSpot")
        if same_value(current[0], old):
            return
        if not same_value(current[0], ours):
            label = action.base.get("label") or name
            now = await self._readable(name, current[0])
            raise CrmRefused(f"« {label} » vaut maintenant {_shown(now)} : quelqu'un l'a modifié depuis")
        await self._patch(action.target.id, {name: old})

    async def undone(self, receipt: Receipt, action: ProposedAction) -> bool:
        if action.kind == "update_property":
            name, _ = _single(action)
            current = await self._current(action.target.id, name)
            return current is not None and same_value(current[0], action.base.get("value", ""))
        reads = self._hubspot.reads
        read = reads.notes.get_by_id if action.kind == "create_note" else reads.tasks.get_by_id
        return await self._hubspot.get(read, receipt.crm_id) is None

    async def _archive(self, receipt: Receipt, action: ProposedAction) -> None:
        """Read back: what is gone already is no failure, and what an odd answer to a DELETE left is no success."""
        writes = self._hubspot.writes
        archive = writes.notes.archive if action.kind == "create_note" else writes.tasks.archive
        failed: CrmRefused | CrmOutcomeUnknown = CrmOutcomeUnknown()
        try:
            await self._hubspot.send(archive, receipt.crm_id)
        except CrmRefused as refusal:
            failed = refusal
        if not await self.undone(receipt, action):
            raise failed

    async def _create(self, action: ProposedAction, approval: Approval) -> Receipt:
        kind = KINDS[action.kind]
        properties = _properties(action, approval, kind)
        link = AssociationSpec(
            association_category="HUBSPOT_DEFINED", association_type_id=LINKS[kind, action.target.object]
        )
        to = PublicAssociationsForObject(to=PublicObjectId(id=action.target.id), types=[link])
        body = SimplePublicObjectInputForCreate(properties=properties, associations=[to])
        api = self._hubspot.writes.notes if kind == "notes" else self._hubspot.writes.tasks
        created = await self._hubspot.send(api.create, simple_public_object_input_for_create=body)
        # The SDK decodes only a 201: anything else comes back as None, after HubSpot may have written.
        if created is None or not bears((created.properties or {}).get(BODIES[kind]) or "", approval.proposal_id):
            raise CrmOutcomeUnknown()
        return await self._receipt(action, str(created.id), created.created_at)

    async def _update(self, action: ProposedAction, at: datetime) -> Receipt:
        name, value = _single(action)
        if name not in UPDATABLE or action.target.object != "deal":
            raise CrmRefused(f"le champ « {name} » ne se modifie pas depuis Slack")
        updated = await self._patch(action.target.id, {name: value})
        return await self._receipt(action, action.target.id, updated.updated_at or at)

    async def _patch(self, deal_id: str, properties: Mapping[str, str]) -> Any:
        body = SimplePublicObjectInput(properties=dict(properties))
        update = self._hubspot.writes.deals.update
        updated = await self._hubspot.send(update, deal_id, simple_public_object_input=body)
        if updated is None or str(updated.id) != deal_id:
            raise CrmOutcomeUnknown()
        return updated

    async def _already_updated(self, action: ProposedAction, approval: Approval) -> Receipt | None:
        """Our value stands: a proposal is never made for a value that is there already."""
        name, value = _single(action)
        current = await self._current(action.target.id, name)
        if current is None or not same_value(current[0], value):
            return None
        return await self._receipt(action, action.target.id, approval.at)

    async def _current(self, deal_id: str, name: str) -> tuple[str, str] | None:
        """A deal's property now and the moment of its last change; None when the deal is gone."""
        get = self._hubspot.reads.deals.get_by_id
        found = await self._hubspot.get(get, deal_id, properties=[name], properties_with_history=[name])
        if found is None:
            return None
        if str(found.id) != deal_id:
            raise CrmUnavailable(GARBLED)
        history = (found.properties_with_history or {}).get(name) or []
        return found.properties.get(name) or "", newest(history)

    async def _receipt(self, action: ProposedAction, crm_id: str, at: datetime) -> Receipt:
        url = ""
        if action.target.object == "deal":
            url = await self._reader.known_deal_url(action.target.id)
            if url and action.kind != "update_property":
                url = f"{url}?engagement={crm_id}"
        what = {"create_note": "Note ajoutée", "create_task": "Tâche créée", "update_property": "Champ mis à jour"}
        where = action.target.name or f"n° {action.target.id}"
        return Receipt(crm_id=crm_id, url=url, at=in_utc(at), detail=f"{what[action.kind]} sur « {where} »")

    async def _readable(self, name: str, value: str) -> str:
        """A stage in the firm's words; anything else as it is stored."""
        return await self._reader.stage(value) if name == "dealstage" else value


def _properties(action: ProposedAction, approval: Approval, kind: str) -> dict[str, str]:
    """What is sent: the approved fields, the body escaped, signed and marked. Raises `CrmRefused`, nothing sent."""
    unexpected = set(action.fields) - FIELDS[kind]
    if unexpected:
        raise CrmRefused("champ imprévu : " + ", ".join(sorted(unexpected)))
    properties = {name: value for name, value in action.fields.items() if value}
    body = signed(
        action.fields.get(BODIES[kind], ""), approver=approval.by_name or approval.by, proposal_id=approval.proposal_id
    )
    if len(body) > BODY_LIMIT:
        raise CrmRefused(f"le texte dépasse les {BODY_LIMIT} caractères que HubSpot accepte")
    if "hs_task_subject" in properties:
        properties["hs_task_subject"] = " ".join(visible(properties["hs_task_subject"]).split())
    properties[BODIES[kind]] = body
    properties.setdefault("hs_timestamp", _moment(approval.at))
    return properties


def _single(action: ProposedAction) -> tuple[str, str]:
    if len(action.fields) != 1:
        raise CrmRefused("une mise à jour porte sur un champ et un seul")
    return next(iter(action.fields.items()))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shown(value: str) -> str:
    short = value if len(value) <= 120 else value[:120].rsplit(" ", 1)[0] + "…"
    return f"« {short} »" if short else "vide"
