"""The open deals that a digest touches, by their town or a scheme that they name; what a card would note on them."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.digests.due import PARIS
from bot.digests.values import Entry
from bot.ports import Portals
from corpus.french import fold
from corpus.places import Gazetteer
from pipeline.action_types import ActionRequest, ProposedAction, Target
from pipeline.crm_types import Deal, DealSearch
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.proposing.proposed_actions import note, owner_of, task
from pipeline.schemes import having, said_in, schemes
from pipeline.types import ToolCall, ToolResult

KEPT_SECONDS: Final = 300.0
"""Two hundred channels that are due in one minute read the CRM once."""
CRM_SECONDS: Final = 10.0
MOST_NAMED: Final = 3
NO_DEALS: Final = "HubSpot ne répond pas : dossiers concernés non cherchés."


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A deal that is neither won nor lost, its towns (INSEE codes) and the schemes that its words name."""

    deal: Deal
    towns: frozenset[str]
    schemes: frozenset[str]


class OpenDeals:
    """The open deals of the CRM, read at most once in `KEPT_SECONDS`."""

    def __init__(
        self,
        crm: CrmReader | None,
        places: Gazetteer,
        *,
        now: Callable[[], float] = time.monotonic,
        portals: Portals | None = None,
        team_id: str = "",
    ) -> None:
        self._crm, self._places, self._now, self._portals, self._team_id = crm, places, now, portals, team_id
        self._teams: dict[str, OpenDeals] = {}
        self._read_at = float("-inf")
        self._known: tuple[OpenDeal, ...] = ()
        self._lock = asyncio.Lock()
        self._reading: asyncio.Task[tuple[OpenDeal, ...] | None] | None = None

    def of(self, team_id: str) -> "OpenDeals":
        """Those of a team, where each has its own CRM."""
        if self._portals is None:
            return self
        if team_id not in self._teams:
            self._teams[team_id] = OpenDeals(None, self._places, now=self._now, portals=self._portals, team_id=team_id)
        return self._teams[team_id]

    async def all(self) -> tuple[OpenDeal, ...] | None:
        """None where the CRM does not answer in time; empty where none is connected."""
        crm = self._crm
        if self._portals is not None and (own := await self._portals.of(self._team_id)) is not None:
            crm = own.reader
        if crm is None:
            return ()
        async with self._lock:
            if self._now() - self._read_at < KEPT_SECONDS:
                return self._known
            try:
                async with asyncio.timeout(CRM_SECONDS):
                    open_stages = tuple(stage.id for stage in await crm.stages() if not stage.closed)
                    found = await crm.deals(DealSearch(stage_ids=open_stages))
            except (CrmUnavailable, TimeoutError):
                return None
            self._known = tuple(self._read(deal) for deal in found.deals)
            self._read_at = self._now()
            return self._known

    async def within(self, seconds: float) -> tuple[OpenDeal, ...] | None:
        """As `all`; None when that takes longer, and then it goes on for who asks next."""
        self._reading = self._reading or asyncio.create_task(self.all())
        self._reading.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.shield(self._reading), seconds)
        except TimeoutError:
            return None

    def _done(self, _reading: object) -> None:
        self._reading = None

    def _read(self, deal: Deal) -> OpenDeal:
        words = " ".join((deal.name, *(deal.properties.get(name) or "" for name in ("description", "hs_next_step"))))
        towns = (mention for mention in self._places.find_expected(deal.name) if not mention.ambiguous)
        return OpenDeal(
            deal,
            towns=frozenset(mention.places[0].insee for mention in towns),
            schemes=frozenset(said_in(fold(words).lower())),
        )


def deal_entries(
    entries: Sequence[Entry], deals: Sequence[OpenDeal], places: Gazetteer, *, told: frozenset[str]
) -> tuple[Entry, ...]:
    """One a deal that an entry touches, those touched most first."""
    found: list[tuple[int, Entry]] = []
    for each in deals:
        touching = [entry for entry in entries if _touches(entry, each)]
        if not touching:
            continue
        key = f"deal:{each.deal.id}:" + ",".join(sorted(entry.key for entry in touching))
        if key not in told:
            found.append((len(touching), _entry(each, touching, places, key)))
    return tuple(entry for _count, entry in sorted(found, key=lambda pair: -pair[0]))


def _touches(entry: Entry, deal: OpenDeal) -> bool:
    if entry.kind == "deal":
        return False
    return bool(deal.towns.intersection(entry.communes) or (deal.schemes - having("facet")).intersection(entry.schemes))


def _entry(each: OpenDeal, touching: Sequence[Entry], places: Gazetteer, key: str) -> Entry:
    deal = each.deal
    towns = [p.name for code in sorted(each.towns) if (p := places.get(code)) and _of(touching, code, "communes")]
    known = schemes()
    about = [known[name].short for name in sorted(each.schemes) if _of(touching, name, "schemes")]
    why = ", ".join([*towns, *about][:MOST_NAMED])
    stage = f", à l'étape « {deal.stage} »" if deal.stage else ""
    evidence = ToolResult(
        call=ToolCall("crm", {}),
        title=_plain(deal.name),
        text=f"Le dossier « {_plain(deal.name)} »{stage} est ouvert et concerne {why}.",
        url=deal.url,
        private=True,
    )
    return Entry(
        kind="deal",
        text=f"**{_plain(deal.name)}**{stage} : concerné par ce qui précède ({why}) [1].",
        evidence=(evidence,),
        key=key,
        communes=tuple(sorted(each.towns)),
        schemes=tuple(sorted(each.schemes)),
        deal_id=deal.id,
    )


def _of(entries: Sequence[Entry], name: str, trait: str) -> bool:
    return any(name in getattr(entry, trait) for entry in entries)


def _plain(name: str) -> str:
    """A deal's name without what Markdown or the gate would read as more than a name."""
    return " ".join(re.sub(r"[\[\]*_`#|<>]", " ", name).split())


def action_for(deal: Deal, items: Sequence[str], *, title: str, ahead: bool, now: datetime) -> ProposedAction | None:
    """What a card would write: a task where something is still to come, else a note; `items` are the lines told."""
    target = Target("deal", deal.id, deal.name)
    body = "\n".join([title, *(f"- {_bare(line)}" for line in items)])
    if ahead:
        due = (now.astimezone(PARIS) + timedelta(days=1)).date()
        while due.weekday() > 4:
            due += timedelta(days=1)
        request = ActionRequest(kind="create_task", body=f"Revoir le dossier : {_bare(items[0])}", due=due)
        made = task(request, target, last="", owner=owner_of(deal), now=now.astimezone(UTC))
    else:
        made = note(ActionRequest(kind="create_note", body=body), target, last="")
    return made if isinstance(made, ProposedAction) else None


def _bare(line: str) -> str:
    return re.sub(r"\s*\[\d+\]", "", line).replace("**", "").strip()
