"""python -m tests.integration.digest_worker URL API TOKEN MOMENT WHERE: a worker of digests that SIGKILLs itself.

WHERE is a boundary of the engine's steps (`post:done`), `write:3` for the moment before its third write, or `-` for
never. What it does besides is the product's: the jobs, the engine, the store and Slack's API.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from slack_sdk.web.async_client import AsyncWebClient

from bot.digests.deals import OpenDeals
from bot.digests.gathering import Sources
from bot.engine import Engine
from bot.jobs import Services, jobs_of
from bot.logs import configure_logs
from bot.proposals.lifecycle import Terms
from bot.slack.delivery import Slack
from bot.store.database import Database
from pipeline.metering.telemetry import SILENT
from pipeline.ports import CrmReader, Deps
from tests.digesting import PLACES
from tests.integration.digest_desk import OneDeal, Prices

T = TypeVar("T")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class DyingDatabase(Database):
    """Ends the process before its `at`-th write, counted from 1."""

    at: int = 0
    seen: int = 0

    async def write(self, run: Callable[[sa.Connection], T]) -> T:
        self.seen += 1
        if self.seen == self.at:
            die()
        return await super().write(run)


@dataclass(frozen=True)
class Parts:
    """The parts of `Deps` that these jobs read."""

    tools: Any
    crm: CrmReader
    places: Any = PLACES
    index: Any = None
    embedder: Any = None
    telemetry: Any = SILENT

    def now(self) -> datetime:
        return datetime.now(UTC)


async def main(url: str, api: str, token: str, moment: str, where: str) -> None:
    configure_logs("INFO")
    database = DyingDatabase(url)
    database.at = int(where.removeprefix("write:")) if where.startswith("write:") else 0
    client = AsyncWebClient(token=token, base_url=api, timeout=30, retry_handlers=[])
    crm = cast(CrmReader, OneDeal())
    deps = cast(Deps, Parts({"sales": Prices()}, crm))
    at = datetime.fromisoformat(moment)
    services = Services(
        database=database,
        slack=Slack(client, client),
        deps=deps,
        writer=None,
        terms=Terms(),
        digests=Sources(database, deps, OpenDeals(crm, PLACES), clock=lambda: at),
    )
    engine = Engine(
        url, executor_id="one", jobs=jobs_of(services), boundary=lambda name: die() if name == where else None
    )
    await engine.launch(consume=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
