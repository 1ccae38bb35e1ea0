"""The CRM as an adviser reads it who may see their own deals alone: HubSpot's owner of a deal, matched by e-mail."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from pipeline.crm_types import (
    Contact,
    ContactList,
    ContactSearch,
    Deal,
    DealBrief,
    DealChoice,
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
from pipeline.ports import CrmReader
from pipeline.text.names import all_words, folded

MOST_LOOKED_THROUGH: Final = 100
"""Of what the whole team would find, before those of other advisers are left out."""


class OwnDeals:
    """`CrmReader` for one person. What is not theirs is as good as not there: neither shown, counted nor named as
    near. An address that no owner has owns nothing. `narrowed`: whether the whole team might have been told more so
    far, which says nothing of whether there is more; `nobody`: no owner has this address. Raises `CrmUnavailable`."""

    def __init__(self, reader: CrmReader, email: str) -> None:
        self._reader, self._email = reader, email.strip().casefold()
        self._known: frozenset[str] | None = None
        self.narrowed = False
        self.nobody = False

    async def deal(self, deal_id: str) -> Deal | None:
        found = await self._reader.deal(deal_id)
        if found is not None and await self._is_mine(found):
            return found
        self.narrowed = True
        return None

    async def find_deals(self, name: str, *, limit: int = 5) -> DealMatches:
        found = await self._reader.find_deals(name, limit=MOST_LOOKED_THROUGH)
        mine, near = await self._mine(found.found), await self._mine(found.near)
        self.narrowed = self.narrowed or not mine
        return DealMatches(mine[:limit], len(mine), near[:limit])

    async def deals(self, wanted: DealSearch) -> DealList:
        me = await self._me()
        self.narrowed = self.narrowed or not me or wanted.owner_id != me
        if not me or wanted.owner_id not in ("", me):
            return DealList()
        return await self._reader.deals(replace(wanted, owner_id=me))

    async def directory(self) -> Directory:
        """The clients and the deals of one's own; colleagues are no secret."""
        me, known = await self._me(), await self._reader.directory()
        owned = (await self._reader.deals(DealSearch(owner_id=me))).deals if me else ()
        mine = {deal.id: frozenset(map(folded, all_words(deal.name))) for deal in owned}
        own = {word: [name for name in mine.values() if word in name] for word in known.surnames}
        surnames = {word: frozenset().union(*names) for word, names in own.items() if names}
        return replace(known, surnames=surnames, deals=tuple(deal for deal in known.deals if deal.id in mine))

    async def brief(self, deal_id: str) -> DealBrief | None:
        found = await self._reader.brief(deal_id)
        if found is None or not await self._is_mine(found.deal):
            self.narrowed = True
            return None
        contacts = [await self._with_own_deals(contact) for contact in found.contacts]
        return replace(found, contacts=tuple(contacts))

    async def contacts(self, wanted: ContactSearch) -> ContactList:
        """Those of one's own deals."""
        if wanted.deal_id and await self.deal(wanted.deal_id) is None:
            return ContactList()
        self.narrowed = self.narrowed or not wanted.deal_id
        found = await self._reader.contacts(replace(wanted, limit=MOST_LOOKED_THROUGH))
        read = [await self._with_own_deals(contact) for contact in found.contacts]
        mine = tuple(contact for contact in read if contact.deals)
        return ContactList(mine[: wanted.limit], len(mine))

    async def tasks(self, wanted: TaskSearch) -> TaskList:
        """One's own, and those of others on one's own deals where theirs are asked for."""
        me = await self._me()
        if not me or (wanted.deal_id and await self.deal(wanted.deal_id) is None):
            return TaskList()
        self.narrowed = self.narrowed or (not wanted.deal_id and wanted.owner_id != me)
        of_others = bool(wanted.deal_id) or wanted.owner_id not in ("", me)
        owner = wanted.owner_id if of_others else me
        found = await self._reader.tasks(replace(wanted, owner_id=owner, limit=MOST_LOOKED_THROUGH))
        read = [await self._task(task) for task in found.tasks]
        mine = tuple(task for task in read if task.deals or not of_others)
        return TaskList(mine[: wanted.limit], len(mine) if of_others else found.total)

    async def stages(self) -> tuple[Stage, ...]:
        return await self._reader.stages()

    async def owners(self) -> tuple[Owner, ...]:
        return await self._reader.owners()

    async def deal_property(self, name: str) -> PropertySchema | None:
        return await self._reader.deal_property(name)

    async def task_property(self, name: str) -> PropertySchema | None:
        return await self._reader.task_property(name)

    async def _me(self) -> str:
        """The id of the owner who has this address; empty where nobody has."""
        owners = await self._reader.owners() if self._email else ()
        found = next((one.id for one in owners if one.email.casefold() == self._email), "")
        self.nobody = not found
        return found

    async def _is_mine(self, deal: Deal) -> bool:
        me = await self._me()
        return bool(me) and deal.properties.get("hubspot_owner_id") == me

    async def _mine(self, deals: Iterable[Deal]) -> tuple[Deal, ...]:
        return tuple([deal for deal in deals if await self._is_mine(deal)])

    async def _own_ids(self) -> frozenset[str]:
        if self._known is None:
            me = await self._me()
            self._known = frozenset(deal.id for deal in (await self.deals(DealSearch(owner_id=me))).deals if me)
        return self._known

    async def _own(self, choices: Iterable[DealChoice]) -> tuple[DealChoice, ...]:
        known = await self._own_ids()
        return tuple(choice for choice in choices if choice.deal_id in known)

    async def _with_own_deals(self, contact: Contact) -> Contact:
        return replace(contact, deals=await self._own(contact.deals))

    async def _task(self, task: Task) -> Task:
        return replace(task, deals=await self._own(task.deals))
