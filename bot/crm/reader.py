"""Reads of HubSpot for the pipeline: a deal with its people and last notes, deals by name, property schemas."""

import asyncio
import re
from collections.abc import Iterable
from typing import Any

from hubspot.crm.deals import Filter, FilterGroup, PublicObjectSearchRequest

from bot.crm.engagements import associated_ids, read_bodies
from bot.crm.plain import visible
from bot.crm.shapes import associated, deal_of, folded, note_line, schema_of, tokens
from bot.crm.transport import Transport
from pipeline.errors import CrmUnavailable
from pipeline.types import Deal, PropertySchema

PROPERTIES = (
    "dealname",
    "amount",
    "dealstage",
    "pipeline",
    "closedate",
    "description",
    "hs_next_step",
    "hs_priority",
    "hubspot_owner_id",
)
WITH_HISTORY = ("closedate", "description", "hs_next_step", "hs_priority")
"""What a proposal may change: its last history timestamp tells a later click whether somebody else did."""

NOTES_SHOWN, CONTACTS_SHOWN = 3, 5
SCANNED = 100
"""Deals looked through, last modified first, when a name typed without accents finds nothing."""

_ID = re.compile(r"\d{1,20}")


class HubspotReader:
    """`pipeline.ports.CrmReader` over HubSpot. Raises `CrmUnavailable`; what is not there is None or empty."""

    def __init__(self, transport: Transport) -> None:
        self._hubspot = transport
        self._stages: dict[str, str] = {}
        self._owners: dict[str, str] = {}
        self._record_base = ""

    async def deal(self, deal_id: str) -> Deal | None:
        if not _ID.fullmatch(deal_id):
            return None
        found = await self._hubspot.get(
            self._hubspot.reads.deals.get_by_id,
            deal_id,
            properties=list(PROPERTIES),
            properties_with_history=list(WITH_HISTORY),
            associations=["contacts"],
        )
        if found is None:
            return None
        contacts, notes, owner, stage, url = await asyncio.gather(
            self._contacts(associated(found, "contacts")),
            self._notes(deal_id),
            self._owner(found.properties.get("hubspot_owner_id") or ""),
            self._stage(found.properties.get("dealstage") or ""),
            self.deal_url(deal_id),
        )
        return deal_of(found, contacts=contacts, notes=notes, owner=owner, stage=stage, url=url)

    async def find_deals(self, name: str, *, limit: int = 5) -> tuple[Deal, ...]:
        """Deals whose name holds every telling word of `name`, last modified first; accents do not count."""
        words = tokens(name)
        if not words:
            return ()
        filters = [Filter(property_name="dealname", operator="CONTAINS_TOKEN", value=w) for w in words]
        found = await self._search(filters, limit)
        if not found:
            # HubSpot compares accents; people in a hurry do not type them.
            wanted = {folded(w) for w in words}
            recent = await self._search([], SCANNED)
            found = [d for d in recent if wanted <= {folded(w) for w in tokens(d.properties.get("dealname") or "")}]
        return tuple([deal_of(one, url=await self.deal_url(one.id)) for one in found[:limit]])

    async def deal_property(self, name: str) -> PropertySchema | None:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,99}", name):
            return None
        raw = await self._hubspot.get_json("/crm/v3/properties/deals/{name}", name=name)
        return None if raw is None else schema_of(raw)

    async def deal_url(self, deal_id: str) -> str:
        """Where a person opens the deal; an empty string when HubSpot would not say which portal this is."""
        if not self._record_base:
            details = await self._hubspot.get_json("/account-info/v3/details")
            if not details or not details.get("uiDomain") or not details.get("portalId"):
                return ""
            self._record_base = (
                f"{self._hubspot.scheme}://{details['uiDomain']}/contacts/{details['portalId']}/record/0-3"
            )
        return f"{self._record_base}/{deal_id}"

    async def known_deal_url(self, deal_id: str) -> str:
        """As `deal_url`, for after a write: a link that cannot be had must not hide that the write happened."""
        try:
            return await self.deal_url(deal_id)
        except CrmUnavailable:
            return ""

    async def _search(self, filters: list[Filter], limit: int) -> list[Any]:
        request = PublicObjectSearchRequest(
            filter_groups=[FilterGroup(filters=filters)] if filters else [],
            properties=list(PROPERTIES),
            sorts=["-hs_lastmodifieddate"],
            limit=limit,
            after="0",
        )
        search = self._hubspot.reads.deal_search.do_search
        page = await self._hubspot.get(search, public_object_search_request=request)
        return list(page.results) if page is not None else []

    async def _contacts(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Names only: nothing that answers a question about a deal needs an address or a telephone."""
        get = self._hubspot.reads.contacts.get_by_id
        wanted = ["firstname", "lastname"]
        found = await asyncio.gather(
            *(self._hubspot.get(get, i, properties=wanted) for i in list(ids)[:CONTACTS_SHOWN])
        )
        names = (
            " ".join(filter(None, (c.properties.get("firstname"), c.properties.get("lastname"))))
            for c in found
            if c is not None
        )
        return tuple(visible(n) for n in names if n)

    async def _notes(self, deal_id: str) -> tuple[str, ...]:
        """The last notes, newest first, as `JJ/MM/AAAA : texte`."""
        ids = await associated_ids(self._hubspot, deal_id, "notes")
        if not ids:
            return ()
        latest = sorted(ids, key=int, reverse=True)[:20]
        wanted = ("hs_note_body", "hs_timestamp")
        found = await read_bodies(self._hubspot, self._hubspot.reads.notes_batch, latest, wanted)
        dated = sorted(found, key=lambda n: n.properties.get("hs_timestamp") or "", reverse=True)[:NOTES_SHOWN]
        return tuple(note_line(n.properties) for n in dated)

    async def _owner(self, owner_id: str) -> str:
        if owner_id and owner_id not in self._owners and _ID.fullmatch(owner_id):
            owner = await self._hubspot.get(self._hubspot.reads.owners.get_by_id, int(owner_id))
            if owner is not None:
                self._owners[owner_id] = " ".join(filter(None, (owner.first_name, owner.last_name))) or owner.email
        return self._owners.get(owner_id, "")

    async def _stage(self, stage_id: str) -> str:
        if stage_id and stage_id not in self._stages:
            found = await self._hubspot.get(self._hubspot.reads.pipelines.get_all, "deals")
            for pipeline in found.results if found is not None else ():
                self._stages.update({s.id: s.label for s in pipeline.stages})
        return self._stages.get(stage_id, stage_id)
