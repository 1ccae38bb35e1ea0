"""Lists of deals, contacts and open tasks: HubSpot filters what it can, the words and towns are looked for here."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from bot.crm.naming import Names
from bot.crm.records import associated_ids, associated_to_each, read_records
from bot.crm.searching import (
    CONTACT_PROPERTIES,
    DEAL_PROPERTIES,
    PARIS,
    Filter,
    Found,
    Recent,
    between,
    end_of,
    is_,
    milliseconds,
    search,
    start_of,
)
from bot.crm.shapes import choice_of, instant
from bot.crm.transport import Transport
from pipeline.crm_types import ContactSearch, DealChoice, DealSearch, TaskSearch
from pipeline.text.names import START, all_words, fit, folded, telling_words, town

TASK_PROPERTIES = ("hs_task_subject", "hs_timestamp", "hs_task_status", "hubspot_owner_id")
_IN_FILTER = 100
_NOTES, _WORD_OF_NOTE = 200, 4


class Lists:
    """Raises `CrmUnavailable`. Records as the SDK gives them; the reader shapes what is shown."""

    def __init__(self, transport: Transport, recent: Recent, names: Names) -> None:
        self._hubspot = transport
        self._recent = recent
        self._names = names

    async def deals(self, wanted: DealSearch) -> Found:
        """Last modified first. Words and towns are looked for in the first thousand, besides what HubSpot's own
        search, the notes and the contacts' towns point to."""
        filters = _deal_filters(wanted)
        read = await search(self._hubspot, "deals", [filters] if filters else [], properties=DEAL_PROPERTIES)
        kept: Sequence[Any] = read.records
        if not wanted.text and not wanted.commune:
            return read
        if wanted.text:
            kept = await self._about(wanted.text, read, filters, kept)
        if wanted.commune:
            kept = await self._in_town(wanted.commune, read, filters, kept, alone=not wanted.text)
        return Found(tuple(kept), len(kept))

    async def _about(self, text: str, read: Found, filters: list[Filter], kept: Sequence[Any]) -> Sequence[Any]:
        noted = await self._deals_noted(text)
        others = await self._others(noted, read, filters)
        if not read.complete:
            groups = [filters] if filters else []
            more = await search(self._hubspot, "deals", groups, properties=DEAL_PROPERTIES, query=text, most=_NOTES)
            others = [*others, *more.records]
        words = telling_words(text)
        ranks = {str(one.id): fit(words, _deal_text(one)) for one in kept}
        sure = {id_ for id_, rank in ranks.items() if rank is not None and rank <= START}
        # A slip of the finger counts where nothing is spelt like it.
        said = sure or ({id_ for id_, rank in ranks.items() if rank is not None} if not noted else set())
        return _once([*(one for one in kept if str(one.id) in said | noted), *others])

    async def _in_town(
        self, commune: str, read: Found, filters: list[Filter], kept: Sequence[Any], *, alone: bool
    ) -> Sequence[Any]:
        """`alone`: no words were asked for, so that deals beyond those read may be added."""
        of_people = await self._deals_of_town(commune)
        others = await self._others(of_people, read, filters) if alone else []
        place = f" {town(commune)} "
        here = [one for one in kept if str(one.id) in of_people or place in f" {town(' '.join(_deal_text(one)))} "]
        return _once([*here, *others])

    async def _others(self, ids: set[str], read: Found, filters: list[Filter]) -> list[Any]:
        """Of these ids, the deals that pass the filters and were not among those read."""
        missing = sorted(ids - {str(one.id) for one in read.records})
        if read.complete or not missing:
            return []
        chosen = [*filters, is_("hs_object_id", "IN", values=missing[:_IN_FILTER])]
        return list((await search(self._hubspot, "deals", [chosen], properties=DEAL_PROPERTIES)).records)

    async def _deals_noted(self, text: str) -> set[str]:
        """Ids of the deals of which a note holds every word; accents as typed, or none."""
        words = telling_words(text)
        spellings = {words, tuple(folded(word) for word in words)} if words else set()
        groups = [[is_("hs_note_body", "CONTAINS_TOKEN", _beginning(w)) for w in some] for some in sorted(spellings)]
        if not groups:
            return set()
        found = await search(self._hubspot, "notes", groups, properties=("hs_timestamp",), most=_NOTES)
        return await self._deals_linked(found.records, "notes")

    async def _deals_of_town(self, commune: str) -> set[str]:
        return await self._deals_linked(await self._people_of(commune), "contacts")

    async def _people_of(self, commune: str) -> list[Any]:
        """Contacts whose address is there, however the town is spelt."""
        direct, recent = await asyncio.gather(
            search(self._hubspot, "contacts", [[is_("city", "EQ", commune)]], properties=CONTACT_PROPERTIES),
            self._recent.contacts(),
        )
        place = town(commune)
        here = (one for one in recent.records if f"{town(one.properties.get('city') or '')} ".startswith(f"{place} "))
        return _once([*direct.records, *here])

    async def _deals_linked(self, records: Iterable[Any], kind: str) -> set[str]:
        ids = [str(one.id) for one in records]
        linked = await associated_to_each(self._hubspot, ids, "deals", origin=kind) if ids else {}
        return {deal for deals in linked.values() for deal in deals}

    async def contacts(self, wanted: ContactSearch) -> tuple[list[Any], list[Any]]:
        """(those found, names that are near when a name fits nobody)."""
        if wanted.deal_id:
            ids = await associated_ids(self._hubspot, wanted.deal_id, "contacts")
            found: list[Any] = await read_records(self._hubspot, "contacts", ids, CONTACT_PROPERTIES) if ids else []
        elif wanted.name:
            found, near = await self._names.contacts(wanted.name)
            if near:
                return [], near
        elif wanted.commune:
            found = await self._people_of(wanted.commune)
        else:
            found = list((await self._recent.contacts()).records)
        words = telling_words(wanted.text)
        place = town(wanted.commune)
        kept = [one for one in found if not words or fit(words, _contact_text(one)) is not None]
        return [one for one in kept if not place or place in town(one.properties.get("city") or "")], []

    async def tasks(self, wanted: TaskSearch) -> Found:
        """Not done, soonest due first; of a deal through its associations, which do not lag."""
        first = start_of(wanted.due_after, PARIS) if wanted.due_after else None
        last = end_of(wanted.due_before, PARIS) if wanted.due_before else None
        if not wanted.deal_id:
            bounds = (milliseconds(moment) if moment else None for moment in (first, last))
            filters = [is_("hs_task_status", "NEQ", "COMPLETED"), *between("hs_timestamp", *bounds)]
            filters += [is_("hubspot_owner_id", "EQ", wanted.owner_id)] if wanted.owner_id else []
            return await search(self._hubspot, "tasks", [filters], properties=TASK_PROPERTIES, sort="hs_timestamp")
        ids = await associated_ids(self._hubspot, wanted.deal_id, "tasks")
        found = await read_records(self._hubspot, "tasks", ids, TASK_PROPERTIES) if ids else []
        kept = [one for one in found if _open_task(one.properties, wanted.owner_id, first, last)]
        kept.sort(key=lambda one: one.properties.get("hs_timestamp") or "")
        return Found(tuple(kept), len(kept))

    async def deals_of_each(self, records: Sequence[Any], kind: str) -> dict[str, tuple[DealChoice, ...]]:
        """The deals of each of these contacts or tasks, by the record's id."""
        ids = [str(one.id) for one in records]
        linked = await associated_to_each(self._hubspot, ids, "deals", origin=kind) if ids else {}
        deals = [deal for some in linked.values() for deal in some]
        read = await read_records(self._hubspot, "deals", deals, ("dealname",)) if deals else []
        named = {str(one.id): choice_of(one) for one in read}
        return {id_: tuple(named[deal] for deal in some if deal in named) for id_, some in linked.items()}


def _deal_filters(wanted: DealSearch) -> list[Filter]:
    """At most five: one place of HubSpot's six is left for ids."""
    stages = [is_("dealstage", "IN", values=list(wanted.stage_ids[:_IN_FILTER]))] if wanted.stage_ids else []
    owner = [is_("hubspot_owner_id", "EQ", wanted.owner_id)] if wanted.owner_id else []
    since = wanted.unchanged_since
    stale = [is_("hs_lastmodifieddate", "LTE", milliseconds(since))] if since is not None else []
    first = milliseconds(start_of(wanted.closes_after)) if wanted.closes_after else None
    last = milliseconds(end_of(wanted.closes_before)) if wanted.closes_before else None
    low, high = (None if amount is None else f"{amount:.2f}" for amount in (wanted.min_amount, wanted.max_amount))
    return [*stages, *owner, *stale, *between("closedate", first, last), *between("amount", low, high)]


def _open_task(properties: dict[str, str | None], owner_id: str, first: datetime | None, last: datetime | None) -> bool:
    if properties.get("hs_task_status") == "COMPLETED":
        return False
    if owner_id and properties.get("hubspot_owner_id") != owner_id:
        return False
    due = instant(properties.get("hs_timestamp") or "")
    if due is None:
        return first is None and last is None
    return (first is None or due >= first) and (last is None or due <= last)


def _deal_text(deal: Any) -> Sequence[str]:
    names = ("dealname", "description", "hs_next_step")
    return all_words(" ".join(deal.properties.get(name) or "" for name in names))


def _contact_text(contact: Any) -> Sequence[str]:
    return all_words(" ".join(contact.properties.get(name) or "" for name in CONTACT_PROPERTIES))


def _beginning(word: str) -> str:
    """With HubSpot's wildcard, so that « devis » and plurals are found; short words as they are."""
    return f"{word}*" if len(word) >= _WORD_OF_NOTE else word


def _once(records: Iterable[Any]) -> list[Any]:
    return list({str(one.id): one for one in records}.values())
