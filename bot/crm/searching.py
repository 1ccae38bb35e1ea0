"""HubSpot's search as JSON: filters, pages up to a bound, and the most recent records kept for a moment."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from typing import Any
from zoneinfo import ZoneInfo

from bot.crm.transport import Transport

PAGE, SCANNED = 200, 1000
"""Records in a page (HubSpot's most), and those looked through one by one, last modified first. HubSpot itself pages
no further than 10,000."""

KEPT_SECONDS = 60.0
PARIS = ZoneInfo("Europe/Paris")

DEAL_PROPERTIES = (
    "dealname",
    "amount",
    "dealstage",
    "pipeline",
    "closedate",
    "createdate",
    "description",
    "hs_next_step",
    "hs_priority",
    "hubspot_owner_id",
    "hs_lastmodifieddate",
)
CONTACT_PROPERTIES = ("firstname", "lastname", "email", "phone", "city", "jobtitle")
NEWEST = {"deals": "-hs_lastmodifieddate", "contacts": "-lastmodifieddate", "notes": "-hs_timestamp"}

Filter = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """Records read, and how many there are in all."""

    records: tuple[Any, ...]
    total: int

    @property
    def complete(self) -> bool:
        return len(self.records) >= self.total


def is_(name: str, operator: str, value: str | None = None, **others: Any) -> Filter:
    """One filter; values are strings, as everywhere in HubSpot."""
    return {"propertyName": name, "operator": operator, **({} if value is None else {"value": value}), **others}


def between(name: str, low: str | None, high: str | None) -> list[Filter]:
    """One filter at most: a group takes six."""
    if low is not None and high is not None:
        return [is_(name, "BETWEEN", low, highValue=high)]
    if low is not None:
        return [is_(name, "GTE", low)]
    return [is_(name, "LTE", high)] if high is not None else []


def milliseconds(moment: datetime) -> str:
    """As the search compares moments."""
    return str(int(moment.timestamp() * 1000))


def start_of(day: date, zone: ZoneInfo | Any = UTC) -> datetime:
    """Closing days are midnights in UTC; tasks are due at an hour of Paris."""
    return datetime.combine(day, clock(0), zone)


def end_of(day: date, zone: ZoneInfo | Any = UTC) -> datetime:
    """The last moment that still counts as that day."""
    return start_of(day + timedelta(days=1), zone) - timedelta(milliseconds=1)


async def search(
    hubspot: Transport,
    kind: str,
    groups: Sequence[Sequence[Filter]] = (),
    *,
    properties: Sequence[str],
    sort: str = "",
    query: str = "",
    most: int = SCANNED,
) -> Found:
    """Records that pass every filter of some group, last modified first unless sorted otherwise; page after page, up
    to `most`."""
    request: dict[str, Any] = {
        "filterGroups": [{"filters": list(group)} for group in groups],
        "properties": list(properties),
        "sorts": [sort or NEWEST[kind]],
        "limit": min(PAGE, most),
        "after": "0",
        **({"query": query} if query else {}),
    }
    records: list[Any] = []
    total = 0
    while len(records) < most:
        page = await hubspot.search(kind, request)
        if page is None:
            break
        total = total or int(page.total)
        records += page.results
        after = page.paging.next.after if page.paging and page.paging.next else None
        if not after:
            break
        request["after"] = str(after)
    return Found(tuple(records[:most]), max(total, min(len(records), most)))


@dataclass(slots=True)
class Recent:
    """The last modified deals and contacts, in which a name typed in a hurry is looked for."""

    hubspot: Transport
    _kept: dict[str, tuple[float, Found]] = field(default_factory=dict)

    async def deals(self) -> Found:
        return await self._read("deals", DEAL_PROPERTIES)

    async def contacts(self) -> Found:
        return await self._read("contacts", CONTACT_PROPERTIES)

    async def both(self) -> tuple[Found, Found]:
        deals, contacts = await asyncio.gather(self.deals(), self.contacts())
        return deals, contacts

    async def _read(self, kind: str, properties: Sequence[str]) -> Found:
        at, found = self._kept.get(kind, (0.0, Found((), 0)))
        if not at or time.monotonic() - at > KEPT_SECONDS:
            found = await search(self.hubspot, kind, properties=properties)
            self._kept[kind] = (time.monotonic(), found)
        return found
