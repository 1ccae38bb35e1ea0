"""Looks at everything a digest may tell: earlier digests, the communes now and then, dated rules, news, deals."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.digests.content import Found
from bot.digests.deals import NO_DEALS, OpenDeals, deal_entries
from bot.digests.due import PARIS, Week
from bot.digests.findings import Findings, kept, look
from bot.digests.history import longer, past_prices
from bot.digests.news import news_entries
from bot.digests.places import KINDS, place_entry
from bot.digests.prices import price_entry
from bot.digests.rules import AHEAD, rule_changes, rule_entries
from bot.digests.subscriptions import Wanted
from bot.digests.values import Entry
from bot.rights import DealReaders, deals_told
from bot.store import digests, news, snapshots
from bot.store.database import Database
from bot.store.tables import Row
from corpus.places import Place
from pipeline.ports import Deps

FIRST_LOOK_BACK: Final = timedelta(days=7)
"""What a first digest counts as new."""
FRESH: Final = timedelta(hours=24)
"""A snapshot of this week that is younger serves every channel of the team."""
AT_ONCE: Final = 4
"""Communes that are looked at beside each other."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a digest is made from. `clock`: the time that schedules go by; `readers`: who reads deals."""

    database: Database
    deps: Deps
    deals: OpenDeals
    clock: Callable[[], datetime]
    readers: DealReaders = DealReaders()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class Order:
    """Which digest. `with_deals`: this channel may read of the team's deals; never where another company reads."""

    team_id: str
    channel: str
    week: Week
    slot: datetime
    wanted: Wanted
    with_deals: bool = True


Snapshot = dict[str, Any]
"""`{now, kept, missing}`: today's findings, those that next week is compared with, and what was not found."""


async def shows_deals(sources: Sources, *, team_id: str, channel: str, shared: bool) -> bool:
    """Whether deals are named in this channel's digest."""
    place = {"team_id": team_id, "channel": channel}
    return not shared and await sources.database.read(lambda c: deals_told(c, **place, readers=sources.readers))


async def gather(sources: Sources, order: Order) -> tuple[Found, Mapping[str, Snapshot]]:
    """What was found, and this week's snapshots by commune, which are the caller's to keep."""
    places = sources.deps.places
    earlier = await sources.database.read(lambda c: _earlier(c, order))
    since = datetime.fromisoformat(earlier[0]["slot"]) if earlier else None
    told = frozenset(item["key"] for row in earlier for item in (row["content"] or {}).get("items", ()))
    communes = [place for code in order.wanted.communes if (place := places.get(code)) is not None]
    now, before = await _looked_at(sources, order, communes, earlier[0] if earlier else None)
    start, slot = (since or order.slot - FIRST_LOOK_BACK).astimezone(PARIS).date(), order.slot.astimezone(PARIS).date()
    changes = rule_changes(start, slot + AHEAD, followed=order.wanted.followed)
    entries = [*rule_entries(changes, since=start, slot=slot, told=told)]
    missing: list[str] = []
    for place in communes:
        told_of, lacking = _of_place(place, now[place.insee], before.get(place.insee), order)
        entries += told_of
        missing += lacking
    if since is not None:
        entries = [await _with_history(sources, order, entry) for entry in entries]
    rows = await sources.database.read(lambda c: _news(c, order, since))
    entries += news_entries(rows, wanted=order.wanted, communes=communes, told=told)
    if order.with_deals:
        deals = await sources.deals.of(order.team_id).all()
        if deals is None:
            missing.append(NO_DEALS)
        else:
            entries += deal_entries(entries, deals, places, told=told)
    found = Found(order.channel, order.week, order.slot, since, order.wanted, tuple(entries), tuple(missing))
    return found, now


def _earlier(connection: Any, order: Order) -> list[Row]:
    slot = order.slot.isoformat(timespec="milliseconds")
    return digests.posted(connection, team_id=order.team_id, channel=order.channel, before=slot)


async def _with_history(sources: Sources, order: Order, entry: Entry) -> Entry:
    """Its chart with the years that earlier weeks' readings hold; read only for the few entries that have a chart."""
    if not entry.charts:
        return entry
    (insee,), url = entry.communes, entry.evidence[0].url
    rows = await sources.database.read(lambda c: snapshots.history(c, team_id=order.team_id, insee=insee))
    past = past_prices(rows)
    return replace(entry, charts=tuple(longer(chart, past, url=url) for chart in entry.charts))


def _news(connection: Any, order: Order, since: datetime | None) -> list[Row]:
    """What came to be known since the last digest, up to this one's slot."""
    start = (since or order.slot - FIRST_LOOK_BACK).isoformat(timespec="milliseconds")
    return news.published_between(connection, since=start, until=order.slot.isoformat(timespec="milliseconds"))


async def _looked_at(
    sources: Sources, order: Order, communes: Sequence[Place], last: Row | None
) -> tuple[dict[str, Snapshot], dict[str, Findings]]:
    """(this week's snapshots, what the channel's last digest compared with)."""
    codes, today = [place.insee for place in communes], sources.clock()
    week, last_week = order.week, (last["iso_year"], last["iso_week"]) if last else None

    def stored(connection: Any) -> tuple[dict[str, Row], dict[str, Row]]:
        team, this = order.team_id, (week.year, week.number)
        known = snapshots.known(connection, team_id=team, communes=codes, week=last_week) if last_week else {}
        return snapshots.of_week(connection, team_id=team, communes=codes, week=this), known

    this_week, rows = await sources.database.read(stored)
    before = {code: row["findings"]["kept"] for code, row in rows.items()}
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(place: Place) -> Snapshot:
        row = this_week.get(place.insee)
        if row is not None and abs(today - datetime.fromisoformat(row["taken_at"])) < FRESH:
            return dict(row["findings"])
        async with gate:
            day = today.astimezone(PARIS).date()
            findings, lacking = await look(place, tools=sources.deps.tools, today=day)
        compared = kept(findings, before.get(place.insee, {}), today=day)
        return {"now": findings, "kept": compared, "missing": list(lacking)}

    taken = await asyncio.gather(*(one(place) for place in communes))
    return dict(zip(codes, taken, strict=True)), before


def _of_place(place: Place, snapshot: Snapshot, before: Findings | None, order: Order) -> tuple[list[Entry], list[str]]:
    """A commune that is new here is told by its prices only: its status and risks are compared from now on."""
    slot = order.slot.astimezone(PARIS).date()
    now, entries, missing = snapshot["now"], list[Entry](), list(snapshot["missing"])
    if "sales" in now:
        entry, lacking = price_entry(place, now["sales"], (before or {}).get("sales"), slot=slot)
        entries += [entry] if entry else []
        missing += [lacking] if lacking else []
    for part in KINDS:
        if before and part in now and part in before:
            entry = place_entry(place, part, now[part], before[part], slot=slot)
            entries += [entry] if entry else []
    return entries, missing


def with_remark(found: Found, *remarks: str) -> Found:
    return replace(found, remarks=(*found.remarks, *(remark for remark in remarks if remark)))
