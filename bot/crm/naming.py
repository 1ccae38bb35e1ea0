"""Which deals and contacts a name means: HubSpot's own search first, then the recent records one by one."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bot.crm.records import associated_to_each, read_records
from bot.crm.searching import CONTACT_PROPERTIES, DEAL_PROPERTIES, Recent, is_, search
from bot.crm.transport import Transport
from pipeline.crm_types import Directory, KnownDeal
from pipeline.text.names import CLOSE, SPELT_ALIKE, all_words, fit, folded, likeness, telling_words

_MOST = 50
_NEAR_PEOPLE = 3
_SHORTEST = 3
"""Letters of a word of a surname that tells of somebody; « Le » does not."""
_PARENTHESIS = re.compile(r"\(.*?\)")

Words = Callable[[Any], Sequence[str]]


def deal_words(deal: Any) -> Sequence[str]:
    return all_words(deal.properties.get("dealname") or "")


def contact_words(contact: Any) -> Sequence[str]:
    """Also the town, by which people tell homonyms apart."""
    names = ("firstname", "lastname", "city")
    return all_words(" ".join(contact.properties.get(name) or "" for name in names))


def directory_of(
    contacts: Sequence[Any], deals: Sequence[Any], deals_of: Mapping[str, Sequence[str]], colleagues: Iterable[str]
) -> Directory:
    """`deals_of`: the ids of each contact's deals, by the contact's; `colleagues`: names."""
    named = {str(deal.id): frozenset(map(folded, deal_words(deal))) for deal in deals}
    surnames = (_PARENTHESIS.sub(" ", one.properties.get("lastname") or "") for one in contacts)
    words = {word for name in surnames for word in map(folded, all_words(name)) if len(word) >= _SHORTEST}
    told = {id_: set(name) for id_, name in named.items()}
    people: dict[str, set[str]] = {id_: set() for id_ in named}
    described = {
        str(deal.id): frozenset(map(folded, all_words(deal.properties.get("description") or ""))) for deal in deals
    }
    for one in contacts:
        person = {folded(word) for word in (*contact_words(one), *all_words(one.properties.get("jobtitle") or ""))}
        for id_ in deals_of.get(str(one.id), ()):
            told.get(id_, set()).update(person)
            people.get(id_, set()).add(str(one.id))
    beside: dict[str, set[str]] = {word: set() for word in words}
    for name in named.values():
        for word in name & words:
            beside[word] |= name
    return Directory(
        {word: frozenset(others) for word, others in beside.items()},
        frozenset(word for name in colleagues for word in map(folded, all_words(name)) if len(word) >= _SHORTEST),
        tuple(KnownDeal(id_, frozenset(said), described[id_], frozenset(people[id_])) for id_, said in told.items()),
    )


def best(records: Iterable[Any], wanted: Sequence[str], words: Words) -> tuple[int, list[Any]]:
    """The records that fit best, in their order, and how well they do (0 best); an empty list with any rank."""
    ranked = [(rank, one) for one in records if (rank := fit(wanted, words(one))) is not None]
    top = min((rank for rank, _ in ranked), default=0)
    return top, [one for rank, one in ranked if rank == top]


def nearest(records: Iterable[Any], wanted: Sequence[str], words: Words) -> list[tuple[float, Any]]:
    """Records whose name is spelt a little like it, the most alike first."""
    scored = [(likeness(wanted, words(one)), one) for one in records]
    return sorted((pair for pair in scored if pair[0] >= CLOSE), key=lambda pair: -pair[0])


class Names:
    """Raises `CrmUnavailable`. A deal's own name counts before its contacts' of the same spelling."""

    def __init__(self, transport: Transport, recent: Recent) -> None:
        self._hubspot = transport
        self._recent = recent

    async def deals(self, name: str) -> tuple[list[Any], list[Any]]:
        """(those that fit equally well, last modified first; when none fits, those spelt most alike)."""
        wanted = telling_words(name)
        if not wanted:
            return [], []
        group = [is_("dealname", "CONTAINS_TOKEN", word) for word in wanted]
        direct = await search(self._hubspot, "deals", [group], properties=DEAL_PROPERTIES, most=_MOST)
        rank, found = best(direct.records, wanted, deal_words)
        if found and rank == SPELT_ALIKE:
            return found, []
        # HubSpot compares accents and forgives no slip; people in a hurry type neither accents nor well.
        recent, (people_rank, people) = await asyncio.gather(self._recent.deals(), self._people(wanted))
        rank, found = best(_unique((*direct.records, *recent.records)), wanted, deal_words)
        if people and (not found or people_rank < rank):
            found = await self._deals_of(people) or found
        return (found, []) if found else ([], await self._near(wanted))

    async def contacts(self, name: str) -> tuple[list[Any], list[Any]]:
        """As `deals`, for people."""
        wanted = telling_words(name)
        if not wanted:
            return [], []
        _, found = await self._people(wanted)
        if found:
            return found, []
        recent = await self._recent.contacts()
        return [], [one for _, one in nearest(recent.records, wanted, contact_words)]

    async def directory(self, colleagues: Iterable[str]) -> Directory:
        """`colleagues`: names."""
        deals, contacts = await self._recent.both()
        ids = [str(one.id) for one in contacts.records]
        deals_of = await associated_to_each(self._hubspot, ids, "deals", origin="contacts") if ids else {}
        return directory_of(contacts.records, deals.records, deals_of, colleagues)

    async def _people(self, wanted: Sequence[str]) -> tuple[int, list[Any]]:
        query = " ".join(wanted)
        direct, recent = await asyncio.gather(
            search(self._hubspot, "contacts", properties=CONTACT_PROPERTIES, query=query, most=_MOST),
            self._recent.contacts(),
        )
        return best(_unique((*direct.records, *recent.records)), wanted, contact_words)

    async def _deals_of(self, people: Iterable[Any]) -> list[Any]:
        ids = [str(one.id) for one in people][:_MOST]
        linked = await associated_to_each(self._hubspot, ids, "deals", origin="contacts")
        wanted = [deal for id_ in ids for deal in linked.get(id_, ())]
        found = await read_records(self._hubspot, "deals", wanted, DEAL_PROPERTIES) if wanted else []
        return sorted(found, key=lambda deal: deal.properties.get("hs_lastmodifieddate") or "", reverse=True)

    async def _near(self, wanted: Sequence[str]) -> list[Any]:
        recent, people = await self._recent.both()
        alike = nearest(recent.records, wanted, deal_words)
        best_likeness = alike[0][0] if alike else 0.0
        persons = [pair for pair in nearest(people.records, wanted, contact_words) if pair[0] > best_likeness]
        theirs = await self._deals_of([one for _, one in persons[:_NEAR_PEOPLE]]) if persons else []
        return _unique((*theirs, *(one for _, one in alike)))


def _unique(records: Iterable[Any]) -> list[Any]:
    return list({str(one.id): one for one in records}.values())
