"""A worker is killed at each step of a digest's publishing: the next one finishes it, and it stands there once."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from bot.digests.waking import wake_due
from bot.engine import Engine
from bot.store.database import Database
from tests.integration.digest_desk import Desk, desk_at
from tests.integration.engine_rig import forget_jobs
from tests.integration.sandbox_rig import Rig, rigged

pytest_plugins = ("tests.contract.databases",)
MONDAY = "2026-11-23T08:00:00+00:00"
REPLIES = 3
"""Its chart with its table, and the card of its deal."""


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
async def due(rig: Rig, database: Database) -> AsyncIterator[Desk]:
    """A digest that a clock has claimed, with its job in the engine."""
    desk = desk_at(rig, database, "2026-11-22T20:00")
    await desk.subscribe()
    desk.at = desk.at.fromisoformat(MONDAY)
    engine = Engine(database.url, executor_id="clock", jobs={})
    await engine.launch(consume=False)
    try:
        assert await wake_due(desk.publishing.sources, engine.enqueue) == 1
    finally:
        await engine.close()
    yield desk
    if not database.is_sqlite:
        forget_jobs()


@contextlib.contextmanager
def worker(desk: Desk, where: str, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Killed at that point, or at the end of the block."""
    api = f"{desk.rig.sandbox.options.base_url}/api/"
    command = [sys.executable, "-m", "tests.integration.digest_worker", desk.database.url, api]
    with log.open("ab") as output:
        process = subprocess.Popen([*command, str(desk.rig.slack.token), MONDAY, where], stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def finished(desk: Desk) -> bool:
    posts = await desk.posts()
    return bool(posts) and len(await desk.replies(posts[0]["ts"])) >= REPLIES


async def until(look: Callable[[], Awaitable[bool]], what: str) -> None:
    """A minute at most: the worker's own words are in `worker.log`."""
    for _ in range(1_200):
        if await look():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"no {what} within a minute")


USUAL = ("prepare:done", "write:3", "offer:begun")
OTHERS = ("prepare:begun", "post:begun", "post:done", "offer:done", "offer:kept")


@pytest.mark.parametrize("where", [*USUAL, *(pytest.param(name, marks=pytest.mark.servers) for name in OTHERS)])
async def test_a_worker_killed_there_leaves_one_digest(due: Desk, tmp_path: Path, where: str) -> None:
    """`write:3` strikes when Slack has the message and nothing of ours knows it yet; the others take their time beside
    the servers' tests."""
    log = tmp_path / "worker.log"
    with worker(due, where, log) as doomed:
        await until(lambda: asyncio.to_thread(lambda: doomed.poll() is not None), f"death at {where}")
    with worker(due, "-", log):
        await until(lambda: finished(due), "digest with its replies")
    (posted,) = await due.posts()
    assert await due.states() == {"2026-W48": "posted"}
    assert len(await due.replies(posted["ts"])) == REPLIES
