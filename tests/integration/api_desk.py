"""The API on a free port of this machine, with a small pipeline: the calculator, and what a test puts beside it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from bot.api.app import api_app
from bot.api.parts import Api
from bot.runtime.doors import doors_on
from bot.runtime.health import Health
from bot.store import keys
from bot.store.database import Database
from bot.store.tables import Row
from corpus.index.embedded import EmbeddedIndex
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.ports import Deps
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import ToolCall, ToolResult
from tests.asking import SUNDAY, places, reader
from tests.beginnings import migrated
from tests.integration.sandbox_rig import PATIENCE_S
from tests.server_ports import free_port

LOAN = "mensualité pour 200 000 € sur 20 ans à 3,4 %"
INSTALMENT = "1\u202f149,67"


class HeldCalculator(CalculatorTool):
    """The calculator, which answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.may = asyncio.Event(), asyncio.Event()

    async def run(self, call: ToolCall) -> ToolResult:
        self.asked.set()
        await self.may.wait()
        return await super().run(call)


@dataclass(frozen=True, slots=True)
class ApiDesk:
    """`url`: of the API, without a slash at its end."""

    url: str
    api: Api

    async def key(self, name: str = "tableau", **rights: Any) -> str:
        """A new one, as it is shown."""
        given = {"team_id": "T1", "deals": False, **rights}
        shown = await self.api.database.write(lambda c: keys.add(c, name=name, **given))
        assert shown is not None
        return shown

    def client(self, shown: str = "", **options: Any) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {shown}"} if shown else {}
        return httpx.AsyncClient(base_url=self.url, headers=headers, trust_env=False, timeout=60, **options)

    async def rows(self, query: str) -> list[Row]:
        return await self.api.database.read(lambda c: [dict(row) for row in c.exec_driver_sql(query).mappings()])

    async def until(self, query: str) -> None:
        """Once it finds a row."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.rows(query):  # noqa: ASYNC110  (it comes from another task's transaction)
                await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def small_deps(folder: Path, **parts: Any) -> AsyncIterator[Deps]:
    """No corpus and no model: calculations are answered."""
    index, fallback = EmbeddedIndex(folder / "corpus.sqlite3"), ExtractiveWriter()
    made = Deps(
        index=index,
        embedder=None,
        places=places(),
        tools={"calculator": CalculatorTool()},
        reader=reader(),
        writer=fallback,
        fallback=fallback,
        now=lambda: SUNDAY,
    )
    try:
        yield replace(made, **parts)
    finally:
        await index.aclose()


@contextlib.asynccontextmanager
async def api_desk(folder: Path, *, per_minute: int = 0, **parts: Any) -> AsyncIterator[ApiDesk]:
    """`parts`: of the pipeline."""
    database = Database(migrated(folder / "bot.sqlite3"))
    try:
        async with small_deps(folder, **parts) as deps, opened(Api(database, deps), per_minute=per_minute) as desk:
            yield desk
    finally:
        database.close()


@contextlib.asynccontextmanager
async def opened(api: Api, *, per_minute: int = 0) -> AsyncIterator[ApiDesk]:
    """As `serve` opens it."""
    port, health = free_port(), Health()
    async with (
        doors_on(health, host="127.0.0.1", health_port=None, api_port=port) as programs,
        api_app(api, per_minute=per_minute) as app,
    ):
        programs.app, health.started = app, True
        yield ApiDesk(f"http://127.0.0.1:{port}", api)


def events(text: str) -> list[tuple[str, str]]:
    """Name and data of each server-sent event; comments are left out."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], fields["data"]))
    return found
