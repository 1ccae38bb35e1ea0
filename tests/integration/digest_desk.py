"""A pretend Slack, a database and sources of a digest that a test can set: prices, deals, the clock, a crash."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversations import charts
from bot.digests.deals import OpenDeals
from bot.digests.gathering import Sources
from bot.digests.publishing import Publishing, follow, post, prepare, report_failure
from bot.digests.subscriptions import Wanted
from bot.digests.waking import wake_due
from bot.ports import AnswerId
from bot.proposals.lifecycle import Terms
from bot.rights import DealReaders
from bot.slack.delivery import Slack
from bot.store import digests, subscriptions
from bot.store.database import Database
from bot.store.tables import Row
from pipeline.crm_types import Deal, DealList, DealSearch, Stage
from pipeline.ports import CrmReader, Deps, Tool
from pipeline.series import Series
from pipeline.types import Figure, ToolCall, ToolResult
from tests.digesting import PLACES, prices
from tests.integration.sandbox_rig import CAMILLE, MARCHE, Rig

T = TypeVar("T")
TEAM = "T0AUBRAC1"


class Crash(BaseException):
    """The process dies here."""


class CrashingDatabase(Database):
    """Dies before or after its `at`-th write, counted from 1."""

    at: int = 0
    after: bool = False
    seen: int = 0

    async def write(self, run: Callable[[sa.Connection], T]) -> T:
        self.seen += 1
        if self.seen == self.at and not self.after:
            raise Crash
        done = await super().write(run)
        if self.seen == self.at:
            raise Crash
        return done


@dataclass
class Prices:
    """The tool "sales" with one finding for every commune."""

    finding: dict[str, Any] = field(default_factory=prices)
    error: str = ""
    asked: int = 0
    name: str = "sales"

    async def run(self, call: ToolCall) -> ToolResult:
        self.asked += 1
        if self.error:
            return ToolResult(call=call, error=self.error)
        found = self.finding
        return ToolResult(
            call=call,
            title=found["title"],
            text=found["text"],
            url=found["url"],
            figures=tuple(Figure(*figure) for figure in found["figures"]),
            series=tuple(Series(s["label"], s["unit"], tuple(map(tuple, s["points"]))) for s in found["series"]),
        )


class OneDeal:
    """A CRM in which one open deal is about Toulon."""

    async def stages(self) -> tuple[Stage, ...]:
        return (Stage("s1", "Étude", "p1"),)

    async def deals(self, wanted: DealSearch) -> DealList:
        return DealList(
            (Deal("9003", "Dossier Benali - maison Toulon", stage="Étude", url="https://crm.example/9003"),), 1
        )


@dataclass
class Desk:
    """What the digests of one test run on; `at`: what the clock shows."""

    rig: Rig
    database: Database
    at: datetime
    tools: Mapping[str, Tool]
    crm: CrmReader | None = field(default_factory=lambda: cast(CrmReader, OneDeal()))
    enqueued: list[str] = field(default_factory=list)
    readers: DealReaders = field(default_factory=DealReaders)

    @property
    def publishing(self) -> Publishing:
        deps = cast(Deps, _Deps(self.tools, self.crm))
        deals = OpenDeals(self.crm, PLACES)
        sources = Sources(self.database, deps, deals, clock=lambda: self.at, readers=self.readers)
        url = f"{self.rig.sandbox.options.base_url}/api/"
        client = AsyncWebClient(token=self.rig.slack.token, base_url=url, timeout=60, retry_handlers=[])
        return Publishing(sources, Slack(poster=client, reader=client), Terms())

    async def subscribe(self, channel: str = MARCHE, *, by: str = CAMILLE, **wanted: Any) -> None:
        columns = Wanted(**{"communes": ("83137",), **wanted}).columns()
        moment = self.at.isoformat(timespec="milliseconds")
        await self.database.write(
            lambda c: subscriptions.put(c, team_id=TEAM, channel=channel, by=by, moment=moment, **columns)
        )

    async def tick(self) -> int:
        """One look of the clock; the jobs that it enqueues wait in `enqueued`."""

        def enqueue(_connection: object, _job: object, subject: str, _partition: str) -> None:
            self.enqueued.append(subject)

        return await wake_due(self.publishing.sources, enqueue)

    async def work(self) -> None:
        """Run what is enqueued, each job to its end, as the engine does."""
        while self.enqueued:
            await self.job(self.enqueued[0])
            self.enqueued.pop(0)

    async def job(self, subject: str) -> None:
        publishing = self.publishing
        try:
            await prepare(publishing, subject)
            await post(publishing, subject)
            asked: list[AnswerId] = []
            await follow(publishing, subject, enqueue=lambda _c, _job, answer_id, _p: asked.append(AnswerId(answer_id)))
            for answer_id in asked:
                await charts.post(self.database, publishing.slack, answer_id)
        except Exception as error:  # noqa: BLE001 - as the engine: a job that fails is told
            await report_failure(publishing, subject, error)

    async def pass_time(self, **by: float) -> None:
        """The clock moves, ticks, and the jobs run."""
        self.at += timedelta(**by)
        await self.tick()
        await self.work()

    async def posts(self, channel: str = MARCHE) -> list[dict[str, Any]]:
        """The bot's own messages at the root of the channel."""
        messages = (await self.rig.get("messages", channel=channel))["messages"]
        return [m for m in messages if m.get("bot_id") and m.get("thread_ts", m["ts"]) == m["ts"]]

    async def replies(self, ts: str, channel: str = MARCHE) -> list[dict[str, Any]]:
        messages = (await self.rig.get("messages", channel=channel, thread_ts=ts))["messages"]
        return [m for m in messages if m["ts"] != ts]

    async def states(self) -> dict[str, str]:
        """ISO week -> state, of every digest."""

        def read(connection: sa.Connection) -> list[Row]:
            return [dict(row) for row in connection.execute(sa.select(digests.t.digest)).mappings()]

        return {f"{r['iso_year']}-W{r['iso_week']:02d}": r["state"] for r in await self.database.read(read)}


@dataclass(frozen=True)
class _Deps:
    """The parts of `Deps` that a digest reads."""

    tools: Mapping[str, Tool]
    crm: CrmReader | None
    places: Any = PLACES

    def now(self) -> datetime:
        return datetime.now(UTC)


def desk_at(rig: Rig, database: Database, moment: str, **other: Any) -> Desk:
    given: dict[str, Any] = {"tools": {"sales": Prices()}, **other}
    return Desk(rig, database, datetime.fromisoformat(moment).replace(tzinfo=UTC), **given)


def elsewhere(desk: Desk, database: Database) -> Desk:
    """Another process on the same Slack and the same data."""
    return replace(desk, database=database, enqueued=list(desk.enqueued))
