"""Reads of HubSpot for the pipeline: a deal, deals by name, lists, what to know before a meeting, property schemas."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bot.crm.known import KnownNames
from bot.crm.labels import Labels
from bot.crm.listing import Lists
from bot.crm.naming import Names
from bot.crm.plain import visible
from bot.crm.records import associated_ids, read_records
from bot.crm.searching import CONTACT_PROPERTIES, DEAL_PROPERTIES, Recent
from bot.crm.shapes import associated, contact_of, deal_of, note_line, note_of, person_name, schema_of, task_of
from bot.crm.transport import Transport
from pipeline.crm_types import (
    ContactList,
    ContactSearch,
    Deal,
    DealBrief,
    DealList,
    DealMatches,
    DealSearch,
    Directory,
    Owner,
    PropertySchema,
    Stage,
    Task,
    TaskList,
    TaskSearch,
)
from pipeline.errors import CrmUnavailable

WITH_HISTORY = ("closedate", "dealstage", "description", "hs_next_step", "hs_priority")
"""What a proposal may change: its last history timestamp tells a later click whether somebody else did."""

NOTES_SHOWN, NOTES_OF_BRIEF, CONTACTS_SHOWN, TASKS_OF_BRIEF = 3, 5, 5, 10
_NOTES_READ = 100

_ID = re.compile(r"\d{1,20}")


class HubspotReader:
    """`pipeline.ports.CrmReader` over HubSpot. Raises `CrmUnavailable`; what is not there is None or empty."""

    def __init__(self, transport: Transport) -> None:
        self._hubspot = transport
        self._labels = Labels(transport)
        recent = Recent(transport)
        self._names = Names(transport, recent)
        self._known = KnownNames(self._names, self._labels)
        self._lists = Lists(transport, recent, self._names)

    async def deal(self, deal_id: str) -> Deal | None:
        found = await self._read_deal(deal_id)
        if found is None:
            return None
        contacts, notes, shown = await asyncio.gather(
            self._contact_names(associated(found, "contacts")), self._last_notes(deal_id), self._labelled(found)
        )
        deal: Deal = replace(shown, contacts=contacts, notes=tuple(note_line(note.properties) for note in notes))
        return deal

    async def find_deals(self, name: str, *, limit: int = 5) -> DealMatches:
        found, near = await self._names.deals(name)
        shown = await self._deals((found or near)[:limit])
        return DealMatches(found=shown, total=len(found)) if found else DealMatches(near=shown)

    async def deals(self, wanted: DealSearch) -> DealList:
        found = await self._lists.deals(wanted)
        return DealList(await self._deals(found.records), found.total)

    async def directory(self) -> Directory:
        return await self._known.directory()

    async def brief(self, deal_id: str) -> DealBrief | None:
        found = await self._read_deal(deal_id)
        if found is None:
            return None
        people, notes, tasks, shown = await asyncio.gather(
            read_records(self._hubspot, "contacts", associated(found, "contacts")[:CONTACTS_SHOWN], CONTACT_PROPERTIES),
            self._last_notes(deal_id, most=NOTES_OF_BRIEF),
            self._lists.tasks(TaskSearch(deal_id=deal_id)),
            self._labelled(found),
        )
        deal = replace(shown, contacts=tuple(person_name(one) for one in people))
        open_tasks = [await self._task(one) for one in tasks.records[:TASKS_OF_BRIEF]]
        return DealBrief(
            deal=deal,
            contacts=tuple(contact_of(one) for one in people),
            notes=tuple(note_of(one) for one in notes),
            tasks=tuple(open_tasks),
        )

    async def contacts(self, wanted: ContactSearch) -> ContactList:
        found, near = await self._lists.contacts(wanted)
        if wanted.without_deals:
            theirs = await self._lists.deals_of_each(found, "contacts")
            found = [one for one in found if not theirs.get(str(one.id))]
        shown = found[: wanted.limit]
        deals = await self._lists.deals_of_each(shown, "contacts")
        return ContactList(
            contacts=tuple(contact_of(one, deals=deals.get(str(one.id), ())) for one in shown),
            total=len(found),
            near=tuple(person_name(one) for one in near[: wanted.limit]),
        )

    async def tasks(self, wanted: TaskSearch) -> TaskList:
        found = await self._lists.tasks(wanted)
        shown = found.records[: wanted.limit]
        deals = await self._lists.deals_of_each(shown, "tasks")
        tasks = [await self._task(one, deals=deals.get(str(one.id), ())) for one in shown]
        return TaskList(tasks=tuple(tasks), total=found.total)

    async def stages(self) -> tuple[Stage, ...]:
        return await self._labels.stages()

    async def owners(self) -> tuple[Owner, ...]:
        return await self._labels.owners()

    async def stage(self, stage_id: str) -> str:
        """The firm's own word for a stage; its id when HubSpot does not know it."""
        return await self._labels.stage(stage_id)

    async def deal_property(self, name: str) -> PropertySchema | None:
        return await self._property("deals", name)

    async def task_property(self, name: str) -> PropertySchema | None:
        return await self._property("tasks", name)

    async def _property(self, kind: str, name: str) -> PropertySchema | None:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,99}", name):
            return None
        raw = await self._hubspot.get_json("/crm/v3/properties/{kind}/{name}", kind=kind, name=name)
        return None if raw is None else schema_of(raw)

    async def deal_url(self, deal_id: str) -> str:
        """Where a person opens the deal; an empty string when HubSpot would not say which portal this is."""
        return await self._labels.deal_url(deal_id)

    async def known_deal_url(self, deal_id: str) -> str:
        """As `deal_url`, for after a write: a link that cannot be had must not hide that the write happened."""
        try:
            return await self.deal_url(deal_id)
        except CrmUnavailable:
            return ""

    async def _read_deal(self, deal_id: str) -> Any:
        if not _ID.fullmatch(deal_id):
            return None
        return await self._hubspot.get(
            self._hubspot.reads.deals.get_by_id,
            deal_id,
            properties=list(DEAL_PROPERTIES),
            properties_with_history=list(WITH_HISTORY),
            associations=["contacts"],
        )

    async def _deals(self, records: Sequence[Any]) -> tuple[Deal, ...]:
        return tuple([await self._labelled(one) for one in records])

    async def _labelled(self, found: Any) -> Deal:
        """With what its ids stand for: owner, stage, address."""
        owner, stage, url = await asyncio.gather(
            self._labels.owner(found.properties.get("hubspot_owner_id") or ""),
            self._labels.stage(found.properties.get("dealstage") or ""),
            self._labels.deal_url(str(found.id)),
        )
        return deal_of(found, owner=owner, stage=stage, url=url)

    async def _contact_names(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Names only: nothing that answers a question about a deal needs an address or a telephone."""
        shown = list(ids)[:CONTACTS_SHOWN]
        found = await read_records(self._hubspot, "contacts", shown, ("firstname", "lastname")) if shown else []
        names = (" ".join(filter(None, (c.properties.get("firstname"), c.properties.get("lastname")))) for c in found)
        return tuple(visible(name) for name in names if name)

    async def _last_notes(self, deal_id: str, *, most: int = NOTES_SHOWN) -> list[Any]:
        """The last notes by the day that they are about, newest first, among the hundred last made."""
        ids = await associated_ids(self._hubspot, deal_id, "notes")
        latest = sorted(ids, key=int, reverse=True)[:_NOTES_READ]
        wanted = ("hs_note_body", "hs_timestamp")
        found = await read_records(self._hubspot, "notes", latest, wanted) if latest else []
        return sorted(found, key=lambda n: n.properties.get("hs_timestamp") or "", reverse=True)[:most]

    async def _task(self, found: Any, *, deals: tuple[Any, ...] = ()) -> Task:
        owner = await self._labels.owner(found.properties.get("hubspot_owner_id") or "")
        return task_of(found, owner=owner, deals=deals)
